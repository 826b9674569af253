import { createHash } from "node:crypto";
import type { Chunking } from "../protocol.js";

/** A text as a model or a network would bring it. Nothing is lost: the chunks together are the text. */
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

/** 1 to 8, each as likely: the last three bits of bytes that nobody can foretell, but the same for the same seed. */
function* tokenSizes(seed: number): Generator<number, never> {
  for (let block = 0; ; block++) {
    const bytes = createHash("sha256").update(`${seed}:${block}`).digest();
    for (const byte of bytes) yield 1 + (byte & 7);
  }
}
