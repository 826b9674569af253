import { chunkBorder } from "../../protocol.js";

/** A chunk that is shown. */
export interface ShownChunk {
  /** Its place among all. */
  readonly key: number;
  readonly text: string;
  /** Of its first character, in the whole text. */
  readonly offset: number;
}

/** The chunks at the end of a text, as many as fit on a page, and how many stand before them. */
export function lastChunks(
  text: string,
  chunks: number,
  characters: number,
): { readonly chunks: readonly ShownChunk[]; readonly before: number } {
  const pieces = text.slice(-most).split(chunkBorder).slice(0, -1);
  if (text.length > most) pieces.shift(); // cut within
  const before = chunks - pieces.length;
  let offset = characters - pieces.join("").length;
  const shown = pieces.map((piece, i) => {
    const chunk = { key: before + i, text: piece, offset };
    offset += piece.length;
    return chunk;
  });
  return { chunks: shown, before };
}

/** Characters, borders included. */
const most = 6_000;
