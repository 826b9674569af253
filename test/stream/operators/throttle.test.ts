import { describe, expect, test } from "vitest";
import { collect, pipe, throttle } from "millrace";
import { manualClock, spySource } from "millrace/testing";
import { HandFed, stateOf, turn } from "../support/hand-fed.js";

function setUp(options?: { merge: (pending: number, item: number) => number }) {
  const clock = manualClock();
  const source = new HandFed<number>();
  const iterator = pipe(source, throttle(10, { clock, ...options }))[Symbol.asyncIterator]();
  const advance = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await turn();
  };
  return { clock, source, iterator, advance };
}

describe("throttle", () => {
  test("yields the first item at once, and the next after the interval", async () => {
    const { clock, source, iterator, advance } = setUp();
    const first = iterator.next();
    await source.give(1);
    expect(await first).toEqual({ done: false, value: 1 });
    const second = iterator.next();
    await source.give(2, 3);
    await advance(9);
    expect(await stateOf(second)).toBe("pending");
    expect(clock.timers).toBe(1);
    await advance(1);
    expect(await second).toEqual({ done: false, value: 3 });
    expect(clock.timers).toBe(0);
  });

  test("yields an item at once if the interval is already over", async () => {
    const { clock, source, iterator, advance } = setUp();
    const first = iterator.next();
    await source.give(1);
    await first;
    await advance(10);
    const second = iterator.next();
    await source.give(2);
    expect(await second).toEqual({ done: false, value: 2 });
    expect(clock.timers).toBe(0);
  });

  test("merges with a custom function", async () => {
    const { source, iterator, advance } = setUp({ merge: (pending, item) => pending + item });
    const first = iterator.next();
    await source.give(1);
    await first;
    await source.give(2, 3, 4);
    await advance(10);
    expect(await iterator.next()).toEqual({ done: false, value: 9 });
  });

  // G-stream-4
  test("yields the last item after the interval, before the end or an error", async () => {
    for (const how of ["end", "fail"] as const) {
      const { clock, source, iterator, advance } = setUp();
      const error = new Error("cut");
      const first = iterator.next();
      await source.give(1);
      await first;
      await source.give(2);
      if (how === "end") await source.end();
      else await source.fail(error);
      const second = iterator.next();
      expect(await stateOf(second)).toBe("pending");
      await advance(10);
      expect(await second).toEqual({ done: false, value: 2 });
      const third = iterator.next();
      if (how === "end") expect(await third).toEqual({ done: true, value: undefined });
      else await expect(third).rejects.toBe(error);
      expect(clock.timers).toBe(0);
    }
  });

  test("leaves no timer when the consumer leaves", async () => {
    const { clock, source, iterator } = setUp();
    const first = iterator.next();
    await source.give(1);
    await first;
    const second = iterator.next();
    await source.give(2);
    expect(clock.timers).toBe(1);
    await iterator.return?.();
    expect(clock.timers).toBe(0);
    expect(await second).toEqual({ done: true, value: undefined });
  });

  test("waits again when a timer fires early", async () => {
    const { clock, source, iterator, advance } = setUp();
    const first = iterator.next();
    await source.give(1);
    await first;
    const early = { ...clock, setTimeout: (callback: () => void) => clock.setTimeout(callback, 1) };
    const impatient = pipe(spySource([1, 2]), throttle(3, { clock: early }))[Symbol.asyncIterator]();
    await impatient.next();
    const second = impatient.next();
    for (let i = 0; i < 3; i++) {
      expect(await stateOf(second)).toBe("pending");
      await advance(1);
    }
    expect(await second).toEqual({ done: false, value: 2 });
  });

  test("works with the system clock", async () => {
    const items = await collect(pipe(spySource([1, 2, 3]), throttle(1)));
    expect([items[0], items.at(-1)]).toEqual([1, 3]);
  });

  test.each([-1, Number.NaN])("rejects an interval of %s ms", (ms) => {
    expect(() => throttle(ms)).toThrow(RangeError);
    expect(() => throttle(ms)).toThrow(`${ms}`);
  });
});
