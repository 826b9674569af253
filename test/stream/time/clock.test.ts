import { expect, test } from "vitest";
import { systemClock } from "millrace";
import { sleep } from "#src/stream/time/sleep.js";
import { turn } from "../support/hand-fed.js";

test("the system clock is monotonic", async () => {
  const before = systemClock.now();
  await turn();
  expect(systemClock.now()).toBeGreaterThan(before);
});

test("the system clock calls back once, unless the timer is cleared", async () => {
  const called: string[] = [];
  const cleared = systemClock.setTimeout(() => called.push("cleared"), 0);
  systemClock.clearTimeout(cleared);
  await new Promise<void>((resolve) => {
    systemClock.setTimeout(() => {
      called.push("kept");
      resolve();
    }, 0);
  });
  await turn();
  expect(called).toEqual(["kept"]);
});

test("the system clock accepts a delay that is too long for setTimeout", async () => {
  let called = false;
  const timer = systemClock.setTimeout(() => (called = true), 2 ** 31);
  await turn();
  await turn();
  systemClock.clearTimeout(timer);
  expect(called).toBe(false);
});

test("sleep() does not wait if the signal is aborted already", async () => {
  const clock = { ...systemClock, setTimeout: () => expect.fail("a timer was set") };
  await sleep(60_000, clock, AbortSignal.abort());
});
