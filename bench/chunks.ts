/** Texts cut as a network and a model cut them. */
import { int, randomOf } from "./random.js";

export type CutName = keyof typeof cuts;

/** The ways to cut a document. */
export const cuts = {
  /** Like the tokens of a model. */
  "1-8": (text) => {
    const random = randomOf(7);
    return [...pieces(text, () => int(random, 1, 8))];
  },
  "4": (text) => blocks(text, 4),
  "64": (text) => blocks(text, 64),
  /** Like reads from a network. */
  "1 KB": (text) => blocks(text, 1024),
  whole: (text) => [decoded(text)],
} satisfies Record<string, (text: string) => string[]>;

/** Cuts the text into pieces of the same size. */
export function blocks(text: string, size: number): string[] {
  return [...pieces(text, () => size)];
}

/**
 * Cuts the text into pieces that are decoded from bytes, as a network reader does: each is a flat string of its own, with
 * one byte per character where possible. `slice()` would create views that keep the whole text in memory.
 */
export function* pieces(text: string, nextSize: () => number): Generator<string> {
  const narrow = Buffer.from(text, "latin1");
  const wide = Buffer.from(text, "utf16le");
  for (let at = 0, end = 0; at < text.length; at = end) {
    end = Math.min(at + nextSize(), text.length);
    yield isLatin1(text, at, end)
      ? narrow.toString("latin1", at, end)
      : wide.toString("utf16le", at * 2, end * 2);
  }
}

/** The whole text, decoded from bytes like `response.text()`. */
export function decoded(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text));
}

function isLatin1(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (text.charCodeAt(i) > 0xff) return false;
  return true;
}
