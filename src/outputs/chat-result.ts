import type { JsonValue } from "../json/value.js";
import type { Usage } from "../messages/usage.js";
import type { ChatGeneration } from "./chat-generation.js";

/** What a chat model gave for one prompt. */
export interface ChatResult {
  /** The candidates. */
  readonly generations: readonly ChatGeneration[];
  readonly providerOutput?: ProviderOutput | undefined;
}

/** What is known of a result as a whole, and not of one candidate. */
export interface ProviderOutput {
  /** What all of it has cost. */
  readonly usage?: Usage;
  /** What the provider says besides. */
  readonly [key: string]: JsonValue | Usage | undefined;
}
