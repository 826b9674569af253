type AllowFlag =
  | "STR"
  | "NUM"
  | "ARR"
  | "OBJ"
  | "NULL"
  | "BOOL"
  | "NAN"
  | "INFINITY"
  | "_INFINITY"
  | "INF"
  | "SPECIAL"
  | "ATOM"
  | "COLLECTION"
  | "ALL";

// The flags that the parser looks at. Constants, because a bundler writes those as numbers.
const STR = 1;
const NUM = 2;
const ARR = 4;
const OBJ = 8;
const NULL = 16;
const BOOL = 32;

// Only for `import * as Allow`: other constants have the same names.
export { ARR, BOOL, NULL, NUM, OBJ, STR };

/** Bit flags for the kinds of values that are shown before they are complete. They have the names and bits of `partial-json`. */
export const Allow: Readonly<Record<AllowFlag, number>> = {
  STR,
  NUM,
  ARR,
  OBJ,
  NULL,
  BOOL,
  NAN: 64,
  INFINITY: 128,
  _INFINITY: 256,
  INF: 384,
  SPECIAL: 496,
  ATOM: 499,
  COLLECTION: 12,
  ALL: 511,
};
