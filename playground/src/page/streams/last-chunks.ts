import { chunkBorder } from "../../protocol.js";

/** A chunk on the page. */
export interface ShownChunk {
  /** Its index among all chunks. */
  readonly key: number;
  readonly text: string;
  /** Offset of its first character in the whole text. */
  readonly offset: number;
}

/** Returns the last chunks of a text, at maxCharacters 6,000 characters, and the number of chunks before them. */
export function lastChunks(
  text: string,
  chunks: number,
  characters: number,
): { readonly chunks: readonly ShownChunk[]; readonly before: number } {
  const pieces = text.slice(-maxCharacters).split(chunkBorder).slice(0, -1);
  if (text.length > maxCharacters) pieces.shift(); // the first piece may be incomplete
  const before = chunks - pieces.length;
  let offset = characters - pieces.join("").length;
  const shown = pieces.map((piece, i) => {
    const chunk = { key: before + i, text: piece, offset };
    offset += piece.length;
    return chunk;
  });
  return { chunks: shown, before };
}

/** Maximum number of characters, including borders. */
const maxCharacters = 6_000;

export function withoutBorders(text: string): string {
  return text.replaceAll(chunkBorder, "");
}
