import { Kind } from "../build/kinds.js";

export interface Literal {
  readonly word: string;
  readonly value: boolean | null;
  readonly kind: number;
}

/** The words of JSON, by their first letters: t, f, n. */
export const literals: readonly [Literal, Literal, Literal] = [
  { word: "true", value: true, kind: Kind.TRUE },
  { word: "false", value: false, kind: Kind.FALSE },
  { word: "null", value: null, kind: Kind.NULL },
];
