import { describe, expect, test } from "vitest";
import { collect, from, merge, pipe, take } from "millrace";
import { spySource } from "millrace/testing";
import { HandFed, stateOf, turn } from "../support/hand-fed.js";

describe("merge", () => {
  test("of no sources is empty, and of one yields its items", async () => {
    expect(await collect(merge())).toEqual([]);
    expect(await collect(merge(from([1, 2])))).toEqual([1, 2]);
  });

  test("yields each item as it arrives", async () => {
    const [a, b] = [new HandFed<string>(), new HandFed<string>()];
    const items = collect(merge(a, b));
    await b.give("b1");
    await a.give("a1");
    await b.give("b2", "b3");
    await b.end();
    await a.give("a2");
    await a.end();
    expect(await items).toEqual(["b1", "a1", "b2", "b3", "a2"]);
  });

  test("is fair to sources that are always ready", async () => {
    const ready = (name: string) => spySource([1, 2, 3].map((n) => `${name}${n}`));
    expect(await collect(merge(ready("a"), ready("b"), ready("c")))).toEqual(
      ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"], // prettier-ignore
    );
  });

  test("starts all sources at the first next(), and holds one item of each", async () => {
    const sources = [spySource([1, 2, 3]), spySource([4, 5, 6])];
    const iterator = merge(...sources)[Symbol.asyncIterator]();
    await turn();
    expect(sources.map((source) => source.pulls)).toEqual([0, 0]);
    await iterator.next();
    await turn();
    expect(sources.map((source) => source.pulls)).toEqual([1, 1]);
    await iterator.next();
    await turn();
    expect(sources.map((source) => source.pulls)).toEqual([2, 1]);
  });

  test("works with 10,000 sources", async () => {
    const sources = Array.from({ length: 10_000 }, (_, i) => from([i, i]));
    const items = await collect(merge(...sources));
    expect(items.length).toBe(20_000);
    expect(new Set(items).size).toBe(10_000);
  });

  // G-stream-2
  test("closes all sources once when the consumer leaves", async () => {
    const sources = [spySource([1, 2]), spySource([3]), spySource<number>([])];
    const iterator = merge(...sources)[Symbol.asyncIterator]();
    await iterator.next();
    await turn();
    await iterator.return?.();
    await iterator.return?.();
    expect(sources.map((source) => source.returns)).toEqual([1, 1, 0]);
    expect(sources.map((source) => source.open)).toEqual([0, 0, 0]);
  });

  // G-stream-2
  test("closes the others when one fails, after the items that had arrived before", async () => {
    const error = new Error("cut");
    const [good, bad] = [spySource([1, 2, 3]), spySource<number>([], { then: { error } })];
    const iterator = merge(good, bad)[Symbol.asyncIterator]();
    expect(await iterator.next()).toEqual({ done: false, value: 1 });
    await expect(iterator.next()).rejects.toBe(error);
    expect([good.returns, good.open, bad.returns]).toEqual([1, 0, 0]);
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    expect([...good.faults, ...bad.faults]).toEqual([]);
  });

  // G-stream-2
  test("does not wait for a source that hangs when it is left or another fails", async () => {
    const [hanging, other] = [spySource<number>([], { then: "hang" }), spySource([1, 2])];
    const iterator = merge(hanging, other)[Symbol.asyncIterator]();
    await iterator.next();
    expect(await stateOf(iterator.return?.() as Promise<unknown>)).toEqual({ done: true, value: undefined });
    expect([hanging.returns, other.returns]).toEqual([1, 1]);

    const error = new Error("cut");
    const stream = merge(spySource<number>([], { then: "hang" }), spySource([1], { then: { error } }));
    expect(await stateOf(collect(stream))).toBe(error);
  });

  test("waits for a source that closes slowly", async () => {
    const log: string[] = [];
    async function* slowToClose(): AsyncGenerator<number> {
      try {
        yield 1;
        yield 2;
      } finally {
        await turn();
        log.push("closed");
      }
    }
    for await (const item of merge(slowToClose())) {
      log.push(`item ${item}`);
      break;
    }
    log.push("left");
    expect(log).toEqual(["item 1", "closed", "left"]);
  });

  test("closes all sources even if one fails to close, and then rejects", async () => {
    const stubborn: AsyncIterable<number> = {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: false, value: 1 }),
        return: () => {
          throw new Error("cannot close");
        },
      }),
    };
    const other = spySource([1, 2]);
    const iterator = merge(stubborn, other)[Symbol.asyncIterator]();
    await iterator.next();
    await turn();
    await expect(iterator.return?.()).rejects.toThrow("cannot close");
    expect(other.returns).toBe(1);

    const [failed, thrown] = [new Error("cut"), new Error("of the consumer")];
    const failing = spySource<number>([1], { then: { error: failed }, pace: turn });
    await expect(collect(merge(failing, pipe(stubborn, take(0))))).rejects.toThrow("cannot close");
    const merged = merge(stubborn, spySource<number>([], { then: { error: failed } }))[
      Symbol.asyncIterator
    ]();
    await merged.next();
    await expect(merged.next()).rejects.toBe(failed);
    const left = merge(stubborn)[Symbol.asyncIterator]();
    await left.next();
    await expect(left.throw?.(thrown)).rejects.toBe(thrown);
  });

  test("answers concurrent calls in order", async () => {
    const [a, b] = [new HandFed<string>(), new HandFed<string>()];
    const iterator = merge(a, b)[Symbol.asyncIterator]();
    const answers = Promise.all([iterator.next(), iterator.next(), iterator.next()]);
    await a.give("a1");
    await b.give("b1");
    await a.end();
    await b.end();
    expect(await answers).toEqual([
      { done: false, value: "a1" },
      { done: false, value: "b1" },
      { done: true, value: undefined },
    ]);
  });
});
