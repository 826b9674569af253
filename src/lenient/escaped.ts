import { escaped } from "../json/scan/characters.js";
import type { Position } from "../json/scan/position.js";

/** Reads a chunk. Returns the text after the document; `undefined` while that continues. */
export type ReadEscaped = (text: string) => string | undefined;

/**
 * Reads a document in which each quote and backslash has a backslash before it. `{\"a\": \"b\\n\"}` gives the scanner
 * `{`, `"`, `a`, `"` and so on, and `\` and `n` in the end.
 *
 * @param scan reads a part, and returns whether the document continues
 */
export function escapedReader(position: Position, scan: (part: string) => boolean): ReadEscaped {
  /** A backslash with which a chunk ended. */
  let backslash = "";
  return (text) => {
    const all = backslash + text;
    position.offset -= backslash.length;
    backslash = "";
    for (const { 0: part, 1: escape, index } of all.matchAll(/[^\\]+|\\([^]?)/g)) {
      if (escape === "") backslash = part;
      const meaning = escape === undefined ? undefined : escaped(escape.charCodeAt(0));
      if (meaning !== undefined) position.offset++;
      const read = meaning ?? part;
      position.enter(read);
      const continues = backslash !== "" || scan(read);
      position.leave();
      if (!continues) return all.slice(index + part.length);
    }
    return undefined;
  };
}
