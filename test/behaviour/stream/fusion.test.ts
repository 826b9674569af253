import fc from "fast-check";
import { expect, test } from "vitest";
import {
  abortable,
  collect,
  compose,
  dropLast,
  filter,
  map,
  mapAsync,
  type Operator,
  scan,
  take,
} from "millrace";
import { spySource } from "millrace/testing";
import { bursts } from "../../stream/support/bursts.js";

/** A stage and the same function on arrays. */
interface Pair {
  readonly name: string;
  readonly stage: Operator<number, number>;
  readonly model: (items: readonly number[]) => number[];
}

const small = fc.nat({ max: 6 });
const pairs: fc.Arbitrary<Pair> = fc.oneof(
  small.map((n) => ({
    name: `map +${n}`,
    stage: map((x: number) => x + n),
    model: (items: readonly number[]) => items.map((x) => x + n),
  })),
  small.map((n) => ({
    name: `mapAsync +${n}`,
    stage: mapAsync((x: number) => (x % 2 === 0 ? x + n : Promise.resolve(x + n))),
    model: (items: readonly number[]) => items.map((x) => x + n),
  })),
  small.map((n) => ({
    name: `filter ${n}`,
    stage: filter((x: number) => (x & n) === 0),
    model: (items: readonly number[]) => items.filter((x) => (x & n) === 0),
  })),
  small.map((n) => ({
    name: `take ${n}`,
    stage: take<number>(n),
    model: (items: readonly number[]) => items.slice(0, n),
  })),
  small.map((n) => ({
    name: `dropLast ${n}`,
    stage: dropLast<number>(n),
    model: (items: readonly number[]) => items.slice(0, Math.max(0, items.length - n)),
  })),
  fc.constant({
    name: "scan",
    stage: scan((sum: number, x: number) => sum + x, 0),
    model: (items: readonly number[]) => {
      let sum = 0;
      return items.map((x) => (sum += x));
    },
  }),
);

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
        const expected = chain.reduce<readonly number[]>((soFar, { model }) => model(soFar), items);
        const source = spySource(items);
        expect(await collect(chained(chain.map(({ stage }) => stage))(source))).toEqual(expected);
        expect([source.open, source.maxInFlight > 1, source.faults]).toEqual([0, false, []]);
        for (const wall of walls) {
          const walled = chained([bursts(size), ...chain.flatMap(({ stage }) => [stage, wall])]);
          expect(await collect(walled(spySource(items)))).toEqual(expected);
        }
      },
    ),
    { numRuns: 300, seed: 7 },
  );
});
