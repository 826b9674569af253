import { expect, test } from "vitest";
import { systemClock } from "millrace";
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
