import type { MessageChunk } from "../messages/chunk.js";
import type { AssistantMessage } from "../messages/message.js";
import type { Metadata } from "../messages/blocks/metadata.js";
import type { HasContent } from "../messages/blocks/read.js";
import type { Generation, GenerationChunk } from "./generation.js";

/**
 * One answer of a chat model. Its `text` is the first text block of the message, or `""`. Reasoning does not count as
 * text. `textOf(message)` joins all text blocks.
 */
export interface ChatGeneration extends Generation {
  readonly message: AssistantMessage;
}

/** A chunk of an answer of a chat model. Its `text` is the first text block of the chunk's `message`. */
export interface ChatGenerationChunk extends GenerationChunk {
  readonly message: MessageChunk;
}

/**
 * Creates a generation from a message.
 *
 * @example
 * ```ts
 * import { assistant } from "millrace";
 * import { chatGeneration } from "millrace/models";
 *
 * const message = assistant([{ type: "reasoning", reasoning: "They greet me." }, "Hello!"]);
 * console.log(chatGeneration(message).text); // "Hello!"
 * ```
 */
export function chatGeneration(message: AssistantMessage, info?: Metadata): ChatGeneration {
  return { text: firstTextOf(message), message, ...(info === undefined ? undefined : { info }) };
}

/** Creates a chunk of a generation from a chunk of a message. `mergeGenerationChunks()` merges them. */
export function chatGenerationChunk(message: MessageChunk, info?: Metadata): ChatGenerationChunk {
  return { text: firstTextOf(message), message, ...(info === undefined ? undefined : { info }) };
}

function firstTextOf({ content }: HasContent): string {
  for (const block of content) if (block.type === "text") return block.text;
  return "";
}
