/**
 * The words of a text, for long lists of names.
 *
 * @__NO_SIDE_EFFECTS__
 */
export function wordsIn(text: string): string[] {
  return text.trim().split(/\s+/);
}

/**
 * A table whose rows are for one or several words: `{ "yes no": … }`
 *
 * @__NO_SIDE_EFFECTS__
 */
export function tableOf<Row>(rows: Readonly<Record<string, Row>>): ReadonlyMap<unknown, Row> {
  return new Map(
    Object.entries(rows).flatMap(([words, row]) => wordsIn(words).map((word) => [word, row] as const)),
  );
}
