import { describe, expect, test } from "vitest";
import { collect, filter, from, map, pipe, stage, type Transform, take } from "millrace";
import { spySource } from "millrace/testing";
import { HandFed, stateOf, turn } from "../support/hand-fed.js";

/** Emits each number n times. */
const repeated = stage<number, number>((emit) => ({
  next: (times) => {
    for (let i = 0; i < times; i++) emit(times);
  },
}));
const atEnd = (item: string) =>
  stage<string, string>((emit) => ({
    next: emit,
    end: () => {
      emit(item);
    },
  }));

describe("items that a step emits", () => {
  test("come out in order: none, one or many for each input", async () => {
    expect(await collect(pipe(from([2, 0, 1, 3]), repeated))).toEqual([2, 2, 1, 3, 3, 3]);
  });

  test.each([1, 2, 3])("are followed by %i that it emits while it waits", async (count) => {
    const waiting = stage<string, string>((emit, stop, wait) => ({
      next: (item) => {
        emit(item);
        if (item !== "b") return;
        for (let i = 0; i < count; i++) emit(`now ${i}`);
        wait(Promise.resolve().then(() => emit("later")));
        stop();
      },
    }));
    const expected = ["a", "b", ...Array.from({ length: count }, (_, i) => `now ${i}`), "later"];
    // The source has its second item ready.
    expect(await collect(pipe(from(["a", "b"]), waiting))).toEqual(expected);
    expect(await collect(pipe(from(["a", "b"]), waiting, take(9)))).toEqual(expected);
  });

  test("all pass through the following steps", async () => {
    const chain = pipe(
      from([1, 2]),
      repeated,
      map((n) => n + 1),
      repeated,
      filter((n) => n === 3),
    );
    expect(await collect(chain)).toEqual([3, 3, 3, 3, 3, 3]);
  });

  test("may be undefined", async () => {
    expect(
      await collect(
        pipe(
          from([1, 2]),
          map(() => undefined),
        ),
      ),
    ).toEqual([undefined, undefined]);
  });

  test("at the end pass through all following steps, which end in order", async () => {
    expect(await collect(pipe(from(["a"]), atEnd("b"), atEnd("c")))).toEqual(["a", "b", "c"]);
  });

  test("are delivered before an error that a later item causes", async () => {
    const failing = map((n: number, index) => {
      if (index === 2) throw new Error("third");
      return n;
    });
    const seen: number[] = [];
    const source = spySource([1, 4]);
    await expect(
      (async () => {
        for await (const n of pipe(source, repeated, failing)) seen.push(n);
      })(),
    ).rejects.toThrow("third");
    expect(seen).toEqual([1, 4]);
    expect(source.returns).toBe(1);
  });
});

describe("consecutive stages", () => {
  test("fuse: a chain opens one iterator, and takes as many turns as one stage", async () => {
    const turns = async (stages: number): Promise<number> => {
      let stream: AsyncIterable<number> = spySource([1]);
      for (let i = 0; i < stages; i++) stream = map((n: number) => n)(stream);
      let answered = false;
      let count = 0;
      void stream[Symbol.asyncIterator]()
        .next()
        .then(() => (answered = true));
      for (; !answered; count++) await Promise.resolve();
      return count;
    };
    expect(await turns(20)).toBe(await turns(1));
  });

  test("do not change their source: a prefix can be used twice", async () => {
    const doubled = pipe(
      from([1, 2]),
      map((n) => n * 2),
    );
    const [a, b] = [
      pipe(
        doubled,
        map((n) => n + 1),
      ),
      pipe(
        doubled,
        map((n) => `${n}`),
      ),
    ];
    expect([await collect(a), await collect(b), await collect(doubled)]).toEqual([
      [3, 5],
      ["2", "4"],
      [2, 4],
    ]);
  });
});

describe("stop()", () => {
  test("closes the source at once, and delivers the emitted items", async () => {
    const source = spySource([3, 1]);
    const iterator = pipe(source, repeated, take(2))[Symbol.asyncIterator]();
    await iterator.next();
    expect(source.returns).toBe(1);
    expect(await iterator.next()).toEqual({ done: false, value: 3 });
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    expect(source.pulls).toBe(1);
  });

  test("ends the following steps once, even if they stop on the last items", async () => {
    const stream = pipe(spySource(["a"]), atEnd("b"), take(2), atEnd("c"));
    expect(await collect(stream)).toEqual(["a", "b", "c"]);
  });

  test("does not end the steps before it", async () => {
    const stream = pipe(spySource(["a", "b"]), atEnd("never"), take(1), atEnd("end"));
    expect(await collect(stream)).toEqual(["a", "end"]);
  });

  test("while the stage is created closes the source at the first next(), without a pull", async () => {
    const source = spySource(["a"]);
    expect(await collect(pipe(source, take(0), atEnd("end")))).toEqual(["end"]);
    expect([source.pulls, source.returns]).toEqual([0, 1]);
  });

  test("rejects with the error of the source's return(), after the items", async () => {
    const stream = pipe(failingToClose([1, 2]), take(1));
    const iterator = stream[Symbol.asyncIterator]();
    expect(await iterator.next()).toEqual({ done: false, value: 1 });
    await turn();
    await expect(iterator.next()).rejects.toThrow("cannot close");
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });
});

describe("an error", () => {
  test("of a step closes the source; an error of closing does not replace it", async () => {
    const stream = pipe(
      failingToClose([1]),
      map(() => {
        throw new Error("of the step");
      }),
    );
    await expect(collect(stream)).rejects.toThrow("of the step");
  });

  test("of a step at the end rejects, and the source is not closed again", async () => {
    const source = spySource([1]);
    const stream = pipe(
      source,
      stage<number, number>((emit) => ({
        next: emit,
        end: () => {
          throw new Error("at the end");
        },
      })),
    );
    await expect(collect(stream)).rejects.toThrow("at the end");
    expect(source.returns).toBe(0);
  });

  test("that next() throws synchronously rejects", async () => {
    const source: AsyncIterable<number> = {
      [Symbol.asyncIterator]: () => ({
        next: () => {
          throw new Error("at once");
        },
      }),
    };
    await expect(
      collect(
        pipe(
          source,
          map((n) => n),
        ),
      ),
    ).rejects.toThrow("at once");
    await expect(
      collect(
        pipe(
          source,
          filter(() => false),
        ),
      ),
    ).rejects.toThrow("at once");
  });

  test("that is not delivered yet is dropped when the consumer leaves", async () => {
    const failing = map((n: number, index) => {
      if (index === 1) throw new Error("second");
      return n;
    });
    const iterator = pipe(spySource([2]), repeated, failing)[Symbol.asyncIterator]();
    expect(await iterator.next()).toEqual({ done: false, value: 2 });
    await iterator.return?.();
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  test("of closing rejects return()", async () => {
    const iterator = pipe(
      failingToClose([1]),
      map((n) => n),
    )[Symbol.asyncIterator]();
    await iterator.next();
    await expect(iterator.return?.()).rejects.toThrow("cannot close");
    expect(await iterator.return?.()).toEqual({ done: true, value: undefined });
  });
});

test("concurrent calls of next() are answered in order, and the source has one pull at a time", async () => {
  const source = spySource(from0To(40), { pace: turn });
  const iterator = pipe(
    source,
    map((n) => n),
  )[Symbol.asyncIterator]();
  const got: number[] = [];
  const ask = async (): Promise<void> => {
    const result = await iterator.next();
    if (result.done === true) return;
    got.push(result.value);
    await ask();
  };
  await Promise.all([ask(), ask(), ask(), ask(), ask()]);
  expect(got).toEqual(from0To(40));
  expect(source.maxInFlight).toBe(1);
});

test.each([
  { how: "comes later", source: () => spySource([1, 2, 3], { pace: turn }) },
  { how: "is there already", source: () => from([1, 2, 3]) },
])("a step can call next() of its own stream, if its source $how", async ({ source }) => {
  let asked: Promise<IteratorResult<number>> | undefined;
  const iterator: AsyncIterator<number> = pipe(
    source(),
    stage<number, number>((emit) => ({
      next: (item) => {
        asked ??= iterator.next();
        emit(item);
      },
    })),
  )[Symbol.asyncIterator]();
  expect(await iterator.next()).toEqual({ done: false, value: 1 });
  expect(await asked).toEqual({ done: false, value: 2 });
  expect(await iterator.next()).toEqual({ done: false, value: 3 });
  expect(await iterator.next()).toEqual({ done: true, value: undefined });
});

test("a source that is not an async iterable throws a TypeError when it is opened", () => {
  const open = (source: unknown) => () =>
    map((n) => n)(source as AsyncIterable<number>)[Symbol.asyncIterator]();
  expect(open([1])).toThrow(TypeError);
  expect(open([1])).toThrow(/array\..*from\(\)/);
  expect(open(null)).toThrow(/ null\b/);
  expect(open(undefined)).toThrow(/ undefined\b/);
  expect(open(new Map())).toThrow(/\(Map\)/);
  expect(open(Object.create(null))).toThrow(/prototype/);
  expect(open(7)).toThrow(/ number\b/);
});

describe("a step", () => {
  class Sum implements Transform<number> {
    private readonly emit: (sum: number) => void;
    private sum = 0;

    constructor(emit: (sum: number) => void) {
      this.emit = emit;
    }

    next(n: number): void {
      this.sum += n;
    }

    end(): void {
      this.emit(this.sum);
    }
  }

  test("may be an object with methods, at any place of a chain", async () => {
    const sum = stage<number, number>((emit) => new Sum(emit));
    const chain = pipe(
      from([1, 2]),
      sum,
      map((n) => n * 2),
      sum,
    );
    expect(await collect(chain)).toEqual([6]);
  });

  test("may return a promise from end(), for which the end of the following steps waits", async () => {
    const late = stage<string, string>((emit) => ({
      next: emit,
      end: () => turn().then(() => emit("late")),
    }));
    expect(await collect(pipe(from(["a"]), late, late, atEnd("last")))).toEqual([
      "a",
      "late",
      "late",
      "last",
    ]);
    const refusing = stage<string, string>((emit) => ({
      next: emit,
      end: () => Promise.reject(new Error("refused")),
    }));
    await expect(collect(pipe(from(["a"]), refusing))).rejects.toThrow("refused");
  });

  test("does not get what the next one returns", async () => {
    const returned: unknown[] = [];
    const first = stage<string, string>((emit: (item: string) => unknown) => ({
      next: emit,
      end: () => {
        returned.push(emit("b"));
      },
    }));
    const seen: string[] = [];
    const second = stage<string, string>(() => ({ next: (item) => seen.push(item) }));
    await collect(pipe(from(["a"]), first, second));
    expect(seen).toEqual(["a", "b"]);
    expect(returned).toEqual([undefined]);
  });
});

describe("wait()", () => {
  test("delays the end of the following steps", async () => {
    const late = stage<string, string>((emit, _stop, wait) => ({
      next: emit,
      end: () => {
        wait(
          turn().then(() => {
            emit("late");
          }),
        );
      },
    }));
    expect(await collect(pipe(spySource(["a"]), late, atEnd("end")))).toEqual(["a", "late", "end"]);
  });

  test("works for an item after dropped items", async () => {
    const later = stage<number, number>((emit, _stop, wait) => ({
      next: (n) => {
        wait(
          turn().then(() => {
            emit(n);
          }),
        );
      },
    }));
    const stream = pipe(
      spySource([1, 2, 3]),
      filter((n) => n > 1),
      later,
    );
    expect(await collect(stream)).toEqual([2, 3]);
  });

  test("can be called while another wait is pending, also with a rejected promise", async () => {
    const stream = pipe(
      spySource([1]),
      stage<number, number>((_emit, _stop, wait) => ({
        next: () => {
          wait(
            turn().then(() => {
              wait(Promise.reject(new Error("within")));
              return turn().then(turn);
            }),
          );
        },
      })),
    );
    await expect(collect(stream)).rejects.toThrow("within");
  });

  test("that rejects after the consumer has left is ignored", async () => {
    const source = spySource([1]);
    const stream = pipe(
      source,
      stage<number, number>((_emit, _stop, wait) => ({
        next: () => {
          wait(turn().then(() => Promise.reject(new Error("too late"))));
        },
      })),
    );
    const iterator = stream[Symbol.asyncIterator]();
    const pending = iterator.next();
    await Promise.resolve();
    await iterator.return?.();
    expect(await pending).toEqual({ done: true, value: undefined });
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  test("delays the next pull and the end until the step is ready", async () => {
    const source = spySource([1, 2]);
    let open = (): void => {};
    const stream = pipe(
      source,
      stage<number, number>((emit, _stop, wait) => ({
        next: (n) => {
          wait(
            new Promise<void>((resolve) => {
              open = resolve;
            }).then(() => {
              emit(n);
            }),
          );
        },
      })),
    );
    const items = collect(stream);
    await turn();
    expect(source.pulls).toBe(1);
    open();
    await turn();
    expect(source.pulls).toBe(2);
    open();
    expect(await items).toEqual([1, 2]);
  });

  test("rejects the stream if its promise rejects, and closes the source", async () => {
    const source = spySource([1, 2]);
    const stream = pipe(
      source,
      stage<number, number>((emit, _stop, wait) => ({
        next: (n) => {
          emit(n);
          wait(turn().then(turn));
          wait(Promise.reject(new Error("early")));
        },
      })),
    );
    const iterator = stream[Symbol.asyncIterator]();
    expect(await iterator.next()).toEqual({ done: false, value: 1 });
    await expect(iterator.next()).rejects.toThrow("early");
    expect(source.returns).toBe(1);
  });

  test("drops items that are emitted after the consumer has left", async () => {
    const source = new HandFed<number>();
    let open = (): void => {};
    const stream = pipe(
      source,
      stage<number, number>((emit, _stop, wait) => ({
        next: (n) => {
          wait(
            new Promise<void>((resolve) => {
              open = resolve;
            }).then(() => {
              emit(n);
            }),
          );
        },
      })),
    );
    const iterator = stream[Symbol.asyncIterator]();
    const pending = iterator.next();
    await source.give(1);
    await iterator.return?.();
    open();
    expect(await stateOf(pending)).toEqual({ done: true, value: undefined });
    expect(source.returns).toBe(1);
  });
});

test("return() ends the calls of next() that wait for a source that hangs", async () => {
  const source = spySource<number>([], { then: "hang" });
  const stream = pipe(
    source,
    map((it) => it),
    take(5),
  )[Symbol.asyncIterator]();
  const calls = [stream.next(), stream.next()];
  await turn();
  void stream.return?.(); // waits for the source, as an async generator does
  const end = { done: true, value: undefined };
  expect(await Promise.all(calls)).toEqual([end, end]);
});

function failingToClose(items: readonly number[]): AsyncIterable<number> {
  return {
    [Symbol.asyncIterator]: () => {
      let position = 0;
      return {
        next: async () => ({ done: false, value: items[position++] as number }),
        return: async () => {
          throw new Error("cannot close");
        },
      };
    },
  };
}

function from0To(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}
