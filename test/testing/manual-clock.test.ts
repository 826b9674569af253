import { expect, test } from "vitest";
import { manualClock } from "millrace/testing";

test("a manual clock moves only when it is advanced", () => {
  const clock = manualClock();
  expect(clock.now()).toBe(0);
  clock.advance(5);
  clock.advance(0.5);
  expect(clock.now()).toBe(5.5);
});

test("advance() runs due timers in order, each at its own time, including timers set on the way", () => {
  const clock = manualClock();
  const log: string[] = [];
  const at = (name: string) => () => void log.push(`${name} at ${clock.now()}`);
  clock.setTimeout(at("late"), 9);
  clock.setTimeout(() => {
    at("first")();
    clock.setTimeout(at("set on the way"), 2);
  }, 1);
  clock.setTimeout(at("second of the same time"), 1);
  clock.setTimeout(at("too late"), 11);
  clock.advance(10);
  expect(log).toEqual(["first at 1", "second of the same time at 1", "set on the way at 3", "late at 9"]);
  expect([clock.now(), clock.timers]).toEqual([10, 1]);
});

test("a manual clock drops a cleared timer, and ignores an unknown one", () => {
  const clock = manualClock();
  const timer = clock.setTimeout(() => expect.unreachable(), 1);
  expect(clock.timers).toBe(1);
  clock.clearTimeout(timer);
  clock.clearTimeout(timer);
  clock.clearTimeout(undefined);
  clock.advance(2);
  expect(clock.timers).toBe(0);
});
