import { escaped } from "../json/scan/characters.js";
import type { Position } from "../json/scan/position.js";

/**
 * Reads a document in which each quote and backslash has a backslash before it. `{\"a\": \"b\\n\"}` gives the scanner
 * `{`, `"`, `a`, `"` and so on, and `\` and `n` in the end.
 */
export class Escaped {
  private readonly position: Position;
  private readonly scan: (part: string) => boolean;
  /** A backslash with which a chunk ended. */
  private backslash = "";

  /** @param scan reads a part, and returns whether the document continues */
  constructor(position: Position, scan: (part: string) => boolean) {
    this.position = position;
    this.scan = scan;
  }

  /** Returns the text after the document; `undefined` while that continues. */
  read(text: string): string | undefined {
    const { position } = this;
    const all = this.backslash + text;
    position.offset -= this.backslash.length;
    this.backslash = "";
    for (const { 0: part, 1: escape, index } of all.matchAll(/[^\\]+|\\([^]?)/g)) {
      if (escape === "") this.backslash = part;
      const meaning = escape === undefined ? undefined : escaped(escape.charCodeAt(0));
      if (meaning !== undefined) position.offset++;
      const read = meaning ?? part;
      position.enter(read);
      const continues = this.backslash !== "" || this.scan(read);
      position.leave();
      if (!continues) return all.slice(index + part.length);
    }
    return undefined;
  }
}
