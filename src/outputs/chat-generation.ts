import type { MessageChunk } from "../messages/chunk.js";
import type { AssistantMessage } from "../messages/message.js";
import type { Metadata } from "../messages/blocks/metadata.js";
import type { HasContent } from "../messages/blocks/read.js";
import type { Generation, GenerationChunk } from "./generation.js";

/**
 * One answer of a chat model. Its `text` is the first text block of the message, and `""` where there is none: what the
 * model thought before is no answer. `textOf(message)` joins all of them.
 */
export interface ChatGeneration extends Generation {
  readonly message: AssistantMessage;
}

/** What a step adds to the answer of a chat model. Its `text` is the first text block of this step's `message`. */
export interface ChatGenerationChunk extends GenerationChunk {
  readonly message: MessageChunk;
}

/**
 * The generation that a message is.
 *
 * @example
 * ```ts
 * import { assistant, chatGeneration } from "millrace";
 *
 * const message = assistant([{ type: "reasoning", reasoning: "They greet me." }, "Hello!"]);
 * console.log(chatGeneration(message).text); // "Hello!"
 * ```
 */
export function chatGeneration(message: AssistantMessage, info?: Metadata): ChatGeneration {
  return { text: firstTextOf(message), message, ...(info === undefined ? undefined : { info }) };
}

/** The chunk of a generation that a chunk of a message is. `mergeGenerationChunks()` joins them. */
export function chatGenerationChunk(message: MessageChunk, info?: Metadata): ChatGenerationChunk {
  return { text: firstTextOf(message), message, ...(info === undefined ? undefined : { info }) };
}

function firstTextOf({ content }: HasContent): string {
  for (const block of content) if (block.type === "text") return block.text;
  return "";
}
