import { describe, expect, test } from "vitest";
import { collect, from } from "millrace";
import { operatorLaws, spySource } from "millrace/testing";
import { type Spliced, splicing } from "#src/stream/core/splicing.js";

interface Item {
  readonly n: number;
}
const items: readonly Item[] = [{ n: 1 }, { n: 2 }, { n: 3 }];

// G-stream-1
describe("a generator that yields its source keeps the laws of an operator:", () => {
  const create =
    () =>
    (source: AsyncIterable<Item>): AsyncIterable<Item> =>
      splicing(async function* (): Spliced<Item> {
        yield source;
      });
  test.concurrent.each(operatorLaws(create, { inputs: items }))("$name", (law) => law.check());
});

test("the items of a yielded stream come before those that the generator yields next", async () => {
  const done: string[] = [];
  const part = async function* (): Spliced<Item, string> {
    yield from([{ n: 2 }, { n: 3 }]);
    return "done";
  };
  const stream = splicing(async function* (): Spliced<Item> {
    yield { n: 1 };
    done.push(yield* part());
    yield from([]);
    yield { n: 4 };
  });
  expect(await collect(stream)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]);
  expect(done).toEqual(["done"]);
});

test("an error of a stream is thrown at its yield, where it can be caught", async () => {
  const error = new Error("broken");
  const stream = splicing(async function* (): Spliced<Item> {
    try {
      yield spySource([{ n: 1 }], { then: { error } });
    } catch (caught) {
      expect(caught).toBe(error);
      yield { n: 2 };
    }
  });
  expect(await collect(stream)).toEqual([{ n: 1 }, { n: 2 }]);
});

test("leaving closes the stream first, then the generator", async () => {
  const source = spySource(items);
  const order: string[] = [];
  const stream = splicing(async function* (): Spliced<Item> {
    try {
      yield source;
    } finally {
      order.push(`returned ${source.returns}`);
    }
  });
  for await (const { n } of stream) if (n === 2) break;
  expect(order).toEqual(["returned 1"]);
});

test("leaving closes the generator also if closing the stream fails", async () => {
  let closed = false;
  const failing: AsyncIterable<Item> = {
    [Symbol.asyncIterator]: () => ({
      next: async () => ({ done: false, value: { n: 1 } }),
      return: () => Promise.reject(new Error("cannot close")),
    }),
  };
  const iterator = splicing(async function* (): Spliced<Item> {
    try {
      yield failing;
    } finally {
      closed = true;
    }
  })[Symbol.asyncIterator]();
  await iterator.next();
  await expect(iterator.return?.()).rejects.toThrow("cannot close");
  expect(closed).toBe(true);
});
