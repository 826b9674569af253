import { QUOTE } from "../json/scan/characters.js";
import type { GuessedKeys, ShortCuts } from "../json/scan/short-cuts.js";
import { GUESSED_KEY, VALUE } from "../json/scan/states.js";
import { ENDS, UNCLEAR } from "./ahead/clean-ends.js";
import type { OpenDocument } from "./document.js";
import { readSet } from "./sets.js";
import type { LenientString } from "./strings/open-string.js";
import type { Quoted } from "./strings/quoted.js";

/**
 * Reads the beginnings of objects, arrays and members, with the short cuts if there are any.
 *
 * In `[{"id": 1}, {"id": 2}]` the scanner asks `begin()` at each opening bracket. After that of the second object `member()`
 * knows the next key, and reads it with its colon. If the chunk ends inside that key, the state is GUESSED_KEY, and
 * `continueKey()` compares the rest of it. A key in quotes that is not the guessed one is left to `Quoted`.
 */
export class Containers {
  private readonly document: OpenDocument;
  private readonly open: LenientString;
  private readonly quoted: Quoted;
  private readonly fast: ShortCuts | undefined;

  constructor(open: LenientString, quoted: Quoted) {
    this.document = open.document;
    this.open = open;
    this.quoted = quoted;
    this.fast = open.document.fast;
  }

  /** At an opening bracket. */
  begin(text: string, i: number, isArray: boolean): number {
    const { document, fast } = this;
    const { nesting } = document;
    if (!isArray && document.listener.expectsList?.() === true) {
      const end = readSet(document, text, i);
      if (end !== i) return end;
    }
    // The value of a member is not the start of a run: a key follows it.
    if (fast !== undefined && (nesting.inArray || nesting.depth === 0)) {
      const end = this.readRun(fast, text, i);
      if (end > i) return end;
    }
    document.open(i, isArray);
    return isArray ? i + 1 : this.member(text, i + 1);
  }

  private readRun(fast: ShortCuts, text: string, i: number): number {
    const end = fast.read(text, i);
    if (end > i) this.document.afterValue();
    return end;
  }

  /** After the bracket or comma before a member. */
  member(text: string, start: number): number {
    const { document, fast } = this;
    if (fast === undefined || document.hasAllKeys) return start;
    const end = fast.member(text, start);
    if (end === start) return start;
    this.acceptKey();
    document.state = VALUE;
    const { value } = fast;
    if (value !== undefined) document.string(value);
    return end;
  }

  /** At the opening quote of a key. */
  beginKey(text: string, i: number): number {
    const { document, fast } = this;
    document.checkKeys(i);
    const end = fast === undefined ? i : this.readRun(fast, text, i);
    if (end > i) return end;
    if (fast?.keys.guess() === undefined) return this.quoted.start(text, i + 1, true);
    return this.matchKey(fast.keys, text, i + 1);
  }

  /** Continues in a key that so far is the guessed one. */
  continueKey(text: string, i: number): number {
    return this.matchKey((this.fast as ShortCuts).keys, text, i);
  }

  private matchKey(keys: GuessedKeys, text: string, start: number): number {
    const { document, quoted } = this;
    const i = keys.match(text, start);
    if (i === text.length) {
      document.state = GUESSED_KEY;
      return i;
    }
    if (keys.isWhole && text.charCodeAt(i) === QUOTE) {
      const ends = quoted.cleanEndAt(text, i, true);
      if (ends === ENDS) {
        this.acceptKey();
        return i + 1;
      }
      if (ends !== UNCLEAR) {
        document.inKey = true;
        document.state = GUESSED_KEY;
        return document.cursor.holdEnd(i, false);
      }
    }
    this.open.begin(true, keys.matched);
    return quoted.continue(text, i);
  }

  acceptKey(): void {
    this.document.key((this.fast as ShortCuts).keys.right());
  }
}
