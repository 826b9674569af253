import { BalancedFold } from "../messages/merge/balanced-fold.js";
import { mergeChunk } from "../messages/merge/merge-chunk.js";
import { type ChatGenerationChunk, chatGenerationChunk } from "./chat-generation.js";
import type { GenerationChunk } from "./generation.js";

/**
 * Chunks of one generation as one chunk that says the same: a chunk and those that follow it, one by one or in lists; or
 * a list, which may be empty, and is then `undefined`.
 *
 * Pure and associative: chunks that were merged before may be merged with others. Texts are joined; messages are merged
 * by `mergeChunk()`, and the text is the first text block of what that gives; `info` is merged key by key, and the later
 * value wins. n chunks cost O(n) and the number of blocks of the message, however long the texts are.
 *
 * @throws {TypeError} if some of the chunks have a message and others have none
 *
 * @example
 * ```ts
 * import { chatGenerationChunk, map, mergeGenerationChunks, collect, pipe } from "millrace";
 * import { scriptedModel } from "millrace/testing";
 *
 * const model = scriptedModel(["Hel", "lo"]);
 * const [first, ...rest] = await collect(pipe(model.stream("Greet me."), map((chunk) => chatGenerationChunk(chunk))));
 * if (first !== undefined) console.log(mergeGenerationChunks(first, rest).text); // "Hello"
 * ```
 */
export function mergeGenerationChunks(
  chunks: readonly ChatGenerationChunk[],
): ChatGenerationChunk | undefined;
export function mergeGenerationChunks(chunks: readonly GenerationChunk[]): GenerationChunk | undefined;
export function mergeGenerationChunks(
  chunk: ChatGenerationChunk,
  ...others: readonly (ChatGenerationChunk | readonly ChatGenerationChunk[])[]
): ChatGenerationChunk;
export function mergeGenerationChunks(
  chunk: GenerationChunk,
  ...others: readonly (GenerationChunk | readonly GenerationChunk[])[]
): GenerationChunk;
export function mergeGenerationChunks(
  ...chunks: readonly (GenerationChunk | readonly GenerationChunk[])[]
): GenerationChunk | undefined {
  const fold = new BalancedFold(mergeTwo);
  for (const chunk of chunks.flat()) fold.add(chunk);
  return fold.value;
}

function mergeTwo(a: GenerationChunk, b: GenerationChunk): GenerationChunk {
  const info = a.info === undefined || b.info === undefined ? (b.info ?? a.info) : { ...a.info, ...b.info };
  if (isChat(a) && isChat(b)) return chatGenerationChunk(mergeChunk(a.message, b.message), info);
  if (isChat(a) || isChat(b)) {
    throw new TypeError(
      "A chunk of a generation that has a message cannot be merged with one that has none.",
    );
  }
  return { text: a.text + b.text, ...(info === undefined ? undefined : { info }) };
}

function isChat(chunk: GenerationChunk): chunk is ChatGenerationChunk {
  return "message" in chunk;
}
