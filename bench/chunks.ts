/** Texts cut as a network and a model cut them. */
import { randomOf } from "./random.js";

export type CutName = keyof typeof cuts;

/** How a document arrives. */
export const cuts = {
  /** As the tokens of a model. */
  "1-8": (text) => tokens(text),
  "4": (text) => blocks(text, 4),
  "64": (text) => blocks(text, 64),
  /** As reads of a network. */
  "1 KB": (text) => blocks(text, 1024),
  whole: (text) => [decoded(text)],
} satisfies Record<string, (text: string) => string[]>;

/** The text cut into pieces of 1 to 8 characters: the size of tokens. */
export function tokens(text: string, seed = 7): string[] {
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

/** The text cut into pieces of the same size. */
export function blocks(text: string, size: number): string[] {
  const pieceOf = decoderOf(text);
  return Array.from({ length: Math.ceil(text.length / size) }, (_, i) => pieceOf(i * size, (i + 1) * size));
}

/**
 * Makes pieces of the text from bytes, as a decoder makes them of what arrives: each is flat, its own, and one byte a
 * character where that suffices. `slice()` would make views into the whole text, which they keep alive, and of as many
 * bytes a character as it has.
 */
export function decoderOf(text: string): (start: number, end: number) => string {
  const narrow = Buffer.from(text, "latin1");
  const wide = Buffer.from(text, "utf16le");
  return (start, end) =>
    isLatin1(text, start, Math.min(end, text.length))
      ? narrow.toString("latin1", start, end)
      : wide.toString("utf16le", start * 2, end * 2);
}

/** The whole text, made from bytes as by `response.text()`: flat, and nobody has looked at it yet. */
export function decoded(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text));
}

function isLatin1(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (text.charCodeAt(i) > 0xff) return false;
  return true;
}
