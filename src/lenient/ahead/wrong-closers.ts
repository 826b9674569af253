import { isCloser } from "../characters.js";
import type { Nesting } from "../../json/scan/nesting.js";
import type { TextCursor } from "../cursor.js";
import { endsValue } from "./value-ends.js";
import { CLOSE_BRACE } from "../../json/scan/characters.js";
import { type Answer, NO_DOUBT, type Window } from "./window.js";

/**
 * Decides about closing brackets that can close nothing, such as each of `]]]` in `{"a": {"b": 1]]]`. Each is looked
 * through once, although the decision about the first depends on the text after the last one.
 */
export class WrongClosers {
  private readonly cursor: TextCursor;
  private readonly ahead: Window;
  private readonly nesting: Nesting;
  /** The offset of the bracket that is decided, and those of the others that follow it. */
  private at = -1;
  private following: number[] = [];
  /** How many of them were decided. */
  private decided = 0;

  constructor(cursor: TextCursor, ahead: Window, nesting: Nesting) {
    this.cursor = cursor;
    this.ahead = ahead;
    this.nesting = nesting;
  }

  /** Does the document continue after the bracket at `i`, which is then one too many? */
  isExtra(i: number): Answer {
    const { ahead, cursor, nesting } = this;
    const { offset } = cursor.position;
    this.begin(offset + i);
    const { following } = this;
    const last = following.length > this.decided ? (following.at(-1) as number) - offset : i;
    let level = nesting.depth - (following.length - this.decided);
    let start = last + 1;
    while (level > 0) {
      const next = ahead.skipBlank(start);
      if (next < 0 || !isCloser(ahead.at(next))) break;
      if (ahead.levels.innermost(ahead.at(next) !== CLOSE_BRACE, level) > 0) break;
      following.push(offset + next);
      level--;
      start = next + 1;
    }
    return endsValue(ahead, start, Math.max(level, 0), NO_DOUBT);
  }

  private begin(at: number): void {
    if (at === this.at) return;
    if (at === this.following[this.decided]) this.decided++;
    else this.decided = this.following.length = 0;
    this.at = at;
    if (this.decided < most) return;
    this.following = this.following.slice(this.decided);
    this.decided = 0;
  }
}

/** How many offsets that are no longer needed are kept. */
const most = 1_000;
