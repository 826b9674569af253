import { expect, test } from "vitest";
import { systemClock } from "millrace";
import { turn } from "../support/hand-fed.js";

test("the system clock goes on, and never back", async () => {
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

test("the system clock does not take a timer that is too long for the engine as one of no length", async () => {
  let called = false;
  const timer = systemClock.setTimeout(() => (called = true), 2 ** 31);
  await turn();
  await turn();
  systemClock.clearTimeout(timer);
  expect(called).toBe(false);
});
