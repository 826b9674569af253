import { mergeChunk } from "../messages/merge/merge-chunk.js";
import { BalancedFold } from "./balanced-fold.js";
import { mergeInfo } from "./merge-info.js";
import { type ChatGenerationChunk, chatGenerationChunk } from "./chat-generation.js";
import type { GenerationChunk } from "./generation.js";

/**
 * Merges the chunks of one generation into one chunk. Takes a chunk and the chunks that follow it, one by one or in
 * lists, or a single list. The result for an empty list is `undefined`.
 *
 * The function is pure and associative, so merged chunks can be merged again. Texts are joined. Messages are merged
 * with `mergeChunk()`, and `text` is the first text block of the merged message. `info` is merged by key, at any depth:
 * lists, such as log probabilities, are concatenated, and of other values the later wins. The cost is linear in the
 * number of chunks and of blocks, regardless of the length of the texts.
 *
 * @throws {TypeError} if some chunks have a message and others do not
 *
 * @example
 * ```ts
 * import { map, collect, pipe } from "millrace";
 * import { chatGenerationChunk, mergeGenerationChunks } from "millrace/models";
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
  const info = mergeInfo(a.info, b.info);
  if (isChat(a) && isChat(b)) return chatGenerationChunk(mergeChunk(a.message, b.message), info);
  if (isChat(a) || isChat(b)) {
    throw new TypeError("Cannot merge a generation chunk that has a message with one that does not.");
  }
  return { text: a.text + b.text, ...(info === undefined ? undefined : { info }) };
}

function isChat(chunk: GenerationChunk): chunk is ChatGenerationChunk {
  return "message" in chunk;
}
