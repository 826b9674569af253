import { everyWay } from "millrace/testing";

/** Every split of `everyWay()`, and for texts of medium length all splits in three. */
export function* manyWays(text: string): Generator<readonly string[]> {
  yield* everyWay(text, { count: 20 });
  if (text.length <= 12 || text.length > 40) return;
  for (let i = 1; i < text.length - 1; i++) {
    for (let j = i + 1; j < text.length; j++) yield [text.slice(0, i), text.slice(i, j), text.slice(j)];
  }
}
