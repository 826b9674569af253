import type { Clock } from "../../stream/time/clock.js";
import type { ModelProfile, Timeouts } from "./chat-model.js";

/** The part of the signature of `fetch` that models use. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The options that all providers share. */
export interface ProviderOptions {
  /** The name of the model at the provider. */
  readonly model: string;
  readonly apiKey?: string | undefined;
  /**
   * Returns an access token for each request, sent as `Authorization: Bearer` instead of a key: for Azure with Entra, or
   * Vertex AI.
   */
  readonly token?: (() => string | PromiseLike<string>) | undefined;
  /**
   * The base URL of the API, for any server that is compatible with the provider. A user and password in it are sent as
   * `Authorization: Basic`. It must not have them if a key is sent in the same header, as by `openai()` and `ollama()`.
   */
  readonly baseURL?: string | undefined;
  /** Additional headers of each request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Maximum number of retries of a request that fails before its first chunk. Default: 2 */
  readonly maxRetries?: number | undefined;
  /** Default: 10 minutes of silence before the first chunk, 2 minutes after it, no total timeout */
  readonly timeouts?: Timeouts | undefined;
  /**
   * Whether to ask for a stream. `false` is for gateways without event streams: the answer then comes as one chunk at its
   * end. A whole answer to a request for a stream is read in any case. Default: true
   */
  readonly stream?: boolean | undefined;
  /** Abilities of the model. They override those derived from its name. */
  readonly profile?: Partial<ModelProfile> | undefined;
  /** Creates the id of a message whose server gives it none. Default: `msg_` and a random UUID */
  readonly createId?: (() => string) | undefined;
  /** Default: the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** The clock for retries and timeouts. Default: the system clock */
  readonly clock?: Clock | undefined;
  /** Returns a number from 0 to 1 for the jitter of retries. Default: `Math.random` */
  readonly random?: (() => number) | undefined;
}

export const defaultMaxRetries = 2;
