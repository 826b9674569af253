import fc from "fast-check";
import { expect, test } from "vitest";
import {
  abortable,
  compose,
  dropLast,
  filter,
  map,
  mapAsync,
  type Operator,
  scan,
  stage,
  take,
} from "millrace";
import { spySource } from "millrace/testing";
import { bursts } from "../../stream/support/bursts.js";

/** What a stream yields, and the message of the error that ends it. */
interface Outcome {
  readonly items: readonly number[];
  readonly error: string | undefined;
}

/** A stage and the same function on arrays. */
interface Pair {
  readonly name: string;
  readonly stage: Operator<number, number>;
  readonly model: (outcome: Outcome) => Outcome;
}

const onItems =
  (change: (items: readonly number[]) => number[]): Pair["model"] =>
  ({ items, error }) => ({ items: change(items), error });

/** Fails at the item with this index. */
const failing =
  (index: number): Pair["model"] =>
  (outcome) =>
    outcome.items.length > index ? { items: outcome.items.slice(0, index), error: `at ${index}` } : outcome;

const small = fc.nat({ max: 6 });
const pairs: fc.Arbitrary<Pair> = fc.oneof(
  small.map((n) => ({
    name: `map +${n}`,
    stage: map((x: number) => x + n),
    model: onItems((items) => items.map((x) => x + n)),
  })),
  small.map((n) => ({
    name: `mapAsync +${n}`,
    stage: mapAsync((x: number) => (x % 2 === 0 ? x + n : Promise.resolve(x + n))),
    model: onItems((items) => items.map((x) => x + n)),
  })),
  small.map((n) => ({
    name: `filter ${n}`,
    stage: filter((x: number) => (x & n) === 0),
    model: onItems((items) => items.filter((x) => (x & n) === 0)),
  })),
  small.map((n) => ({
    name: `take ${n}`,
    stage: take<number>(n),
    model: ({ items, error }: Outcome) =>
      items.length < n ? { items, error } : { items: items.slice(0, n), error: undefined },
  })),
  small.map((n) => ({
    name: `dropLast ${n}`,
    stage: dropLast<number>(n),
    model: onItems((items) => items.slice(0, Math.max(0, items.length - n))),
  })),
  fc.constant({
    name: "scan",
    stage: scan((sum: number, x: number) => sum + x, 0),
    model: onItems((items) => {
      let sum = 0;
      return items.map((x) => (sum += x));
    }),
  }),
  fc.constant({
    name: "twice",
    stage: stage<number, number>((emit) => ({
      next(x) {
        emit(x);
        emit(x + 1);
      },
    })),
    model: onItems((items) => items.flatMap((x) => [x, x + 1])),
  }),
  small.map((n) => ({
    name: `map fails at ${n}`,
    stage: map((x: number, i) => {
      if (i === n) throw new Error(`at ${n}`);
      return x;
    }),
    model: failing(n),
  })),
  small.map((n) => ({
    name: `mapAsync fails at ${n}`,
    stage: mapAsync((x: number, i) => (i === n ? Promise.reject(new Error(`at ${n}`)) : Promise.resolve(x))),
    model: failing(n),
  })),
);

async function outcomeOf(stream: AsyncIterable<number>): Promise<Outcome> {
  const items: number[] = [];
  try {
    for await (const item of stream) items.push(item);
  } catch (error) {
    return { items, error: (error as Error).message };
  }
  return { items, error: undefined };
}

/** Stages that prevent fusing. The second one forwards ready items. */
const walls: readonly Operator<number, number>[] = [
  async function* (source) {
    for await (const item of source) yield item;
  },
  abortable(new AbortController().signal),
];

// G-stream-5
test("fused stages yield the same as separate stages and as arrays", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(pairs, { maxLength: 6 }),
      fc.array(small, { maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      async (chain, items, size) => {
        const chained = (stages: readonly Operator<number, number>[]): Operator<number, number> =>
          stages.reduce((all, stage) => compose(all, stage), compose<number>());
        const expected = chain.reduce<Outcome>((soFar, { model }) => model(soFar), {
          items,
          error: undefined,
        });
        const source = spySource(items);
        expect(await outcomeOf(chained(chain.map(({ stage }) => stage))(source))).toEqual(expected);
        expect([source.open, source.maxInFlight > 1, source.faults]).toEqual([0, false, []]);
        for (const wall of walls) {
          const walled = chained([bursts(size), ...chain.flatMap(({ stage }) => [stage, wall])]);
          expect(await outcomeOf(walled(spySource(items)))).toEqual(expected);
        }
      },
    ),
    { numRuns: 300, seed: 7 },
  );
});
