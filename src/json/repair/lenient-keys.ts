import { COLON } from "../scan/characters.js";
import { isInString, isInToken, VALUE } from "../scan/states.js";
import { LenientStrings } from "./lenient-strings.js";
import { pastSpace } from "./spaces.js";

/** Reads keys in quotes: those with a quote too many, and those without their closing quote. */
export abstract class LenientKeys extends LenientStrings {
  override finish(truncated: boolean): boolean {
    const done = super.finish(truncated);
    if (truncated || !this.inKey || !isInToken(this.state) || !isInString(this.state)) return done;
    // {"a: 1}
    const unclosed = this.unclosedKey();
    if (unclosed === undefined || unclosed.rest === "") return done;
    this.position.enter("");
    this.readRest(unclosed, "", 0);
    this.position.leave();
    return done;
  }

  protected override atQuoteOfKey(text: string, start: number, i: number): number {
    const { ahead } = this;
    ahead.begin(text, i, this.ended);
    const after = this.afterQuote(text, i);
    if (after === undefined || (after === text.length && !this.ended)) return this.hold(text, i);
    const mayBeDoubled = this.closers.includes(text.charAt(after)) && !this.sawQuote;
    if (mayBeDoubled && !this.isFirst(start, i)) {
      // {"key"": 1}
      const isDoubled = ahead.isNext(after + 1, COLON);
      if (isDoubled === undefined) return this.hold(text, i);
      if (isDoubled) {
        this.report("doubled_quote", this.position.offset + after);
        return this.endKeyBefore(after + 1);
      }
    }
    const ends = ahead.continuesAfterKey(after, !this.sawQuote);
    if (ends === undefined) return this.hold(text, i);
    if (ends) return this.endKeyBefore(after);
    if (this.isFirst(start, i)) return this.openDoubled(i);
    const unclosed = this.unclosedKey();
    if (unclosed?.rest === "") {
      // {"key: "value"}
      const isValue = ahead.missesQuoteOfKey(i);
      if (isValue === undefined) return this.hold(text, i);
      if (isValue) {
        this.report("missing_quote", this.position.offset + i);
        this.endString(unclosed.key, "", true);
        this.state = VALUE;
        return i;
      }
    } else if (unclosed !== undefined && beforeQuote.test(unclosed.rest))
      return this.readRest(unclosed, text, i);
    this.keepQuote(text, i);
    return i + 1;
  }

  protected override atLineOfKey(text: string, i: number): number {
    const unclosed = this.unclosedKey();
    if (unclosed !== undefined && beforeLine.test(unclosed.rest)) return this.readRest(unclosed, text, i);
    // {"a\n": 1}
    const end = pastSpace(text.slice(0, i + this.lookAhead), i);
    if (end === i + this.lookAhead) return i;
    if (end === text.length) return this.ended ? i : this.hold(text, i);
    if (!this.closers.includes(text.charAt(end)) || !/^[\r\n]+$/.test(text.slice(i, end))) return i;
    this.dropSpace(text, i, end);
    return end;
  }

  /** Whether the key may contain a quote. A long one is not searched for each of its quotes. */
  private get sawQuote(): boolean {
    const read = this.token + this.fresh;
    return read.length > this.lookAhead || read.includes('"');
  }

  private endKeyBefore(i: number): number {
    this.endString(this.wholeToken(), "", true);
    return i;
  }

  /** The open key as one without its closing quote, and the text after its colon. */
  private unclosedKey(): UnclosedKey | undefined {
    const read = this.token + this.fresh;
    if (read.length > this.lookAhead || this.sawEscape) return undefined;
    const [, key, rest = ""] = keyAndColon.exec(read) ?? [];
    return key === undefined || rest.includes("\n") ? undefined : { key, rest, length: read.length };
  }

  /** Ends the key, and reads the text after its colon again, up to this place and the rest of the chunk. */
  private readRest({ key, rest, length }: UnclosedKey, text: string, i: number): number {
    this.report("missing_quote", this.position.offset + i - length + key.length);
    this.endString(key, "", true);
    this.state = VALUE;
    const earlier = rest.slice(0, Math.max(0, rest.length - i));
    if (earlier === "" && text !== "") return i - rest.length;
    this.position.rewind(earlier);
    super.scan(earlier + text);
    return text.length;
  }
}

/** A key without its closing quote, or with one of another kind. */
interface UnclosedKey {
  readonly key: string;
  readonly rest: string;
  /** The length of the text from the key on. */
  readonly length: number;
}

const keyAndColon = /^([^:"\s'](?:[^:"\n]{0,62}[^:"\s'”’´`])?)['”’´`]?\s*:\s*([^]*)$/;

/** The text between the colon and a quote or line break, if it is JSON. */
const beforeQuote = /^(?:[[{]|-?\d|true|false|null)(?:[^]*[,[{:])?\s*$/;
const beforeLine = /^(?:[[{]|(?:-?\d[\d.eE+-]*|true|false|null)\s*,?\s*$)/;
