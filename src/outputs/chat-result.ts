import type { JsonValue } from "../json/value.js";
import type { Usage } from "../messages/usage.js";
import type { ChatGeneration } from "./chat-generation.js";

/** The answers of a chat model to one prompt. */
export interface ChatResult {
  /** The candidates. */
  readonly generations: readonly ChatGeneration[];
  readonly providerOutput?: ProviderOutput | undefined;
}

/** Facts about a result as a whole rather than about one candidate. */
export interface ProviderOutput {
  /** The total usage. */
  readonly usage?: Usage;
  /** Other data of the provider. */
  readonly [key: string]: JsonValue | Usage | undefined;
}
