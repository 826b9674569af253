import { escaped } from "../json/scan/characters.js";
import type { Position } from "../json/scan/position.js";

/**
 * Reads a document in which each quote and backslash has a backslash before it. `{\"a\": \"b\\n\"}` gives the scanner
 * `{`, `"`, `a`, `"` and so on, and `\` and `n` in the end.
 */
export class Escaped {
  private readonly position: Position;
  private readonly scan: (part: string) => void;
  /** A backslash with which a chunk ended. */
  private backslash = "";

  constructor(position: Position, scan: (part: string) => void) {
    this.position = position;
    this.scan = scan;
  }

  read(text: string): void {
    const { position } = this;
    const all = this.backslash + text;
    position.offset -= this.backslash.length;
    this.backslash = "";
    for (const [part, escape] of all.matchAll(/[^\\]+|\\([^]?)/g)) {
      if (escape === "") this.backslash = part;
      const meaning = escape === undefined ? undefined : escaped(escape.charCodeAt(0));
      if (meaning !== undefined) position.offset++;
      const read = meaning ?? part;
      position.enter(read);
      if (this.backslash === "") this.scan(read);
      position.leave();
    }
  }
}
