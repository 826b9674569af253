import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  abortable,
  batch,
  conflate,
  dropLast,
  filter,
  from,
  jsonParser,
  last,
  map,
  merge,
  type Operator,
  pipe,
  share,
  take,
  tap,
  throttle,
  timeout,
} from "millrace";
import { manualClock, type SpySource, spySource } from "millrace/testing";
import { countHeld, heap, scavengedHeap, settledHeap } from "../../stream/support/garbage.js";
import { turn } from "../../stream/support/hand-fed.js";

const many = 100_000;

const unhandled: unknown[] = [];
const onUnhandled = (error: unknown): void => void unhandled.push(error);
beforeEach(() => {
  unhandled.length = 0;
  process.on("unhandledRejection", onUnhandled);
});
afterEach(async () => {
  await turn();
  process.off("unhandledRejection", onUnhandled);
  expect(unhandled).toEqual([]);
});

/** Counts up to `end`, without holding anything. */
function counter(end = Infinity): AsyncIterable<number> & { pulls: number; returns: number } {
  return {
    pulls: 0,
    returns: 0,
    [Symbol.asyncIterator]() {
      let n = 0;
      return {
        next: () => {
          this.pulls++;
          return Promise.resolve(n < end ? { done: false, value: n++ } : { done: true, value: undefined });
        },
        return: () => {
          this.returns++;
          return Promise.resolve({ done: true, value: undefined });
        },
      };
    },
  };
}

describe(`over ${many} items`, () => {
  test.each<
    [string, (signal: AbortSignal, clock: ReturnType<typeof manualClock>) => Operator<number, unknown>]
  >([
    ["abortable", () => map((n) => n)],
    ["timeout", (_, clock) => timeout({ first: 50, idle: 10, total: 1e9 }, { clock })],
    ["throttle", (_, clock) => throttle(1, { clock })],
    ["share", () => share()],
    ["merge", () => (source) => merge(source, counter(10))],
    ["conflate", () => conflate()],
    ["batch", () => batch(7)],
    ["another abortable", (signal) => abortable(signal)],
  ])(
    "%s leaves no listener and no timer, never has more than one of each, and holds no items",
    async (_name, create) => {
      const controller = new AbortController();
      const clock = manualClock();
      const { signal } = controller;
      const source = counter(many);
      const stream = pipe(source, create(signal, clock), abortable(signal));
      let seen = 0;
      let before = 0;
      for await (const _ of stream) {
        clock.advance(1);
        if (++seen === 1000) before = await settledHeap();
        if (seen % 1000 !== 0) continue;
        expect(getEventListeners(signal, "abort").length).toBe(1);
        expect(clock.timers).toBeLessThanOrEqual(1);
      }
      expect(seen).toBeGreaterThan(1000);
      expect((await settledHeap()) - before).toBeLessThan(40 * many);
      expect(source.pulls).toBe(many + 1);
      expect(getEventListeners(signal, "abort").length).toBe(0);
      expect(clock.timers).toBe(0);
    },
  );

  // G-stream-6
  test("all of them in one pipe leave nothing when the consumer leaves early", async () => {
    const controller = new AbortController();
    const clock = manualClock();
    const source = counter();
    const stream = pipe(
      source,
      filter((n) => n % 2 === 0),
      dropLast(3),
      timeout(10, { clock }),
      batch(4),
      share(),
      tap(() => {
        clock.advance(1);
      }),
      conflate(),
      throttle(1, { clock }),
      (batches) => merge(batches, counter(1)),
      abortable(controller.signal),
      take(many / 8),
    );
    let seen = 0;
    for await (const _ of stream) if (++seen === many / 10) break;
    expect(seen).toBe(many / 10);
    expect(source.returns).toBe(1);
    expect(getEventListeners(controller.signal, "abort").length).toBe(0);
    expect(clock.timers).toBe(0);
  });
});

test("a filter that drops 1,000,000 consecutive items builds no chain of promises", async () => {
  const start = await settledHeap();
  let most = -Infinity;
  const dropping = filter((n: number) => {
    if (n % 250_000 === 249_999) most = Math.max(most, heap() - start);
    return n === 1_000_000;
  });
  const iterator = pipe(counter(), dropping)[Symbol.asyncIterator]();
  expect(await iterator.next()).toEqual({ done: false, value: 1_000_000 });
  expect(most).toBeGreaterThan(-Infinity);
  expect(most).toBeLessThan(4_000_000);
});

test("share holds only items that a consumer has yet to read, even with closed iterators", async () => {
  const start = await settledHeap();
  const shared = pipe(
    counter(),
    map(() => new Array<number>(1000).fill(1)),
    share({ bound: 10 }),
  );
  const open = () => shared[Symbol.asyncIterator]();
  const [closed, fast, slow] = [open(), open(), open()];
  await closed.return?.();
  for (let i = 0; i < 5000; i++) await Promise.all([fast.next(), slow.next()]);
  expect((await settledHeap()) - start).toBeLessThan(4_000_000); // 5,000 items of 8 KB: 40 MB
  expect(await Promise.all([closed.next(), fast.next()])).toMatchObject([{ done: true }, { done: false }]);
});

describe("a hundred streams with one signal", () => {
  const run = (signal: AbortSignal): SpySource<number>[] =>
    Array.from({ length: 100 }, () => {
      const source = spySource([1], { then: "hang" });
      const iterator = pipe(source, abortable(signal))[Symbol.asyncIterator]();
      void iterator.next().then(() => iterator.next().catch(() => {}));
      return source;
    });

  // G-stream-6
  test("share a listener, because Node prints a warning at eleven, and one abort closes all", async () => {
    const controller = new AbortController();
    const sources = run(controller.signal);
    await turn();
    expect(getEventListeners(controller.signal, "abort").length).toBe(1);
    controller.abort();
    expect(sources.every((source) => source.returns === 1)).toBe(true);
    expect(getEventListeners(controller.signal, "abort").length).toBe(0);
  });

  /** Opens streams, and returns references that do not hold their sources. */
  const opened = async (signal: AbortSignal, leave: boolean): Promise<WeakRef<object>[]> => {
    const sources = Array.from({ length: 100 }, () => counter());
    for (const source of sources) {
      const iterator = pipe(source, abortable(signal))[Symbol.asyncIterator]();
      await iterator.next();
      if (leave) await iterator.return?.();
    }
    return sources.map((source) => new WeakRef(source));
  };

  // G-stream-6
  test("stay in memory until they end, are closed, or the signal is aborted or collected", async () => {
    const controller = new AbortController();
    expect(await countHeld(await opened(controller.signal, true))).toBe(0);

    const dropped = await opened(controller.signal, false);
    const droppedWithSignal = await opened(new AbortController().signal, false);
    expect(await countHeld(droppedWithSignal)).toBe(0);
    expect(await countHeld(dropped)).toBe(100); // as an abort must close them
    controller.abort();
    expect(await countHeld(dropped)).toBe(0);
  });
});

// V8 puts a function that is assigned to a property into the old space. What it can reach survives all scavenges.
test("a scavenge frees what a closed stream has read", async () => {
  const elements = Array.from({ length: 5_000 }, (_, i) => `{"name":"n${i}","list":[1,2,3]}`);
  const chunks = elements.map((element, i) => `${i === 0 ? "[" : ","}${element}`);
  const { patches } = jsonParser();
  const read = (): Promise<unknown> => last(patches(from([...chunks, "]"])));
  for (let i = 0; i < 5; i++) await read();
  await settledHeap();
  const before = await scavengedHeap();
  const value: unknown = JSON.parse(`[${elements.join()}]`);
  const size = (await scavengedHeap()) - before;
  expect(value).toHaveLength(elements.length); // so that it is held until here
  for (let i = 0; i < 10; i++) {
    await read();
    await scavengedHeap();
  }
  expect((await scavengedHeap()) - before).toBeLessThan(4 * size);
});

// A server may have thousands. What only the start of a document needs, and empty maps and arrays, took 2 KB more.
test("an open stream of JSON keeps less than 5 KB", async () => {
  const { patches } = jsonParser();
  const open = async (): Promise<unknown> => {
    const sources = Array.from({ length: 2_000 }, () => from(['{"orders": [{"sku": "a1', '", "n": 1}']));
    const streams = sources.map((source) => patches(source)[Symbol.asyncIterator]());
    for (const stream of streams) await stream.next();
    return streams;
  };
  await open();
  const before = await settledHeap();
  const opened = await open();
  expect(((await settledHeap()) - before) / 2_000).toBeLessThan(5_000);
  expect(opened).toHaveLength(2_000); // so that they are held until here
});
