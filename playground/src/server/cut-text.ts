import { createHash } from "node:crypto";
import type { Chunking } from "../protocol.js";

/** Cuts a text into chunks as a model or a network would. The chunks joined are the text. */
export function* cutText(text: string, chunking: Chunking): Generator<string> {
  if (chunking.by === "words" || chunking.by === "lines") {
    const piece = chunking.by === "words" ? /\s*\S+|\s+$/g : /[^\n]*\n|[^\n]+$/g;
    for (const [chunk] of text.matchAll(piece)) yield chunk;
    return;
  }
  const sizes = chunking.by === "tokens" ? tokenSizes(chunking.seed) : undefined;
  for (let at = 0; at < text.length;) {
    const size = chunking.by === "characters" ? chunking.size : (sizes?.next().value as number);
    yield text.slice(at, at + size);
    at += size;
  }
}

/** Random sizes from 1 to 8, uniformly distributed (three bits of a hash). The same seed gives the same sizes. */
function* tokenSizes(seed: number): Generator<number, never> {
  for (let block = 0; ; block++) {
    const bytes = createHash("sha256").update(`${seed}:${block}`).digest();
    for (const byte of bytes) yield 1 + (byte & 7);
  }
}
