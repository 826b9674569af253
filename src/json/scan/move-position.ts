/** Changes of the place for scanners that skip text or read it again. The strict scanner needs none of them. */
import type { Found } from "../extraction.js";
import { CHUNKS, type Position } from "./position.js";

/** The line that is being read, and the offset of its first character. */
export type Line = Pick<Position, "line" | "lineStart">;

/** Reads the last characters of earlier chunks again, together with the current chunk. */
export function rewind(position: Position, read: string): void {
  const { recent, chunks } = position;
  let rest = read.length;
  for (let chunk = chunks - 1; rest > 0 && chunk >= Math.max(0, chunks - CHUNKS); chunk--) {
    const text = recent[chunk % CHUNKS] as string;
    recent[chunk % CHUNKS] = text.slice(0, Math.max(0, text.length - rest));
    rest -= text.length;
  }
  position.offset -= read.length;
  position.text = read + position.text;
}

/** The last characters of the chunk are read in parts. Each calls `enter()` and `leave()`. */
export function divide(position: Position, rest: number): void {
  position.offset += position.text.length - rest;
  position.text = "";
}

/** A part of the chunk was read without counting its line feeds. `shift`: where the text begins in the chunk. */
export function newLines(position: Position, text: string, start: number, end: number, shift = 0): void {
  const part = text.slice(start, end); // The search would not end there.
  for (let i = part.indexOf("\n"); i >= 0; i = part.indexOf("\n", i + 1)) {
    position.newLine(start + i + shift);
  }
}

/** Like `newLines()` for the current chunk, but counts only if a later place is requested. */
export function skipLines(position: Position, start: number, end: number): void {
  const { text, offset } = position;
  position.skipped = {
    count(): void {
      position.skipped = undefined;
      newLines(position, text, start, end, offset - position.offset);
    },
  };
}

export function lineSoFar(position: Position): Line {
  position.skipped?.count();
  const { line, lineStart } = position;
  return { line, lineStart };
}

/** The document begins with this text. Drops the text before it. */
export function startAt(position: Position, { text, offset, line, lineStart }: Found): void {
  position.recent.fill("");
  Object.assign(position, { text, offset, line, lineStart });
}
