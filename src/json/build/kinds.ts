/** The kinds of values, as bit flags. An incomplete value may have more than one of them. */
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
