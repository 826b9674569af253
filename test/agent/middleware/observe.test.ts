import { collect, from } from "millrace";
import { expect, test } from "vitest";
import { turn } from "../../stream/support/hand-fed.js";
import { type StreamObserver, observe } from "#src/agent/middleware/observe.js";

/** The events of an observer. */
function watching<T>(open: () => AsyncIterable<T>): { stream: AsyncIterable<T>; seen: unknown[] } {
  const seen: unknown[] = [];
  const begin = (): StreamObserver<T> => {
    seen.push("begin");
    return { onItem: (item) => seen.push(item), onEnd: (ending) => seen.push(ending) };
  };
  return { stream: observe(open, begin), seen };
}

test("nothing starts before the first next()", async () => {
  const { stream, seen } = watching(() => from([1, 2]));
  const iterator = stream[Symbol.asyncIterator]();
  expect(seen).toEqual([]);
  await iterator.next();
  expect(seen).toEqual(["begin", 1]);
});

test("a stream that is closed before its start has no events", async () => {
  const { stream, seen } = watching(() => from([1]));
  const iterator = stream[Symbol.asyncIterator]();
  await iterator.return?.();
  expect(await iterator.next()).toEqual({ done: true, value: undefined });
  expect(seen).toEqual([]);
});

test("each iteration has its own observer, which sees each item and the end", async () => {
  const { stream, seen } = watching(() => from([1, 2]));
  expect(await collect(stream)).toEqual([1, 2]);
  expect(await collect(stream)).toEqual([1, 2]);
  expect(seen).toEqual(["begin", 1, 2, "done", "begin", 1, 2, "done"]);
});

test("an error is passed on unchanged, also when the stream cannot be opened", async () => {
  const error = new Error("broken");
  const thrown = watching<number>(() => {
    throw error;
  });
  await expect(collect(thrown.stream)).rejects.toBe(error);
  expect(thrown.seen).toEqual(["begin", { error }]);
  const rejected = watching(async function* () {
    yield 1;
    throw error;
  });
  await expect(collect(rejected.stream)).rejects.toBe(error);
  expect(rejected.seen).toEqual(["begin", 1, { error }]);
});

test("an error of the observer closes the stream, and is the error of the stream and its end", async () => {
  const error = new Error("disk full");
  const seen: unknown[] = [];
  async function* source(): AsyncGenerator<number> {
    try {
      yield 1;
      yield 2;
    } finally {
      seen.push("closed");
    }
  }
  const onItem = (): never => {
    throw error;
  };
  const stream = observe(source, () => ({ onItem, onEnd: (ending) => seen.push(ending) }));
  const iterator = stream[Symbol.asyncIterator]();
  await expect(iterator.next()).rejects.toBe(error);
  await turn();
  expect(seen).toEqual(["closed", { error }]);
  expect(await iterator.next()).toEqual({ done: true, value: undefined });

  const unborn = observe(source, () => {
    throw error;
  });
  await expect(unborn[Symbol.asyncIterator]().next()).rejects.toBe(error);
  expect(seen).toHaveLength(2);
});

test("leaving closes the stream once, before the observer sees the end", async () => {
  const closed: unknown[] = [];
  const { stream, seen } = watching(async function* () {
    try {
      yield 1;
      yield 2;
    } finally {
      closed.push(...seen);
    }
  });
  const iterator = stream[Symbol.asyncIterator]();
  await iterator.next();
  await iterator.return?.();
  await iterator.return?.();
  expect(closed).toEqual(["begin", 1]);
  expect(seen).toEqual(["begin", 1, "left"]);
});

test.each<[what: string, settle: (waiting: Waiting) => void]>([
  ["ends", ({ resolve }) => resolve({ done: true, value: undefined })],
  ["fails", ({ reject }) => reject(new Error("closed"))],
  ["yields an item", ({ resolve }) => resolve({ done: false, value: 1 })],
])("a stream that is left during a pull ends with left, even if the pull %s", async (_, settle) => {
  let waiting: Waiting;
  const { stream, seen } = watching<number>(() => ({
    [Symbol.asyncIterator]: () => ({
      next: () => (waiting = withResolvers()).promise,
      return: async () => {
        settle(waiting);
        await waiting.promise.catch(() => {});
        return { done: true, value: undefined };
      },
    }),
  }));
  const iterator = stream[Symbol.asyncIterator]();
  const pull = iterator.next().catch(() => {});
  await iterator.return?.();
  await pull;
  expect(seen).toEqual(["begin", "left"]);
});

test("all calls into the source run inside within()", async () => {
  let depth = 0;
  const depths: number[] = [];
  const source: AsyncIterable<number> = {
    [Symbol.asyncIterator]() {
      depths.push(depth);
      return {
        next: async () => {
          depths.push(depth);
          return { done: false, value: 1 };
        },
        return: async () => {
          depths.push(depth);
          return { done: true, value: undefined };
        },
      };
    },
  };
  const within = <R>(work: () => R): R => {
    depth++;
    try {
      return work();
    } finally {
      depth--;
    }
  };
  const stream = observe<number>(
    () => {
      depths.push(depth);
      return source;
    },
    () => ({ within, onEnd: () => depths.push(depth) }),
  );
  for await (const _ of stream) break;
  expect(depths).toEqual([1, 1, 1, 1, 0]);
});

type Waiting = ReturnType<typeof withResolvers<IteratorResult<number>>>;

function withResolvers<T>(): {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (error: unknown) => void;
} {
  let resolve: (value: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
}
