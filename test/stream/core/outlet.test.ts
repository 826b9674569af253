import { expect, test } from "vitest";
import { end, outlet, wait } from "#src/stream/core/outlet.js";

test("a machine that is woken during a poll is polled once more after it", async () => {
  const log: string[] = [];
  let polls = 0;
  const stream = outlet<number>((wake) => ({
    poll: () => {
      log.push("in");
      const poll = polls++;
      if (poll === 0) wake();
      log.push("out");
      return poll === 0 ? wait : poll;
    },
    close: async () => {},
  }));
  expect(await stream[Symbol.asyncIterator]().next()).toEqual({ done: false, value: 1 });
  expect(log).toEqual(["in", "out", "in", "out"]);
});

test("a machine is polled only for a pending next(), and closed once", async () => {
  let polls = 0;
  let closes = 0;
  let wake = (): void => {};
  const stream = outlet<number>((wakeUp) => {
    wake = wakeUp;
    return {
      poll: () => (polls++ === 0 ? wait : end),
      close: async () => {
        closes++;
      },
    };
  });
  const iterator = stream[Symbol.asyncIterator]();
  wake();
  expect(polls).toBe(0);
  const next = iterator.next();
  wake();
  expect(await next).toEqual({ done: true, value: undefined });
  await iterator.return?.();
  wake();
  expect([polls, closes]).toEqual([2, 1]);
});
