import { describe, expect, test } from "vitest";
import {
  abortable,
  filter,
  from,
  map,
  mapAsync,
  merge,
  type Operator,
  pipe,
  take,
  tap,
  timeout,
} from "millrace";
import { manualClock, spySource } from "millrace/testing";
import { none, takeReady } from "#src/stream/core/ready.js";
import { Joining, merging } from "#src/stream/core/merging.js";
import { type Spliced, splicing } from "#src/stream/core/splicing.js";
import { bursts } from "../support/bursts.js";

interface Item {
  readonly n: number;
}
type Identity = Operator<Item, Item>;

/** Operators that forward items through an iterator of their own. */
const walls: readonly (readonly [string, Identity])[] = [
  ["abortable", abortable(new AbortController().signal)],
  ["timeout", timeout({ first: 10, idle: 5, total: 100 }, { clock: manualClock() })],
  ["merge of one", (source) => merge(source)],
  ["merging", (source) => merging([source])],
  [
    "splicing",
    (source) =>
      splicing(async function* (): Spliced<Item> {
        yield source;
      }),
  ],
];

const items: readonly Item[] = [1, 2, 3, 4].map((n) => ({ n }));
const [, two, three] = items;

describe.each(walls)("through %s", (_, wall) => {
  test("ready items pass without a promise; only the first needs one", async () => {
    const source = spySource(items);
    const iterator = pipe(
      source,
      bursts(3),
      wall,
      map((item) => item),
      wall,
    )[Symbol.asyncIterator]();
    expect(takeReady(iterator)).toBe(none);
    expect(source.pulls).toBe(0);
    expect(await iterator.next()).toEqual({ done: false, value: { n: 1 } });
    expect([takeReady(iterator), takeReady(iterator), takeReady(iterator)]).toEqual([two, three, none]);
    expect(source.pulls).toBe(3);
    expect(await iterator.next()).toEqual({ done: false, value: { n: 4 } });
    expect(takeReady(iterator)).toBe(none);
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    expect(takeReady(iterator)).toBe(none);
    expect([source.open, source.faults]).toEqual([0, []]);
  });

  test("an error of a later step comes after the items before it, and closes the source", async () => {
    const source = spySource(items);
    const failing = tap(({ n }: Item) => {
      if (n === 2) throw new Error("two");
    });
    const iterator = pipe(source, bursts(4), wall, failing, wall)[Symbol.asyncIterator]();
    expect(await iterator.next()).toEqual({ done: false, value: { n: 1 } });
    await expect(iterator.next()).rejects.toThrow("two");
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    expect([source.returns, source.faults]).toEqual([1, []]);
  });

  test("leaving drops the remaining ready items", async () => {
    const source = spySource(items);
    const iterator = pipe(source, bursts(4), wall)[Symbol.asyncIterator]();
    await iterator.next();
    await iterator.return?.();
    expect(takeReady(iterator)).toBe(none);
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    expect([source.open, source.faults]).toEqual([0, []]);
  });
});

test("an abort between two ready items ends the stream at once", async () => {
  const controller = new AbortController();
  const source = spySource(items);
  const seen: number[] = [];
  const reading = (async () => {
    for await (const { n } of pipe(source, bursts(4), abortable(controller.signal))) {
      seen.push(n);
      if (n === 2) controller.abort("enough");
    }
  })();
  await expect(reading).rejects.toBe("enough");
  expect([seen, source.returns]).toEqual([[1, 2], 1]);
});

test("the rest of a burst can be aborted after manual calls of next()", async () => {
  const controller = new AbortController();
  const begun = pipe(
    spySource(items),
    bursts(4),
    map((item) => item),
  )[Symbol.asyncIterator]();
  await begun.next();
  const rest: AsyncIterable<Item> = { [Symbol.asyncIterator]: () => begun };
  const aborted = pipe(rest, abortable(controller.signal))[Symbol.asyncIterator]();
  expect(await aborted.next()).toEqual({ done: false, value: two });
  controller.abort("enough");
  await expect(aborted.next()).rejects.toBe("enough");
});

test("a step that aborts its own run yields nothing more", async () => {
  const controller = new AbortController();
  const aborting = map((item: Item) => {
    if (item.n === 2) controller.abort("enough");
    return item;
  });
  const seen: number[] = [];
  const reading = (async () => {
    const wall = abortable<Item>(new AbortController().signal);
    for await (const { n } of pipe(spySource(items), bursts(4), wall, aborting, abortable(controller.signal)))
      seen.push(n);
  })();
  await expect(reading).rejects.toBe("enough");
  expect(seen).toEqual([1]);
});

test("ready items take no time, but are counted", async () => {
  const clock = manualClock();
  const hanging = pipe(
    (async function* () {
      yield* items;
      await new Promise<never>(() => {});
    })(),
    bursts(4),
    timeout({ first: 100, idle: 10 }, { clock }),
  )[Symbol.asyncIterator]();
  for (const item of items) expect(await hanging.next()).toEqual({ done: false, value: item });
  const next = hanging.next();
  clock.advance(10);
  await expect(next).rejects.toMatchObject({ limit: "idle", items: 4 });
});

test("merge alternates between streams, even if one always has items ready", async () => {
  const many = pipe(from(Array.from({ length: 50 }, (_, n) => ({ n }))), bursts(50));
  const other = pipe(from([{ n: -1 }, { n: -2 }]), bursts(2));
  const order: number[] = [];
  for await (const { n } of merge(many, other)) order.push(n);
  expect(order.indexOf(-2)).toBeLessThan(10);
});

describe("a source that joins a merge", () => {
  const joined = (source: AsyncIterable<Item>): AsyncIterable<Item | Joining<Item>> =>
    (async function* () {
      yield { n: 1 };
      yield new Joining(source);
      yield { n: 2 };
    })();

  test.each([1, 3])("is read from then on, in bursts of %i", async (size) => {
    const source = spySource([{ n: 10 }, { n: 20 }]);
    const merged = merging<Item>([pipe(joined(source), bursts(size))]);
    const order: number[] = [];
    for await (const { n } of merged) order.push(n);
    expect(order[0]).toBe(1);
    expect(order.toSorted((a, b) => a - b)).toEqual([1, 2, 10, 20]);
    expect(source.faults).toEqual([]);
  });

  test.each([1, 3])("fails the merge if it is not an async iterable, in bursts of %i", async (size) => {
    const seen: number[] = [];
    const reading = (async () => {
      const nothing = undefined as unknown as AsyncIterable<Item>;
      for await (const { n } of merging<Item>([pipe(joined(nothing), bursts(size))])) seen.push(n);
    })();
    await expect(reading).rejects.toThrow(TypeError);
    expect(seen).toEqual([1]);
  });
});

test("an async step processes ready items one after the other", async () => {
  const running: number[] = [];
  const slow = mapAsync(async ({ n }: Item) => {
    running.push(n);
    await Promise.resolve();
    expect(running).toEqual([n]);
    running.pop();
    return { n: n * 10 };
  });
  const wall = abortable<Item>(new AbortController().signal);
  const seen: number[] = [];
  for await (const { n } of pipe(
    spySource(items),
    bursts(4),
    wall,
    slow,
    wall,
    filter(({ n }) => n !== 20),
    take(2),
  ))
    seen.push(n);
  expect(seen).toEqual([10, 30]);
});
