import { expect, test } from "vitest";
import { Queue } from "#src/stream/core/queue.js";

test("a queue returns items in order, and undefined when it is empty", () => {
  const queue = new Queue<number>();
  expect([queue.length, queue.shift()]).toEqual([0, undefined]);
  queue.push(1);
  queue.push(2);
  expect([queue.length, queue.shift()]).toEqual([2, 1]);
  queue.push(3);
  expect([queue.shift(), queue.shift(), queue.shift(), queue.length]).toEqual([2, 3, undefined, 0]);
});

test("a queue releases removed items", () => {
  const queue = new Queue<object>();
  queue.push({});
  queue.push({});
  queue.shift();
  expect(placesOf(queue)[0]).toBe(undefined);
});

test("the storage of a queue that is never empty stays bounded", () => {
  const queue = new Queue<number>();
  for (let n = 0; n < 100; n++) queue.push(n);
  for (let n = 0; n < 10_000; n++) {
    queue.push(100 + n);
    expect(queue.shift()).toBe(n);
  }
  expect(queue.length).toBe(100);
  expect(placesOf(queue).length).toBeLessThan(400);
});

/** The private storage of a queue. */
function placesOf(queue: object): readonly unknown[] {
  return (queue as { items: readonly unknown[] }).items;
}
