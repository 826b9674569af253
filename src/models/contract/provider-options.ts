import type { Clock } from "../../stream/time/clock.js";
import type { ModelProfile, Timeouts } from "./chat-model.js";
import type { Fetch } from "../http/http.js";

/** What every provider can be given. */
export interface ProviderOptions {
  /** The name of the model at the provider. */
  readonly model: string;
  readonly apiKey?: string | undefined;
  /** Where the API is: makes a provider serve every server that speaks the same. */
  readonly baseURL?: string | undefined;
  /** Further headers of each request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** How many times a request is made again that failed before its first chunk. Default: 2. */
  readonly maxRetries?: number | undefined;
  readonly timeouts?: Timeouts | undefined;
  /** What is known of the model, in place of what its name says. */
  readonly profile?: Partial<ModelProfile> | undefined;
  /** Default: the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Times the retries and timeouts. Default: the machine's clock. */
  readonly clock?: Clock | undefined;
  /** From 0 to 1: spreads the retries. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
}

export const defaultMaxRetries = 2;
