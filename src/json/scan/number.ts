import { DOT, isDigit, LOWER_E, MINUS, PLUS, UPPER_E, ZERO } from "./characters.js";
import * as State from "./states.js";

/** The state after a digit, for each state; -1 where no digit may follow. After `-` a zero is a leading one. */
const afterDigit: readonly number[] = [
  ...[State.INTEGER, State.EXPONENT_DIGITS, State.EXPONENT_DIGITS, State.FRACTION],
  ...[-1, State.INTEGER, State.FRACTION, State.EXPONENT_DIGITS],
];

/** The state after a character that is no digit; -1 if it is not part of the number. */
function afterOther(state: number, character: number): number {
  if (character === DOT) return state === State.LEADING_ZERO || state === State.INTEGER ? State.POINT : -1;
  if (character === LOWER_E || character === UPPER_E)
    return state >= State.LEADING_ZERO && state <= State.FRACTION ? State.EXPONENT : -1;
  return state === State.EXPONENT && (character === PLUS || character === MINUS) ? State.EXPONENT_SIGN : -1;
}

/** A number of any form, which may continue in the next chunk. */
export class OpenNumber {
  private state = State.SIGN;
  private negative = false;
  /**
   * The digits that were read, as an integer. NaN at first, so that V8 has one shape for these objects. After a small
   * integer it would make another at the first long number, and drop it and all code that relies on it with each full
   * collection: "64 KB of table, a full collection before each" took 16 ms instead of 7.
   */
  private digits = NaN;
  /** How many of them are decimals. */
  private decimals = 0;

  begin(first: number): void {
    this.negative = first === MINUS;
    this.state = this.negative ? State.SIGN : first === ZERO ? State.LEADING_ZERO : State.INTEGER;
    this.digits = this.negative ? 0 : first - ZERO;
    this.decimals = 0;
  }

  /** Continues to read. Returns where the number or the text ends. */
  read(text: string, start: number): number {
    const { length } = text;
    let { state, digits, decimals } = this;
    let i = start;
    for (; i < length; i++) {
      const character = text.charCodeAt(i);
      const isOfDigits = isDigit(character);
      const next = isOfDigits ? (afterDigit[state] as number) : afterOther(state, character);
      if (next === -1) break;
      if (isOfDigits) digits = digits * 10 + character - ZERO;
      if (next === State.FRACTION) decimals++;
      state = state === State.SIGN && character === ZERO ? State.LEADING_ZERO : next;
    }
    this.state = state;
    this.digits = digits;
    this.decimals = decimals;
    return i;
  }

  /** Whether the part that was read is a valid number. */
  get whole(): boolean {
    return this.state >= State.LEADING_ZERO;
  }

  /**
   * The number without parsing its text again; `undefined` if it is not whole, or has an exponent or too many digits. A
   * double holds fifteen digits exactly, and the first 22 powers of ten. So their quotient is the nearest double.
   */
  get value(): number | undefined {
    const { state, digits, decimals } = this;
    if (state < State.LEADING_ZERO || state > State.FRACTION || digits >= 1e15 || decimals > 22)
      return undefined;
    return (this.negative ? -digits : digits) / (powersOfTen[decimals] as number);
  }
}

const powersOfTen: readonly number[] = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/**
 * The number of characters of an incomplete number that are shown. Each chunk parses them again, so without this bound
 * the cost of a long number would be quadratic.
 */
export const maxPartialNumber = 100;

/** Returns the number that an incomplete text shows: `12` for `12.`, `12e` and `12e-`, `undefined` for `-`. */
export function partialNumber(text: string): number | undefined {
  const shown = Number.parseFloat(text.slice(0, maxPartialNumber));
  return Number.isNaN(shown) ? undefined : shown;
}
