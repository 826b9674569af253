/** Texts cut as a network and a model cut them. */
import { randomOf } from "./random.js";

export type CutName = keyof typeof cuts;

/** The ways to cut a document. */
export const cuts = {
  /** Like the tokens of a model. */
  "1-8": (text) => tokens(text),
  "4": (text) => blocks(text, 4),
  "64": (text) => blocks(text, 64),
  /** Like reads from a network. */
  "1 KB": (text) => blocks(text, 1024),
  whole: (text) => [decoded(text)],
} satisfies Record<string, (text: string) => string[]>;

/** Cuts the text into pieces of 1 to 8 characters. */
function tokens(text: string, seed = 7): string[] {
  const random = randomOf(seed);
  const pieces: string[] = [];
  const pieceOf = decoderOf(text);
  for (let at = 0; at < text.length;) {
    const end = at + 1 + Math.floor(random() * 8);
    pieces.push(pieceOf(at, end));
    at = end;
  }
  return pieces;
}

/** Cuts the text into pieces of the same size. */
export function blocks(text: string, size: number): string[] {
  const pieceOf = decoderOf(text);
  return Array.from({ length: Math.ceil(text.length / size) }, (_, i) => pieceOf(i * size, (i + 1) * size));
}

/**
 * Decodes pieces of the text from bytes, as a network reader does: each is a flat string of its own, with one byte per
 * character where possible. `slice()` would create views that keep the whole text in memory.
 */
export function decoderOf(text: string): (start: number, end: number) => string {
  const narrow = Buffer.from(text, "latin1");
  const wide = Buffer.from(text, "utf16le");
  return (start, end) =>
    isLatin1(text, start, Math.min(end, text.length))
      ? narrow.toString("latin1", start, end)
      : wide.toString("utf16le", start * 2, end * 2);
}

/** The whole text, decoded from bytes like `response.text()`. */
export function decoded(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text));
}

function isLatin1(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (text.charCodeAt(i) > 0xff) return false;
  return true;
}
