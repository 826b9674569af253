import { Readable } from "node:stream";
import { from as ixFrom } from "@reactivex/ix-esnext-esm/asynciterable/asynciterablex";
import { describe, expect, test } from "vitest";
import { collect, from, map, pipe, type StreamInput, take } from "millrace";
import { spySource } from "millrace/testing";
import { stateOf, turn } from "../support/hand-fed.js";

/** A web stream that counts its cancellations. */
function webStream<T>(items: readonly T[], end: "close" | "hang" | Error = "close") {
  const cancelled: unknown[] = [];
  let pulls = 0;
  let position = 0;
  const stream = new ReadableStream<T>(
    {
      pull: (controller) => {
        pulls++;
        if (position < items.length) controller.enqueue(items[position++] as T);
        else if (end === "close") controller.close();
        else if (end !== "hang") controller.error(end);
      },
      cancel: (reason) => void cancelled.push(reason),
    },
    { highWaterMark: 0 },
  );
  return { stream, cancelled, pulls: () => pulls };
}

const textOf = async (stream: AsyncIterable<Uint8Array>): Promise<string> =>
  Buffer.concat(await collect(stream)).toString();

describe("from(Response)", () => {
  test("yields the bytes of the body", async () => {
    expect(await textOf(from(new Response("mill")))).toBe("mill");
  });

  test("is empty if the body is null", async () => {
    expect(await collect(from(new Response(null, { status: 204 })))).toEqual([]);
  });

  test("accepts a Response of another realm", async () => {
    const foreign = { body: new Response("mill").body, arrayBuffer: () => {} } as unknown as Response;
    expect(await textOf(from(foreign))).toBe("mill");
  });

  test("cancels the body when the consumer leaves", async () => {
    const { stream, cancelled } = webStream([new Uint8Array(1), new Uint8Array(1)]);
    for await (const bytes of from(new Response(stream))) {
      expect(bytes.length).toBe(1);
      break;
    }
    expect(cancelled.length).toBe(1);
  });

  test("throws if the body has been read", async () => {
    const response = new Response("mill");
    await response.text();
    expect(() => from(response)).toThrow(TypeError);
  });

  test("accepts a promise", async () => {
    expect(await textOf(from(Promise.resolve(new Response("mill"))))).toBe("mill");
  });
});

describe("from(ReadableStream)", () => {
  test("yields its items, and unlocks it at the end", async () => {
    const { stream } = webStream([1, 2]);
    expect(await collect(from(stream))).toEqual([1, 2]);
    expect(stream.locked).toBe(false);
  });

  test("locks it at the first next(), not before", async () => {
    const { stream, pulls } = webStream([1]);
    const iterator = from(stream)[Symbol.asyncIterator]();
    expect([stream.locked, pulls()]).toEqual([false, 0]);
    await iterator.next();
    expect([stream.locked, pulls()]).toEqual([true, 1]);
  });

  test("cancels and unlocks it once when the consumer leaves", async () => {
    const { stream, cancelled } = webStream([1, 2]);
    const iterator = from(stream)[Symbol.asyncIterator]();
    await iterator.next();
    await iterator.return?.();
    await iterator.return?.();
    expect([cancelled.length, stream.locked]).toEqual([1, false]);
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  test("cancels it when the consumer leaves before the first item", async () => {
    const { stream, cancelled } = webStream([1]);
    await from(stream)[Symbol.asyncIterator]().return?.();
    expect([cancelled.length, stream.locked]).toEqual([1, false]);
  });

  test("cancels it during a read, and ends that read", async () => {
    const { stream, cancelled } = webStream([], "hang");
    const iterator = from(stream)[Symbol.asyncIterator]();
    const pending = iterator.next();
    await iterator.return?.();
    expect(cancelled.length).toBe(1);
    expect(await stateOf(pending)).toEqual({ done: true, value: undefined });
  });

  test("rejects with its error, the same object, and unlocks it", async () => {
    const error = new Error("cut");
    const { stream } = webStream([1], error);
    const iterator = from(stream)[Symbol.asyncIterator]();
    await iterator.next();
    await expect(iterator.next()).rejects.toBe(error);
    expect(stream.locked).toBe(false);
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    expect(await iterator.return?.()).toEqual({ done: true, value: undefined });
  });

  test("rejects with an error that comes between two reads, once, and unlocks it", async () => {
    const error = new Error("cut");
    let controller: ReadableStreamDefaultController<number> | undefined;
    const stream = new ReadableStream<number>({
      start: (it) => {
        controller = it;
        it.enqueue(1);
      },
    });
    const iterator = from(stream)[Symbol.asyncIterator]();
    await iterator.next();
    controller?.error(error);
    await turn();
    await expect(iterator.next()).rejects.toBe(error);
    expect(stream.locked).toBe(false);
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  test("rejects with the platform's error if the stream is locked", async () => {
    const { stream } = webStream([1]);
    stream.getReader();
    await expect(collect(from(stream))).rejects.toThrow(TypeError);
  });
});

describe("from(iterable)", () => {
  test("yields its items; those of a string are its characters", async () => {
    expect(await collect(from([1, 2]))).toEqual([1, 2]);
    expect(await collect(from(new Set(["a", "b"])))).toEqual(["a", "b"]);
    expect(await collect(from("a👍"))).toEqual(["a", "👍"]);
  });

  test("can be iterated as often as the iterable", async () => {
    const source = from([1, 2]);
    expect([await collect(source), await collect(source)]).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });

  test("awaits promises among the items", async () => {
    expect(await collect(from([1, Promise.resolve(2), turn().then(() => 3)]))).toEqual([1, 2, 3]);
  });

  test("closes the iterator once when the consumer leaves, but not after its end", async () => {
    let closed = 0;
    function* numbers(): Generator<number> {
      try {
        yield 1;
        yield 2;
      } finally {
        closed++;
      }
    }
    expect(await collect(pipe(from(numbers()), take(1)))).toEqual([1]);
    expect(closed).toBe(1);
    expect(await collect(from(numbers()))).toEqual([1, 2]);
    expect(closed).toBe(2);
  });

  test("is lazy", async () => {
    let opened = 0;
    const iterable = {
      *[Symbol.iterator]() {
        opened++;
        yield 1;
      },
    };
    const iterator = from(iterable)[Symbol.asyncIterator]();
    expect(opened).toBe(0);
    await iterator.return?.();
    await iterator.next();
    expect(opened).toBe(0);
  });

  test("rejects with an error of the iterator or of an item; the latter closes the iterator", async () => {
    const error = new Error("of the iterator");
    const failing = from({
      *[Symbol.iterator](): Generator<number> {
        yield 1;
        throw error;
      },
    })[Symbol.asyncIterator]();
    await failing.next();
    await expect(failing.next()).rejects.toBe(error);
    expect(await failing.next()).toEqual({ done: true, value: undefined });

    let closed = false;
    function* promises(): Generator<Promise<number>> {
      try {
        yield Promise.reject(error);
        yield Promise.resolve(2);
      } finally {
        closed = true;
      }
    }
    const rejecting = from(promises())[Symbol.asyncIterator]();
    await expect(rejecting.next()).rejects.toBe(error);
    expect(closed).toBe(true);
    expect(await rejecting.next()).toEqual({ done: true, value: undefined });
  });

  test("rejects with the rejection of an item, also if closing fails", async () => {
    const iterator = from({
      *[Symbol.iterator]() {
        try {
          yield Promise.reject(new Error("of the item"));
        } finally {
          throw new Error("cannot close");
        }
      },
    })[Symbol.asyncIterator]();
    await expect(iterator.next()).rejects.toThrow("of the item");
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  test("rejects with an error of closing", async () => {
    const iterator = from({
      *[Symbol.iterator]() {
        try {
          yield 1;
        } finally {
          throw new Error("cannot close");
        }
      },
    })[Symbol.asyncIterator]();
    await iterator.next();
    await expect(iterator.return?.()).rejects.toThrow("cannot close");
  });
});

describe("from(async iterable)", () => {
  test("returns that iterable", () => {
    const source = spySource([1]);
    expect(from(source)).toBe(source);
  });

  test("accepts a Node stream, an Ix iterable, and the stream class of an SDK", async () => {
    expect(await collect(from(Readable.from(["a", "b"])))).toEqual(["a", "b"]);
    expect(await collect(from(ixFrom([1, 2])))).toEqual([1, 2]);
    class SdkStream implements AsyncIterable<string> {
      readonly controller = new AbortController();
      async *[Symbol.asyncIterator](): AsyncGenerator<string> {
        try {
          yield "a";
          yield "b";
        } finally {
          this.controller.abort();
        }
      }
    }
    const sdk = new SdkStream();
    expect(
      await collect(
        pipe(
          from(Promise.resolve(sdk)),
          map((chunk) => chunk + "!"),
          take(1),
        ),
      ),
    ).toEqual(["a!"]);
    expect(sdk.controller.signal.aborted).toBe(true);
  });
});

describe("from(promise)", () => {
  test("awaits it at the first next()", async () => {
    let awaited = 0;
    const thenable: PromiseLike<number[]> = {
      then: (...callbacks) => {
        awaited++;
        return Promise.resolve([1, 2]).then(...callbacks);
      },
    };
    const source = from(thenable);
    const iterator = source[Symbol.asyncIterator]();
    await turn();
    expect(awaited).toBe(0);
    expect(await Promise.all([iterator.next(), iterator.next(), iterator.next()])).toEqual([
      { done: false, value: 1 },
      { done: false, value: 2 },
      { done: true, value: undefined },
    ]);
    expect(awaited).toBe(1);
  });

  test("rejects with its rejection, which is handled before", async () => {
    const error = new Error("no connection");
    const source = from(Promise.reject<number[]>(error));
    await turn();
    const iterator = source[Symbol.asyncIterator]();
    await expect(iterator.next()).rejects.toBe(error);
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    await iterator.return?.();
  });

  test("does not start an SDK's lazy promise before the first next()", async () => {
    let parsed = 0;
    class SdkPromise<T> extends Promise<T> {
      override then<A = T, B = never>(
        onItem?: ((value: T) => A | PromiseLike<A>) | null,
        onError?: ((reason: unknown) => B | PromiseLike<B>) | null,
      ): Promise<A | B> {
        parsed++;
        return super.then(onItem, onError);
      }
    }
    const promise = new SdkPromise<number[]>((resolve) => {
      resolve([1]);
    });
    const source = from(promise);
    await turn();
    expect(parsed).toBe(0);
    expect(await collect(source)).toEqual([1]);
    expect(parsed).toBeGreaterThan(0);
  });

  test("closes the source when the consumer leaves", async () => {
    const inner = spySource([1, 2]);
    const iterator = from(Promise.resolve(inner))[Symbol.asyncIterator]();
    await iterator.next();
    await iterator.return?.();
    await iterator.return?.();
    expect(inner.returns).toBe(1);
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    expect(inner.faults).toEqual([]);
  });

  test("closes the source if it resolves after the consumer has left, without delaying the consumer", async () => {
    const inner = spySource([1]);
    let keep = (_: AsyncIterable<number>): void => {};
    const promise = new Promise<AsyncIterable<number>>((resolve) => {
      keep = resolve;
    });
    const iterator = from(promise)[Symbol.asyncIterator]();
    const pending = iterator.next();
    await iterator.return?.();
    keep(inner);
    expect(await pending).toEqual({ done: true, value: undefined });
    await turn();
    expect([inner.pulls, inner.returns]).toEqual([0, 1]);
  });

  test("closes the source if it was never pulled", async () => {
    const inner = spySource([1]);
    await from(Promise.resolve(inner))[Symbol.asyncIterator]().return?.();
    await turn();
    expect([inner.pulls, inner.returns]).toEqual([0, 1]);
  });

  test("does not pull after the end or an error", async () => {
    for (const then of ["end", { error: new Error("cut") }] as const) {
      const inner = spySource([1], { then });
      const iterator = from(Promise.resolve(inner))[Symbol.asyncIterator]();
      await iterator.next();
      await iterator.next().catch(() => {});
      await iterator.next();
      await iterator.return?.();
      expect(inner.faults).toEqual([]);
    }
  });
});

describe("from(any other value)", () => {
  const wrong = (input: unknown) => input as StreamInput<never>;

  test.each([
    [undefined, "undefined"],
    [null, "null"],
    [7, "a number"],
    [{}, "an object (Object)"],
    [() => {}, "a function"],
  ])("%s throws at once", (input, name) => {
    expect(() => from(wrong(input))).toThrow(TypeError);
    expect(() => from(wrong(input))).toThrow(` ${name}.`);
  });

  test("names an object whose prototype has no constructor", () => {
    const input = Object.create(Object.create(null) as object) as object;
    expect(() => from(wrong(input))).toThrow(" an object (no named prototype).");
  });

  test("rejects at the first next() if it was a promise", async () => {
    await expect(collect(from(Promise.resolve(wrong(7))))).rejects.toThrow(TypeError);
  });
});
