import { describe, expect, test } from "vitest";
import { collect, from, last, map, pipe, share, take } from "millrace";
import { spySource } from "millrace/testing";
import { HandFed, stateOf, turn } from "../support/hand-fed.js";

describe("share", () => {
  test("yields the same items of one source to all consumers", async () => {
    const source = spySource([{}, {}, {}]);
    const shared = pipe(source, share());
    const [a, b, c] = await Promise.all([collect(shared), collect(shared), last(shared)]);
    expect(a.length).toBe(3);
    a.forEach((item, i) => expect(b[i]).toBe(item));
    expect(c).toBe(a[2]);
    expect([source.opened, source.pulls, source.maxInFlight]).toEqual([1, 4, 1]);
  });

  test("yields items to a consumer from the moment that it joined", async () => {
    const source = new HandFed<number>();
    const shared = pipe(source, share());
    const early = shared[Symbol.asyncIterator]();
    const first = early.next();
    await source.give(1);
    const late = shared[Symbol.asyncIterator]();
    expect(await first).toEqual({ done: false, value: 1 });
    const both = [early.next(), late.next()];
    await source.give(2);
    expect(await Promise.all(both)).toEqual([
      { done: false, value: 2 },
      { done: false, value: 2 },
    ]);
  });

  test("is lazy, and opens the source when the first consumer joins", async () => {
    const source = spySource([1]);
    const shared = pipe(source, share());
    expect(source.opened).toBe(0);
    shared[Symbol.asyncIterator]();
    shared[Symbol.asyncIterator]();
    await turn();
    expect([source.opened, source.pulls]).toEqual([1, 0]);
  });

  // G-stream-4
  test("holds back the fastest consumer when the slowest is `bound` items behind", async () => {
    const source = spySource(numbers(100));
    const shared = pipe(source, share({ bound: 3 }));
    const [fast, slow] = [shared[Symbol.asyncIterator](), shared[Symbol.asyncIterator]()];
    for (let i = 0; i < 3; i++) await fast.next();
    const fourth = fast.next();
    expect(await stateOf(fourth)).toBe("pending");
    expect(source.pulls).toBe(3);
    expect(await slow.next()).toEqual({ done: false, value: 0 });
    expect(await fourth).toEqual({ done: false, value: 3 });
    expect(source.pulls).toBe(4);
  });

  test("releases the fastest consumer when the slowest leaves", async () => {
    const source = spySource(numbers(5));
    const shared = pipe(source, share({ bound: 1 }));
    const [fast, slow] = [shared[Symbol.asyncIterator](), shared[Symbol.asyncIterator]()];
    await fast.next();
    const second = fast.next();
    expect(await stateOf(second)).toBe("pending");
    await slow.return?.();
    expect(await second).toEqual({ done: false, value: 1 });
    expect(source.returns).toBe(0);
  });

  test("does not pull for a consumer that has left", async () => {
    const source = spySource(numbers(5));
    const shared = pipe(source, share({ bound: 1 }));
    const [fast, slow] = [shared[Symbol.asyncIterator](), shared[Symbol.asyncIterator]()];
    await fast.next();
    const pending = fast.next();
    await fast.return?.();
    expect(await pending).toEqual({ done: true, value: undefined });
    await slow.next();
    await turn();
    expect(source.pulls).toBe(1);
  });

  // G-stream-3
  test("closes the source once, when the last consumer leaves", async () => {
    const source = spySource(numbers(5));
    const shared = pipe(source, share());
    const [a, b] = [shared[Symbol.asyncIterator](), shared[Symbol.asyncIterator]()];
    await Promise.all([a.next(), b.next()]);
    await a.return?.();
    await a.return?.();
    expect(source.returns).toBe(0);
    await b.return?.();
    await b.return?.();
    expect([source.returns, source.open]).toEqual([1, 0]);
    expect(source.faults).toEqual([]);
  });

  test("is empty for consumers that join after the last one has left", async () => {
    const source = spySource(numbers(5));
    const shared = pipe(source, share());
    await collect(pipe(shared, take(2)));
    expect(await collect(shared)).toEqual([]);
    expect([source.opened, source.returns]).toEqual([1, 1]);
  });

  test("rejects with the source's error, the same object, for all consumers, also later ones", async () => {
    const error = new Error("cut");
    const source = spySource([1, 2], { then: { error } });
    const shared = pipe(source, share());
    const seen: number[] = [];
    const slow = (async () => {
      for await (const n of shared) {
        seen.push(n);
        await turn();
      }
    })();
    const outcomes = await Promise.allSettled([collect(shared), slow]);
    expect(outcomes).toEqual([
      { status: "rejected", reason: error },
      { status: "rejected", reason: error },
    ]);
    expect(seen).toEqual([1, 2]);
    await expect(collect(shared)).rejects.toBe(error);
    expect([source.returns, source.faults]).toEqual([0, []]);
  });

  test("works for consumers with their own stages", async () => {
    const shared = pipe(from([1, 2, 3]), share());
    const [doubled, first] = await Promise.all([
      collect(pipe(shared, map((n) => n * 2))), // prettier-ignore
      collect(pipe(shared, take(1))),
    ]);
    expect([doubled, first]).toEqual([[2, 4, 6], [1]]);
  });

  test.each([0, -1, 1.5])("rejects a bound of %s", (bound) => {
    expect(() => share({ bound })).toThrow(RangeError);
  });
});

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}
