import { afterEach, beforeEach, expect, test } from "vitest";
import { collect, from, map, mapAsync, type Operator, pipe, stage, take } from "millrace";
import { spySource } from "millrace/testing";
import { turn } from "../support/hand-fed.js";

/** Emits all items of a list at once, which one generator after another would pull one at a time. */
const each = stage<readonly number[], number>((emit) => ({ next: (list) => list.forEach(emit) }));
const rejectsFor = (bad: number): Operator<number, number> =>
  mapAsync((n) => turn().then(() => (n === bad ? Promise.reject(new Error(`async ${n}`)) : n)));
const throwsFor = (bad: number): Operator<number, number> =>
  map((n) => {
    if (n === bad) throw new Error(`sync ${n}`);
    return n;
  });
/** Emits 100 and the items of `late` at the end. */
const atEnd = (late?: () => void | Promise<void>): Operator<number, number> =>
  stage((emit) => ({
    next: emit,
    end: () => {
      emit(100);
      return late?.();
    },
  }));

/** Enough for all that is ready, and no timer fires. */
const microtasks = async (): Promise<void> => {
  for (let i = 0; i < 20; i++) await Promise.resolve();
};

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
beforeEach(() => {
  unhandled.length = 0;
  process.on("unhandledRejection", onUnhandled);
});
afterEach(() => {
  process.off("unhandledRejection", onUnhandled);
});

test.each([
  ["throws", throwsFor(2)],
  ["rejects", rejectsFor(2)],
])(
  "a stage that %s for a later item of a burst does not reach a stream that has stopped",
  async (_, fails) => {
    const source = spySource([[1, 2]]);
    expect(await collect(pipe(source, each, fails, take(1)))).toEqual([1]);
    expect(await collect(pipe(source, each, fails, take(1), rejectsFor(9), atEnd()))).toEqual([1, 100]);
    expect(await collect(pipe(source, each, fails, rejectsFor(9), take(1), atEnd()))).toEqual([1, 100]);
    expect(source.returns).toBe(3);
  },
);

test("a stage that throws at its end does not reach a stream that has stopped on its last item", async () => {
  const failing = atEnd(() => {
    throw new Error("at the end");
  });
  expect(await collect(pipe(from([1]), failing, take(2)))).toEqual([1, 100]);
  expect(await collect(pipe(from([1]), failing, rejectsFor(9), take(2), atEnd()))).toEqual([1, 100, 100]);
});

test.each([
  ["throws", throwsFor(2)],
  ["rejects", rejectsFor(2)],
])("the error of an earlier item comes first, also if a later one %s before", async (_, fails) => {
  const slow = mapAsync((n: number) =>
    turn()
      .then(turn)
      .then(turn)
      .then(() => Promise.reject(new Error(`slow ${n}`))),
  );
  await expect(collect(pipe(from([[1, 2]]), each, fails, slow))).rejects.toThrow("slow 1");
});

test("an error waits for an earlier item that a later stage still works on", async () => {
  const items: number[] = [];
  const late = stage<number, number>((emit) => ({
    next: emit,
    end: () => {
      emit(1);
      return turn().then(() => {
        emit(2);
      });
    },
  }));
  const slow = mapAsync((n: number) =>
    turn()
      .then(turn)
      .then(() => n),
  );
  const rejects = mapAsync((n: number) =>
    n === 2 ? Promise.reject(new Error("async 2")) : turn().then(() => n),
  );
  const read = async (): Promise<void> => {
    for await (const item of pipe(from<number>([]), late, rejects, slow)) items.push(item);
  };
  await expect(read()).rejects.toThrow("async 2");
  expect(items).toEqual([1]);
});

test("a step that stops while it is created leaves the error of a later one's end for next()", async () => {
  const failing = atEnd(() => {
    throw new Error("at the end");
  });
  const source = spySource([1]);
  const iterator = pipe(source, take(0), failing)[Symbol.asyncIterator]();
  expect(await iterator.next()).toEqual({ done: false, value: 100 });
  await expect(iterator.next()).rejects.toThrow("at the end");
  expect([source.pulls, source.returns]).toEqual([0, 1]);
});

test("leaving while stages wait for one another leaves no unhandled rejection", async () => {
  const slowForLast = mapAsync((n: number) => (n === 3 ? new Promise<number>(() => {}) : Promise.resolve(n)));
  const iterator = pipe(from([[1, 2, 3]]), each, slowForLast, rejectsFor(1))[Symbol.asyncIterator]();
  void iterator.next();
  await microtasks();
  await iterator.return?.();
  await turn();
  await turn();
  expect(unhandled).toEqual([]);
});

test("a consumer that leaves while a step ends does not end the later steps", async () => {
  let ends = 0;
  const ending = stage<number, number>((emit) => ({ next: emit, end: turn }));
  const counting = stage<number, number>((emit) => ({
    next: emit,
    end: () => {
      ends++;
    },
  }));
  const iterator = pipe(from<number>([]), ending, counting)[Symbol.asyncIterator]();
  const pending = iterator.next();
  await Promise.resolve();
  await iterator.return?.();
  await pending;
  await turn();
  expect(ends).toBe(0);
});

test("the first error of a step ends the stream, after what its other work emits", async () => {
  const both = stage<number, number>((emit, _stop, wait) => ({
    next: (n) => {
      wait(
        turn()
          .then(turn)
          .then(() => {
            emit(n);
            throw new Error("later");
          }),
      );
      wait(Promise.reject(new Error("first")));
    },
  }));
  const iterator = pipe(from([1]), both)[Symbol.asyncIterator]();
  expect(await iterator.next()).toEqual({ done: false, value: 1 });
  await expect(iterator.next()).rejects.toThrow("first");
  expect(await iterator.next()).toEqual({ done: true, value: undefined });
});
