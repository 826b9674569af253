/** What a value may be, as bit flags: of one that has only begun, more than one can be set. */
export const Kind = {
  OBJECT: 1,
  ARRAY: 2,
  STRING: 4,
  NUMBER: 8,
  TRUE: 16,
  FALSE: 32,
  NULL: 64,
} as const;

export const anyScalar: number = Kind.STRING | Kind.NUMBER | Kind.TRUE | Kind.FALSE | Kind.NULL;
