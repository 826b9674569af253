import { applyPatch } from "millrace/json";
import type { AnyPatchOperation, JsonValue } from "millrace/json";

/** The state of a page that reads each line of a spec at its end, with `JSON.parse`. Immutable. */
export interface LinesRead {
  readonly value: JsonValue;
  /** The number of characters read: those of whole lines. */
  readonly length: number;
  readonly lines: number;
  /** Lines that looked like an operation, and could not be read or applied. */
  readonly dropped: number;
}

export const noLines: LinesRead = { value: { elements: {} }, length: 0, lines: 0, dropped: 0 };

/** Reads the lines that have been completed. A line that fails is dropped, as in json-render's own reader. */
export function readLines(before: LinesRead, text: string, ended: boolean): LinesRead {
  const end = ended ? text.length : text.lastIndexOf("\n") + 1;
  let { value, lines, dropped } = before;
  for (const line of text.slice(before.length, end).split("\n")) {
    if (!line.startsWith("{")) continue;
    lines++;
    try {
      value = applyPatch(value, [JSON.parse(line) as AnyPatchOperation]);
    } catch {
      dropped++;
    }
  }
  return { value, lines, dropped, length: Math.max(end, before.length) };
}
