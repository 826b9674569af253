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

/** Bit flags for the kinds of values that are shown before they are complete. They have the names and bits of `partial-json`. */
export const Allow: Readonly<Record<AllowFlag, number>> = {
  STR: 1,
  NUM: 2,
  ARR: 4,
  OBJ: 8,
  NULL: 16,
  BOOL: 32,
  NAN: 64,
  INFINITY: 128,
  _INFINITY: 256,
  INF: 384,
  SPECIAL: 496,
  ATOM: 499,
  COLLECTION: 12,
  ALL: 511,
};
