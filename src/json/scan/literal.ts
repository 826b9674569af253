import { Kind } from "../build/kinds.js";
import { LOWER_F, LOWER_T } from "./characters.js";

export interface Literal {
  readonly word: string;
  readonly value: boolean | null;
  readonly kind: number;
}

/** Returns the literal that begins with this letter. */
export function literalOf(letter: number): Literal {
  return letter === LOWER_T ? literalTrue : letter === LOWER_F ? literalFalse : literalNull;
}

const literalTrue: Literal = { word: "true", value: true, kind: Kind.TRUE };
const literalFalse: Literal = { word: "false", value: false, kind: Kind.FALSE };
const literalNull: Literal = { word: "null", value: null, kind: Kind.NULL };
