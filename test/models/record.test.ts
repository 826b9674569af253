import { describe, expect, test } from "vitest";
import {
  abortable,
  collect,
  from,
  type JsonValue,
  map,
  MillraceError,
  ModelError,
  pipe,
  take,
  TimeoutError,
} from "millrace";
import { record } from "millrace/models";
import { manualClock, operatorLaws, spySource, replay } from "millrace/testing";

const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve);
  });

const header = { millrace: "transcript", version: 1 };

/** A sink that stores the lines. */
function lines() {
  const kept: string[] = [];
  return {
    sink: (line: string) => void kept.push(line),
    kept,
    read: () => kept.map((line) => JSON.parse(line) as JsonValue),
  };
}

async function failure(run: Promise<unknown>): Promise<unknown> {
  const none = {};
  const error: unknown = await run.then(
    () => none,
    (reason: unknown) => reason,
  );
  if (error === none) throw new Error("expected a failure");
  return error;
}

// G-stream-1
describe("the laws", () => {
  const slow = async (): Promise<void> => {
    for (let i = 0; i < 10; i++) await Promise.resolve();
  };
  for (const [name, sink] of [
    ["", () => {}],
    [", with a slow sink", slow],
  ] as const) {
    for (const law of operatorLaws(() => record<number>(sink), { inputs: [1, 2, 3, 4] })) {
      test.concurrent(`${law.name}${name}`, () => law.check());
    }
  }
});

test.each([undefined, {}])("a sink that cannot be written to is refused at once: %j", (sink) => {
  expect(() => record(sink as never)).toThrow(/^record\(\) expects a function or a WritableStream, but got /);
});

describe("a transcript", () => {
  test("has a header, each item with its arrival time, and the end", async () => {
    const clock = manualClock();
    clock.advance(1000);
    const { sink, kept } = lines();
    const source = map<number, unknown>((n) => {
      clock.advance(n);
      return { n };
    })(from([0, 5, 2.00049]));
    await collect(pipe(source, record(sink, { clock })));
    expect(kept).toEqual([
      '{"millrace":"transcript","version":1}',
      '{"t":0,"value":{"n":0}}',
      '{"t":5,"value":{"n":5}}',
      '{"t":7,"value":{"n":2.00049}}',
      '{"t":7,"end":true}',
    ]);
  });

  test("starts when the first item is requested", async () => {
    const clock = manualClock();
    const { sink, kept, read } = lines();
    const iterator = pipe(from(["a"]), record(sink, { clock }))[Symbol.asyncIterator]();
    clock.advance(50);
    await turn();
    expect(kept).toEqual([]);
    await iterator.next();
    expect(read()).toEqual([header, { t: 0, value: "a" }]);
  });

  test("forwards each item unchanged after its line is written", async () => {
    const { sink, read } = lines();
    const items = [{ a: 1 }, { a: 2 }];
    const seen: unknown[] = [];
    for await (const item of pipe(from(items), record(sink))) {
      seen.push(item);
      expect(read()).toHaveLength(1 + seen.length);
    }
    expect(seen[0]).toBe(items[0]);
    expect(seen[1]).toBe(items[1]);
  });

  test("is written for each iteration", async () => {
    const { sink, read } = lines();
    const stream = pipe(from(["a"]), record(sink));
    await collect(stream);
    await collect(stream);
    const types = read().map((line) => Object.keys(line as object).join());
    const one = ["millrace,version", "t,value", "t,end"];
    expect(types).toEqual([...one, ...one]);
  });

  test("ends with the error of the source, which arrives as the same object", async () => {
    const { sink, read } = lines();
    const error = new ModelError("http", "Too much.", { status: 429, retryable: true, retryAfter: 2000 });
    const source = spySource(["a"], { then: { error } });
    expect(await failure(collect(pipe(source, record(sink))))).toBe(error);
    expect(read().slice(2)).toEqual([
      {
        t: expect.any(Number) as number,
        error: {
          name: "ModelError",
          code: "http",
          message: "Too much.",
          status: 429,
          retryable: true,
          retryAfter: 2000,
        },
      },
    ]);
  });

  test("records that the reader left", async () => {
    const { sink, read } = lines();
    const source = spySource(["a", "b", "c"]);
    await collect(pipe(source, record(sink), take(2)));
    expect(read().map((line) => Object.keys(line as object)[1])).toEqual([
      "version",
      "value",
      "value",
      "left",
    ]);
    expect(source.returns).toBe(1);
  });

  test("records it even if the source hangs, which is closed immediately", async () => {
    const { sink, read } = lines();
    const source = spySource(["a"], { then: "hang" });
    const controller = new AbortController();
    const reading = failure(collect(pipe(source, record(sink), abortable(controller.signal))));
    await turn();
    controller.abort(new Error("enough"));
    expect(await reading).toBe(controller.signal.reason);
    await turn();
    expect(source.returns).toBe(1);
    expect(read().at(-1)).toEqual({ t: expect.any(Number) as number, left: true });
  });

  test.each(["end", "hang", { error: new Error("late") }] as const)(
    "has nothing after that line, even if the source continues (then: %j)",
    async (then) => {
      let answer = (): void => {};
      const pace = (): Promise<void> =>
        new Promise((resolve) => {
          answer = resolve;
        });
      for (const items of [["a"], []]) {
        const { sink, read } = lines();
        const stream = pipe(spySource(items, { then, pace }), record(sink));
        const iterator = stream[Symbol.asyncIterator]();
        const pending = iterator.next().catch(() => {});
        await turn();
        const leaving = iterator.return?.().catch(() => {});
        await turn();
        answer();
        if (then !== "hang") await Promise.all([pending, leaving]);
        await turn();
        expect(read()).toEqual([header, { t: expect.any(Number) as number, left: true }]);
      }
    },
  );

  test.each([
    ["undefined", undefined],
    ["a function", () => 1],
    ["a bigint", 1n],
    ["a cycle", cycle()],
  ])("rejects %s, which JSON cannot represent, and records the error in its last line", async (_, item) => {
    const { sink, read } = lines();
    const source = spySource<unknown>(["a", item, "c"]);
    const error = await failure(collect(pipe(source, record(sink))));
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toContain("record()");
    expect(source.returns).toBe(1);
    expect(read()).toHaveLength(3);
    expect(read().at(-1)).toMatchObject({ error: { name: "TypeError" } });
  });
});

function cycle(): unknown {
  const value: { self?: unknown } = {};
  value.self = value;
  return value;
}

describe("a sink", () => {
  test.each([0, 1, 2])(
    "that fails at line %i ends the stream with its error and closes the source",
    async (at) => {
      const problem = new Error("disk full");
      let line = 0;
      const source = spySource(["a", "b"]);
      const written: string[] = [];
      const sink = async (text: string): Promise<void> => {
        await Promise.resolve();
        if (line++ === at) throw problem;
        written.push(text);
      };
      const seen: string[] = [];
      const reading = (async () => {
        for await (const item of pipe(source, record(sink))) seen.push(item);
      })();
      expect(await failure(reading)).toBe(problem);
      expect(seen).toEqual(["a", "b"].slice(0, Math.max(0, at - 1)));
      expect(source.returns).toBe(1);
      expect(source.faults).toEqual([]);
      await turn();
      expect(written).toHaveLength(at); // nothing after the failure
    },
  );

  test("that fails at the last line ends the stream with its error", async () => {
    const problem = new Error("disk full");
    const sink = (line: string): void => {
      if (line.includes("end")) throw problem;
    };
    expect(await failure(collect(pipe(from(["a"]), record(sink))))).toBe(problem);
  });

  test("that fails does not hide the error of the source", async () => {
    const error = new Error("cut");
    const sink = (line: string): void => {
      if (line.includes("error")) throw new Error("disk full");
    };
    expect(await failure(collect(pipe(spySource(["a"], { then: { error } }), record(sink))))).toBe(error);
  });

  test("that is a web stream receives text with line breaks, and is closed", async () => {
    const written: string[] = [];
    let closed = 0;
    const sink = new WritableStream<string>({
      write: (text) => void written.push(text),
      close: () => {
        closed++;
      },
    });
    const stream = pipe(from(["a"]), record(sink));
    expect(sink.locked).toBe(false);
    expect(await collect(stream)).toEqual(["a"]);
    const text = written.join("");
    expect(text.split("\n").map((line) => line.replace(/"t":[\d.]+/, '"t":0'))).toEqual([
      JSON.stringify(header),
      '{"t":0,"value":"a"}',
      '{"t":0,"end":true}',
      "",
    ]);
    expect(closed).toBe(1);
  });

  test("that is a web stream is also closed when its reader leaves or the source fails", async () => {
    let closed = 0;
    const close = (): void => {
      closed++;
    };
    const sink = (): WritableStream<string> => new WritableStream({ close });
    await collect(pipe(from(["a", "b"]), record(sink()), take(1)));
    expect(closed).toBe(1);
    await failure(collect(pipe(spySource(["a"], { then: { error: new Error("x") } }), record(sink()))));
    expect(closed).toBe(2);
  });

  test("that is a web stream and fails ends the stream with its error", async () => {
    const problem = new Error("disk full");
    const sink = new WritableStream<string>({
      write: (text) => (text.includes("value") ? Promise.reject(problem) : undefined),
    });
    const source = spySource(["a", "b"]);
    expect(await failure(collect(pipe(source, record(sink))))).toBe(problem);
    expect(source.returns).toBe(1);
  });
});

describe("an error, serialized and restored,", () => {
  const again = async (error: unknown): Promise<unknown> => {
    const { sink, kept } = lines();
    await failure(collect(pipe(spySource([], { then: { error } }), record(sink))));
    return failure(collect(replay(kept, { speed: Infinity })));
  };

  test("has all details of a ModelError", async () => {
    const details = {
      status: 500,
      retryable: true,
      requestId: "req_1",
      providerCode: "overloaded",
      excerpt: "…",
      retryAfter: 3,
      partial: { role: "assistant", content: [{ type: "text", text: "Hel" }] },
    } as const;
    const cause = new TypeError("fetch failed", { cause: "socket" });
    const error = new ModelError("provider", "It failed.", { ...details, cause });
    const read = await again(error);
    expect(read).toBeInstanceOf(ModelError);
    expect(read).toMatchObject({ ...details, code: "provider", message: "It failed.", name: "ModelError" });
    const because = (read as Error).cause as Error;
    expect(because).toMatchObject({ name: "TypeError", message: "fetch failed", cause: "socket" });
  });

  test("has no additional details", async () => {
    const error = new ModelError("cut", "It ended.");
    expect(Object.entries((await again(error)) as ModelError)).toEqual(Object.entries(error));
    expect(((await again(error)) as Error).cause).toBeUndefined();
  });

  test("keeps its name and code if it is another error", async () => {
    const read = await again(new TimeoutError("idle", 5, 2));
    expect(read).toBeInstanceOf(MillraceError);
    expect(read).toMatchObject({ name: "TimeoutError", code: "timeout" });
    expect((read as Error).message).toContain("5 ms");
    const plain = await again(new DOMException("stop", "AbortError"));
    expect(plain).toBeInstanceOf(Error);
    expect(plain).toMatchObject({ name: "AbortError", message: "stop" });
    expect(plain).not.toBeInstanceOf(MillraceError);
  });

  test("is the thrown value as text if it is not an error", async () => {
    expect(await again("just text")).toBe("just text");
    expect(await again(7)).toBe("7");
  });

  test("has at most five causes", async () => {
    let error = new Error("0");
    for (let i = 1; i < 10; i++) error = new Error(String(i), { cause: error });
    let read: unknown = await again(error);
    const messages: string[] = [];
    for (; read instanceof Error; read = read.cause) messages.push(read.message);
    expect(messages).toEqual(["9", "8", "7", "6", "5"]);
  });
});
