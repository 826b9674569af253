import { describe, expect, test } from "vitest";
import { from } from "millrace";
import { spySource } from "millrace/testing";
import { forwardingIterator } from "#src/stream/core/forwarding-iterator.js";
import { none, takeReady } from "#src/stream/core/ready.js";

const done = { done: true, value: undefined };

describe("a forwarding iterator", () => {
  test("forwards items, ready items and the end", async () => {
    const inner = from([1, 2])[Symbol.asyncIterator]();
    const iterator = forwardingIterator(() => inner, {});
    expect(await iterator.next()).toEqual({ done: false, value: 1 });
    expect([takeReady(iterator), takeReady(iterator)]).toEqual([2, none]);
    expect(await iterator.next()).toEqual(done);
  });

  test("has nothing ready before the inner iterator is open, or if that is foreign", () => {
    expect(takeReady(forwardingIterator(() => undefined, {}))).toBe(none);
    const foreign = spySource([1])[Symbol.asyncIterator]();
    expect(takeReady(forwardingIterator(() => foreign, {}))).toBe(none);
  });

  test("closes the iterator with return(), and with throw(), which rejects with its error", async () => {
    const source = spySource([1]);
    const open = (): ReturnType<typeof forwardingIterator> => {
      const inner = source[Symbol.asyncIterator]();
      return forwardingIterator(() => inner, {});
    };
    expect(await open().return?.()).toEqual(done);
    const error = new Error("of the consumer");
    await expect(open().throw?.(error)).rejects.toBe(error);
    expect(source.returns).toBe(2);
    expect(await forwardingIterator(() => undefined, {}).return?.()).toEqual(done);
  });

  test("calls the functions that replace next() and closing", async () => {
    const source = spySource([1]);
    const inner = source[Symbol.asyncIterator]();
    let closed = 0;
    const iterator = forwardingIterator(() => inner, {
      next: () => Promise.reject(new Error("mapped")),
      close: () => {
        closed++;
        return undefined;
      },
    });
    await expect(iterator.next()).rejects.toThrow("mapped");
    expect(await iterator.return?.()).toEqual(done);
    expect([closed, source.returns]).toEqual([1, 0]);
  });
});
