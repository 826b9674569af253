import { Kind } from "../build/kinds.js";
import { LOWER_F, LOWER_N, LOWER_T } from "./characters.js";

/** One of the three literals of JSON. */
interface Literal {
  readonly word: string;
  readonly value: boolean | null;
  readonly kind: number;
}

const literalTrue: Literal = { word: "true", value: true, kind: Kind.TRUE };
const literalFalse: Literal = { word: "false", value: false, kind: Kind.FALSE };
const literalNull: Literal = { word: "null", value: null, kind: Kind.NULL };

/** The literal that begins with this letter; `undefined` if none does. */
function literalOf(letter: number): Literal | undefined {
  switch (letter) {
    case LOWER_T:
      return literalTrue;
    case LOWER_F:
      return literalFalse;
    case LOWER_N:
      return literalNull;
    default:
      return undefined;
  }
}

/** A literal, which may continue in the next chunk. */
export class OpenLiteral {
  private literal: Literal = literalTrue;
  /** How many characters of it were read. */
  private matched = 0;

  /** Returns whether a literal begins with this letter. */
  begin(letter: number): boolean {
    const literal = literalOf(letter);
    if (literal === undefined) return false;
    this.literal = literal;
    this.matched = 1;
    return true;
  }

  /** Continues to read. Returns the index of a character that is not part of the literal, or where the text ends. */
  read(text: string, start: number): number {
    const { word } = this.literal;
    let { matched } = this;
    let i = start;
    while (i < text.length && matched < word.length && text.charCodeAt(i) === word.charCodeAt(matched)) {
      i++;
      matched++;
    }
    this.matched = matched;
    return i;
  }

  get whole(): boolean {
    return this.matched === this.literal.word.length;
  }

  get soFar(): string {
    return this.literal.word.slice(0, this.matched);
  }

  get value(): boolean | null {
    return this.literal.value;
  }

  get kind(): number {
    return this.literal.kind;
  }

  get expected(): string {
    return `"${this.literal.word}"`;
  }
}
