import { describe, expect, test } from "vitest";
import {
  collect,
  from,
  MillraceError,
  pipe,
  StreamError,
  timeout,
  TimeoutError,
  type TimeoutLimits,
} from "millrace";
import { manualClock, spySource } from "millrace/testing";
import { HandFed, stateOf, turn } from "../support/hand-fed.js";

function setUp(limits: number | TimeoutLimits) {
  const clock = manualClock();
  const source = new HandFed<number>();
  const iterator = pipe(source, timeout(limits, { clock }))[Symbol.asyncIterator]();
  const receive = async (n: number): Promise<void> => {
    const next = iterator.next();
    await source.give(n);
    expect(await next).toEqual({ done: false, value: n });
  };
  return { clock, source, iterator, receive };
}

describe("timeout", () => {
  test("rejects when the source is silent for too long, and closes it", async () => {
    const { clock, source, iterator, receive } = setUp(10);
    await receive(1);
    await receive(2);
    const next = iterator.next();
    clock.advance(9);
    expect(await stateOf(next)).toBe("pending");
    clock.advance(1);
    const error = await stateOf(next);
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toBeInstanceOf(StreamError);
    expect(error).toBeInstanceOf(MillraceError);
    expect(error).toMatchObject({
      name: "TimeoutError",
      code: "timeout",
      limit: "idle",
      ms: 10,
      items: 2,
    });
    expect([source.returns, clock.timers]).toEqual([1, 0]);
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  test("has a separate limit for the first item", async () => {
    const { clock, iterator, receive } = setUp({ first: 100, idle: 10 });
    const first = receive(1);
    clock.advance(0);
    await first;
    const next = iterator.next();
    clock.advance(10);
    await expect(next).rejects.toMatchObject({ limit: "idle", ms: 10 });

    const slow = setUp({ first: 100, idle: 10 });
    const never = slow.iterator.next();
    slow.clock.advance(99);
    expect(await stateOf(never)).toBe("pending");
    slow.clock.advance(1);
    await expect(never).rejects.toMatchObject({ limit: "first", ms: 100 });
    await expect(never).rejects.toThrow("first item");
  });

  test("applies the idle limit to the first item if that has no limit", async () => {
    const { clock, iterator } = setUp({ idle: 10 });
    const next = iterator.next();
    clock.advance(10);
    await expect(next).rejects.toMatchObject({ limit: "first", ms: 10 });
  });

  test("has a limit for the whole stream", async () => {
    const { clock, source, iterator } = setUp({ idle: 10, total: 25 });
    for (let n = 0; n < 3; n++) {
      const next = iterator.next();
      clock.advance(8);
      await source.give(n);
      await next;
    }
    const last = iterator.next();
    clock.advance(1);
    await expect(last).rejects.toMatchObject({ limit: "total", ms: 25, items: 3 });
    await expect(last).rejects.toThrow("25 ms");
  });

  test("counts only the time of the source, not of the consumer", async () => {
    const { clock, iterator, receive } = setUp({ idle: 10, total: 20 });
    await receive(1);
    clock.advance(1000);
    await receive(2);
    clock.advance(1000);
    const next = iterator.next();
    clock.advance(9);
    expect(await stateOf(next)).toBe("pending");
    clock.advance(1);
    await expect(next).rejects.toMatchObject({ limit: "idle" });
  });

  test("has one timer, which is not reset for each item", async () => {
    const clock = manualClock();
    let set = 0;
    const counting = {
      ...clock,
      setTimeout: (callback: () => void, ms: number) => {
        set++;
        return clock.setTimeout(callback, ms);
      },
    };
    let n = 0;
    for await (const _ of pipe(
      from(Array.from({ length: 1000 }, (_, i) => i)),
      timeout(100, { clock: counting }),
    )) {
      expect(clock.timers).toBe(1);
      if (++n % 10 === 0) clock.advance(1);
    }
    expect(set).toBeLessThanOrEqual(2);
    expect(clock.timers).toBe(0);
  });

  test("sets an earlier timer when a later pull has less time left", async () => {
    const { clock, source, iterator } = setUp({ first: 1000, idle: 10 });
    const first = iterator.next();
    await source.give(1);
    await first;
    const second = iterator.next();
    expect(clock.timers).toBe(1);
    clock.advance(10);
    await expect(second).rejects.toMatchObject({ limit: "idle" });
  });

  test("counts from the pull, with any number of concurrent calls", async () => {
    const { clock, iterator } = setUp(10);
    const first = iterator.next();
    clock.advance(6);
    const second = iterator.next();
    clock.advance(4);
    await expect(first).rejects.toMatchObject({ limit: "first" });
    expect(await second).toEqual({ done: true, value: undefined });
  });

  test("sets no timer without a limit", async () => {
    const { clock, receive } = setUp({});
    await receive(1);
    expect(clock.timers).toBe(0);
  });

  test("does not wait for the source to close", async () => {
    const clock = manualClock();
    const source = spySource<number>([], { then: "hang" });
    const next = pipe(source, timeout(1, { clock }))[Symbol.asyncIterator]().next();
    clock.advance(1);
    expect(await stateOf(next)).toBeInstanceOf(TimeoutError);
    expect(source.returns).toBe(1);
  });

  test("leaves no timer at the end, after an error, or when the consumer leaves", async () => {
    const ended = setUp(10);
    const done = ended.iterator.next();
    expect(ended.clock.timers).toBe(1);
    await ended.source.end();
    await done;
    expect(ended.clock.timers).toBe(0);

    const failed = setUp(10);
    const failing = failed.iterator.next();
    failing.catch(() => {});
    await failed.source.fail(new Error("cut"));
    await expect(failing).rejects.toThrow("cut");
    expect(failed.clock.timers).toBe(0);

    const left = setUp(10);
    const pending = left.iterator.next();
    await left.iterator.return?.();
    await pending;
    expect([left.clock.timers, left.source.returns]).toEqual([0, 1]);
  });

  test("works with the system clock, also with a limit longer than the longest timer", async () => {
    const silent = spySource<number>([], { then: "hang" });
    await expect(collect(pipe(silent, timeout(1)))).rejects.toBeInstanceOf(TimeoutError);
    const patient = pipe(spySource([1], { pace: () => turn() }), timeout(2 ** 40));
    expect(await collect(patient)).toEqual([1]);
  });

  test.each([-1, Number.NaN, { first: -1 }, { total: -1 }])("rejects a limit of %o", (limit) => {
    expect(() => timeout(limit)).toThrow(RangeError);
  });
});
