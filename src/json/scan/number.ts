import { DOT, isDigit, LOWER_E, MINUS, PLUS, UPPER_E, ZERO } from "./characters.js";

/** How much of a number has been read (RFC 8259 section 6), with a sample of the text that leads there. */
type NumberState =
  | typeof SIGN
  | typeof LEADING_ZERO
  | typeof INTEGER
  | typeof POINT
  | typeof FRACTION
  | typeof EXPONENT
  | typeof EXPONENT_SIGN
  | typeof EXPONENT_DIGITS;

const SIGN = 0; // -
const LEADING_ZERO = 1; // 0
const INTEGER = 2; // 12
const POINT = 3; // 12.
const FRACTION = 4; // 12.5
const EXPONENT = 5; // 12.5e
const EXPONENT_SIGN = 6; // 12.5e-
const EXPONENT_DIGITS = 7; // 12.5e-3

/** The state after one more character, or -1 if the number does not go on with it. */
function continueNumber(state: NumberState, character: number): NumberState | -1 {
  if (isDigit(character)) {
    switch (state) {
      case SIGN:
        return character === ZERO ? LEADING_ZERO : INTEGER;
      case LEADING_ZERO:
        return -1;
      case INTEGER:
      case FRACTION:
      case EXPONENT_DIGITS:
        return state;
      case POINT:
        return FRACTION;
      case EXPONENT:
      case EXPONENT_SIGN:
        return EXPONENT_DIGITS;
    }
  }
  if (character === DOT) return state === LEADING_ZERO || state === INTEGER ? POINT : -1;
  if (character === LOWER_E || character === UPPER_E) {
    return state === LEADING_ZERO || state === INTEGER || state === FRACTION ? EXPONENT : -1;
  }
  if (character === PLUS || character === MINUS) return state === EXPONENT ? EXPONENT_SIGN : -1;
  return -1;
}

/** A number of any form, which may go on in the next chunk. */
export class OpenNumber {
  private state: NumberState = SIGN;

  begin(first: number): void {
    this.state = first === MINUS ? SIGN : first === ZERO ? LEADING_ZERO : INTEGER;
  }

  /** Reads on from there. Gives where the number ends, or the text. */
  read(text: string, start: number): number {
    let i = start;
    for (; i < text.length; i++) {
      const next = continueNumber(this.state, text.charCodeAt(i));
      if (next < 0) break;
      this.state = next as NumberState;
    }
    return i;
  }

  /** Whether what has been read is a number as it stands. */
  get whole(): boolean {
    const { state } = this;
    return state === LEADING_ZERO || state === INTEGER || state === FRACTION || state === EXPONENT_DIGITS;
  }
}

/**
 * How many characters of a number are shown while it grows. Each chunk reads them again, so without this bound a long
 * number would cost the square of its length.
 */
export const longestGrowingNumber = 100;

/** The number that the text so far shows: `12` for `12.`, `12e` and `12e-`, nothing for `-`. */
export function growingNumber(text: string): number | undefined {
  const start = text.slice(0, longestGrowingNumber);
  const whole = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/.exec(start);
  return whole === null ? undefined : Number(whole[0]);
}
