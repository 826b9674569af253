import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { abortable, collect, pipe } from "millrace";
import { spySource } from "millrace/testing";
import { stateOf, turn } from "../support/hand-fed.js";

const listeners = (signal: AbortSignal): number => getEventListeners(signal, "abort").length;

describe("abortable", () => {
  test("rejects a pending next() at once with signal.reason, and closes the source without waiting", async () => {
    const source = spySource([1], { then: "hang" });
    const controller = new AbortController();
    const iterator = pipe(source, abortable(controller.signal))[Symbol.asyncIterator]();
    await iterator.next();
    const next = iterator.next();
    controller.abort({ any: "reason" });
    expect(await stateOf(next)).toBe(controller.signal.reason);
    expect(source.returns).toBe(1);
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  test("closes the source at once when aborted between two pulls, and rejects the next pull", async () => {
    const source = spySource([1, 2]);
    const controller = new AbortController();
    const iterator = pipe(source, abortable(controller.signal))[Symbol.asyncIterator]();
    await iterator.next();
    controller.abort();
    expect([source.returns, source.pulls]).toEqual([1, 1]);
    await expect(iterator.next()).rejects.toBe(controller.signal.reason);
    await iterator.return?.();
    expect(source.returns).toBe(1);
  });

  test("with an aborted signal closes the source without a pull", async () => {
    const source = spySource([1]);
    const signal = AbortSignal.abort();
    await expect(collect(pipe(source, abortable(signal)))).rejects.toBe(signal.reason);
    expect([source.pulls, source.returns, listeners(signal)]).toEqual([0, 1, 0]);
  });

  test("has one listener while it runs, and otherwise none", async () => {
    for (const leave of ["end", "error", "return", "throw", "abort"] as const) {
      const source = spySource([1], leave === "error" ? { then: { error: new Error("cut") } } : {});
      const controller = new AbortController();
      const iterator = pipe(source, abortable(controller.signal))[Symbol.asyncIterator]();
      expect(listeners(controller.signal)).toBe(0);
      await iterator.next();
      expect(listeners(controller.signal)).toBe(1);
      if (leave === "return") await iterator.return?.();
      else if (leave === "throw") await iterator.throw?.(new Error("of the consumer")).catch(() => {});
      else if (leave === "abort") controller.abort();
      if (leave !== "return" && leave !== "throw") await iterator.next().catch(() => {});
      expect(listeners(controller.signal)).toBe(0);
    }
  });

  test("ignores an abort after the end", async () => {
    const source = spySource([1]);
    const controller = new AbortController();
    expect(await collect(pipe(source, abortable(controller.signal)))).toEqual([1]);
    controller.abort();
    await turn();
    expect([source.returns, source.faults]).toEqual([0, []]);
  });

  test("works if the source aborts the signal during a pull", async () => {
    const controller = new AbortController();
    let returns = 0;
    const source: AsyncIterable<number> = {
      [Symbol.asyncIterator]: () => ({
        next: () => {
          controller.abort();
          return new Promise(() => {});
        },
        return: async () => {
          returns++;
          return { done: true, value: undefined };
        },
      }),
    };
    const outcome = await stateOf(collect(pipe(source, abortable(controller.signal))));
    expect(outcome).toBe(controller.signal.reason);
    expect(returns).toBe(1);
  });

  test("rejects the first pending next() with the reason, and ends the others", async () => {
    const controller = new AbortController();
    const stream = pipe(spySource<number>([], { then: "hang" }), abortable(controller.signal));
    const iterator = stream[Symbol.asyncIterator]();
    const callers = [iterator.next(), iterator.next(), iterator.next()];
    const reason = new Error("enough");
    controller.abort(reason);
    const outcomes = await Promise.allSettled(callers);
    expect(outcomes[0]).toEqual({ status: "rejected", reason });
    for (const outcome of outcomes.slice(1)) {
      expect(outcome).toEqual({ status: "fulfilled", value: { done: true, value: undefined } });
    }
  });
});
