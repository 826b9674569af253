import * as Kind from "../build/kind.js";
import { LOWER_F, LOWER_N, LOWER_T } from "./characters.js";

/** One of the three literals of JSON. */
export interface Literal {
  readonly word: string;
  readonly value: boolean | null;
  readonly kind: number;
}

export const literalTrue: Literal = { word: "true", value: true, kind: Kind.TRUE };
const literalFalse: Literal = { word: "false", value: false, kind: Kind.FALSE };
const literalNull: Literal = { word: "null", value: null, kind: Kind.NULL };

/** The literal that begins with this letter; `undefined` if none does. */
export function literalOf(letter: number): Literal | undefined {
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
