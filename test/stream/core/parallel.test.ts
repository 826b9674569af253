import { collect, from } from "millrace";
import { spySource } from "millrace/testing";
import { expect, test } from "vitest";
import { parallel } from "#src/stream/core/parallel.js";
import { turn } from "../support/hand-fed.js";

/** Calls that the test ends one by one. */
class Calls {
  readonly signals: AbortSignal[] = [];
  running = 0;
  most = 0;
  private readonly ends: ((error?: Error) => void)[] = [];

  readonly work = (item: number, index: number, signal: AbortSignal): Promise<string> => {
    this.signals.push(signal);
    this.most = Math.max(this.most, ++this.running);
    return new Promise((resolve, reject) => {
      this.ends[index] = (error) => {
        this.running--;
        if (error === undefined) resolve(`${index}:${item}`);
        else reject(error);
      };
    });
  };

  async end(index: number, error?: Error): Promise<void> {
    this.ends[index]?.(error);
    await turn();
  }
}

const options = { concurrency: 2, ordered: false, maxHeld: 2 };

test("results come as they arrive, and at most as many calls run as allowed", async () => {
  const calls = new Calls();
  const results = collect(parallel(from([10, 20, 30]), calls.work, options));
  await turn();
  for (const index of [1, 2, 0]) await calls.end(index);
  expect(await results).toEqual(["1:20", "2:30", "0:10"]);
  expect(calls.most).toBe(2);
});

test("with ordered, results come in the order of the items", async () => {
  const calls = new Calls();
  const results = collect(
    parallel(from([10, 20, 30]), calls.work, { ...options, ordered: true, maxHeld: 8 }),
  );
  await turn();
  for (const index of [1, 2, 0]) await calls.end(index);
  expect(await results).toEqual(["0:10", "1:20", "2:30"]);
});

test("a consumer that takes nothing stops the source", async () => {
  const calls = new Calls();
  const source = spySource([1, 2, 3, 4, 5, 6]);
  const iterator = parallel(source, calls.work, options)[Symbol.asyncIterator]();
  const first = iterator.next();
  await turn();
  for (const index of [0, 1, 2, 3, 4]) await calls.end(index);
  expect((await first).value).toBe("0:1");
  expect(source.pulls).toBe(3);
  expect((await iterator.next()).value).toBe("1:2");
  await turn();
  expect(source.pulls).toBe(4);
  await iterator.return?.();
});

test("in order, a slow item stops the source when as many results wait as may be held", async () => {
  const calls = new Calls();
  const source = spySource([1, 2, 3, 4, 5, 6]);
  const results = parallel(source, calls.work, { concurrency: 2, ordered: true, maxHeld: 4 });
  const iterator = results[Symbol.asyncIterator]();
  const first = iterator.next();
  await turn();
  for (const index of [1, 2, 3, 4]) await calls.end(index);
  expect(source.pulls).toBe(4);
  await calls.end(0);
  expect((await first).value).toBe("0:1");
  await iterator.return?.();
});

test("an error of the source comes after the results of the items before it", async () => {
  const calls = new Calls();
  const broken = new Error("broken");
  const iterator = parallel(failing(broken), calls.work, options)[Symbol.asyncIterator]();
  const [first, second] = [iterator.next(), iterator.next()];
  second.catch(() => undefined);
  await turn();
  await calls.end(0);
  expect((await first).value).toBe("0:1");
  await expect(second).rejects.toBe(broken);
});

test("a call that rejects ends the stream after the results that have arrived, and aborts the others", async () => {
  const calls = new Calls();
  const broken = new Error("broken");
  const source = spySource([1, 2, 3, 4]);
  const iterator = parallel(source, calls.work, { ...options, concurrency: 3, maxHeld: 3 })[
    Symbol.asyncIterator
  ]();
  const first = iterator.next();
  await turn();
  await calls.end(1);
  expect((await first).value).toBe("1:2");
  await calls.end(0, broken);
  await expect(iterator.next()).rejects.toBe(broken);
  expect(calls.signals[2]?.aborted).toBe(true);
  expect(source.returns).toBe(1);
});

test("leaving aborts the calls that run", async () => {
  const calls = new Calls();
  const iterator = parallel(from([1, 2, 3]), calls.work, options)[Symbol.asyncIterator]();
  void iterator.next();
  await turn();
  await iterator.return?.();
  expect(calls.signals.map(({ aborted }) => aborted)).toEqual([true, true]);
});

async function* failing(error: Error): AsyncGenerator<number> {
  yield 1;
  await turn();
  throw error;
}
