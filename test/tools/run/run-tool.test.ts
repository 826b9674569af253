import { collect, tool, type ToolRuntime } from "millrace";
import { type AnyTool, runTool, type ToolEvent } from "millrace/agent";
import { manualClock } from "millrace/testing";
import { describe, expect, test, vi } from "vitest";
import { turn } from "../../stream/support/hand-fed.js";
import { eventsOf, forever, toldBy } from "../support.js";

const text = { input: "" };
const call = { id: "call_1", name: "it", args: text };

/** The events of a run so far, while it is read. */
function reading(
  it: AnyTool,
  options?: Parameters<typeof runTool>[2],
): { events: ToolEvent[]; done: Promise<unknown> } {
  const events: ToolEvent[] = [];
  const read = async (): Promise<void> => {
    for await (const event of runTool(it, call, options)) events.push(event);
  };
  const done = read().catch((error: unknown) => error);
  return { events, done };
}

const progressIn = (events: readonly ToolEvent[]): unknown[] =>
  events.flatMap((event) => (event.type === "progress" ? [event.value] : []));

describe("progress", () => {
  test("arrives in order before the result, from a generator and from emit()", async () => {
    const it = tool({
      name: "it",
      async *run(_text, { emit }) {
        emit("a");
        yield "b";
        emit("c");
        await turn();
        emit("d");
        yield undefined;
        emit("e");
        return "done";
      },
    });
    const events = await eventsOf(it, text);
    expect(progressIn(events)).toEqual(["a", "b", "c", "d", undefined, "e"]);
    expect(events.at(-1)).toMatchObject({ type: "result", value: "done" });
    expect(events).toHaveLength(7);
  });

  test("arrives at once while the tool continues", async () => {
    const it = tool({
      name: "it",
      run: (_text, { emit }) => {
        emit("a");
        void turn().then(() => {
          emit("b");
        });
        return forever();
      },
    });
    const { events } = reading(it);
    await turn();
    expect(progressIn(events)).toEqual(["a"]);
    await turn();
    await turn();
    expect(progressIn(events)).toEqual(["a", "b"]);
  });

  test("of an async iterable without a return value arrives, and the result is empty", async () => {
    const it = tool({
      name: "it",
      run: () =>
        Promise.resolve(
          new ReadableStream({
            start: (to) => {
              to.enqueue(1);
              to.close();
            },
          }),
        ),
    });
    const events = await eventsOf(it, text);
    expect(progressIn(events)).toEqual([1]);
    expect(events.at(-1)).toMatchObject({ type: "result", message: { content: [] } });
  });

  test("of an iterator whose result is no object is an error", async () => {
    const broken = { [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve(5) }) };
    const events = await eventsOf(tool({ name: "it", run: () => broken }) as never, text);
    expect(events).toMatchObject([{ type: "error", error: { code: "bad_result" } }]);
  });

  test("of a generator is pulled only on demand", async () => {
    let made = 0;
    const it = tool({
      name: "it",
      async *run() {
        for (;;) yield await Promise.resolve(made++);
      },
    });
    const events = runTool(it, call)[Symbol.asyncIterator]();
    for (let taken = 1; taken <= 5; taken++) {
      await events.next();
      await turn();
      expect(made).toBe(taken);
    }
    await events.return?.();
  });

  test("of emit() waits for a busy consumer, at most the latest 1,000 values", async () => {
    const it = tool({
      name: "it",
      run: (_text, { emit }) => {
        for (let i = 0; i < 100_000; i++) emit(i);
        return "done";
      },
    });
    const values = progressIn(await eventsOf(it, text));
    expect(values).toHaveLength(1 + 1_000); // the first was being waited for
    expect(values.slice(0, 2)).toEqual([0, 99_000]);
    expect(values.at(-1)).toBe(99_999);
  });

  test("after the end is ignored", async () => {
    let emit: (value: unknown) => void = () => {};
    const it = tool({
      name: "it",
      run: (_text, runtime) => {
        ({ emit } = runtime);
        return "done";
      },
    });
    const events = runTool(it, call)[Symbol.asyncIterator]();
    expect(await events.next()).toMatchObject({ value: { type: "result" } });
    emit("late");
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  test("is followed by the error of the run", async () => {
    const it = tool({
      name: "it",
      async *run() {
        yield await Promise.resolve(1);
        throw new Error("boom");
      },
    });
    expect((await eventsOf(it, text)).map(({ type }) => type)).toEqual(["progress", "error"]);
  });
});

test("nothing happens before the first next(), and each iteration is a separate run", async () => {
  let runs = 0;
  const it = tool({ name: "it", run: () => ++runs });
  const run = runTool(it, call);
  const iterator = run[Symbol.asyncIterator]();
  await turn();
  expect(runs).toBe(0);
  await iterator.return?.();
  expect(await iterator.next()).toEqual({ done: true, value: undefined });
  expect(runs).toBe(0);
  expect([await collect(run), await collect(run)]).toMatchObject([[{ value: 1 }], [{ value: 2 }]]);
});

test("the runtime has the options of the caller", async () => {
  let seen: ToolRuntime | undefined;
  const it = tool({
    name: "it",
    run: (_text, runtime) => {
      seen = runtime;
    },
  });
  const state = { messages: [] };
  const store = new Map();
  await eventsOf(it, text, { state, context: 7, store });
  expect(seen).toMatchObject({ toolCallId: "call_1", context: 7 });
  expect([seen?.state, seen?.store]).toEqual([state, store]);
  expect(seen?.signal.aborted).toBe(false); // the work is done: what it has left behind may go on
  await eventsOf(it, text);
  expect(seen).toMatchObject({ state: {}, context: undefined, store: undefined });
});

test("a copy with other fields is a tool", async () => {
  const it = tool({
    name: "it",
    description: "a",
    run: () => {
      throw new Error("b");
    },
  });
  expect(await toldBy({ ...it, onError: "c" }, text)).toBe("c");
});

describe("the time limit", () => {
  const late = (run: (runtime: ToolRuntime) => unknown, options: object = {}): ReturnType<typeof tool> =>
    tool({
      name: "it",
      timeout: 50,
      run: (_text: string, runtime: ToolRuntime) => run(runtime),
      ...options,
    }) as never;

  // G-agent-5
  test("ends a run that hangs with an error message for the model", async () => {
    const clock = manualClock();
    let signal: AbortSignal | undefined;
    const { events, done } = reading(
      late((runtime) => {
        ({ signal } = runtime);
        return forever();
      }),
      { clock },
    );
    await turn();
    clock.advance(49);
    await turn();
    expect([events, signal?.aborted]).toEqual([[], false]);
    clock.advance(1);
    await done;
    expect(events).toMatchObject([
      {
        type: "error",
        error: { code: "timeout", tool: "it" },
        message: { content: [{ text: expect.stringMatching(/"it".* 50 ms/) as string }] },
      },
    ]);
    expect(signal?.reason).toMatchObject({ code: "timeout" });
    expect(clock.timers).toBe(0);
  });

  test("ends a generator that yields forever, and runs its finally", async () => {
    const clock = manualClock();
    let closed = false;
    const it = late(async function* () {
      try {
        for (;;) {
          await turn();
          clock.advance(10);
          yield 1;
        }
      } finally {
        closed = true;
      }
    });
    const { events, done } = reading(it, { clock });
    await done;
    expect(progressIn(events)).toHaveLength(4);
    expect(events.at(-1)).toMatchObject({ type: "error", error: { code: "timeout" } });
    await turn();
    expect(closed).toBe(true);
  });

  test("does not count the consumer's time", async () => {
    const clock = manualClock();
    const it = late(async function* () {
      yield await Promise.resolve(1);
      return "done";
    });
    const events = runTool(it, call, { clock })[Symbol.asyncIterator]();
    await events.next();
    clock.advance(1_000);
    expect(await events.next()).toMatchObject({ value: { type: "result" } });
  });

  test("is handled by onError", async () => {
    const clock = manualClock();
    const { done } = reading(late(forever, { onError: false }), { clock });
    await turn();
    clock.advance(50);
    expect(await done).toMatchObject({ code: "timeout" });
  });

  test("does not change an error of the tool's own time limits", async () => {
    const clock = manualClock();
    const { TimeoutError } = await import("millrace");
    const own = new TimeoutError("idle", 50, 0);
    const it = late(() => Promise.reject(own));
    expect(await eventsOf(it, text, { clock })).toMatchObject([{ error: own }]);
  });

  // G-agent-5
  test("ignores the outcome of an abandoned run", async () => {
    const clock = manualClock();
    let fail: (error: Error) => void = () => {};
    const it = late(
      () =>
        new Promise((_resolve, reject) => {
          fail = reject;
        }),
    );
    const { events, done } = reading(it, { clock });
    await turn();
    clock.advance(50);
    await done;
    fail(new Error("late")); // an unhandled rejection would fail the test run
    await turn();
    expect(events).toHaveLength(1);
  });

  test("does not apply if it is absent or Infinity", async () => {
    const clock = manualClock();
    for (const options of [{ timeout: Infinity }, { timeout: undefined }]) {
      reading(late(forever, options), { clock });
      await turn();
      expect(clock.timers).toBe(0);
    }
  });
});

describe("an aborted or left run", () => {
  async function* endless(log: string[]): AsyncGenerator<number, never> {
    log.push("begin");
    try {
      for (;;) {
        await turn();
        yield 1;
      }
    } finally {
      log.push("end");
    }
  }
  /** Every way to be busy, with a log entry when the tool is stopped. */
  const tools: readonly [string, (log: string[]) => AnyTool][] = [
    [
      "a promise that listens to the signal",
      (log) =>
        tool({
          name: "it",
          run: (_text, { signal }) =>
            new Promise((_resolve, reject) => {
              signal.addEventListener("abort", () => {
                log.push("end");
                reject(signal.reason as Error);
              });
              log.push("begin");
            }),
        }),
    ],
    [
      "a generator that yields",
      (log) =>
        tool({
          name: "it",
          run: () => endless(log),
        }),
    ],
    [
      "a generator that listens to the signal",
      (log) =>
        tool({
          name: "it",
          async *run(_text, { signal }) {
            log.push("begin");
            try {
              yield 1;
              await new Promise((resolve) => {
                signal.addEventListener("abort", resolve);
              });
            } finally {
              log.push("end");
            }
          },
        }),
    ],
    [
      "a promised generator",
      (log) =>
        tool({
          name: "it",
          run: async () => {
            await turn();
            return endless(log);
          },
        }),
    ],
    [
      "a tool that ignores the signal",
      (log) =>
        tool({
          name: "it",
          run: () => {
            log.push("begin", "end");
            return forever();
          },
        }),
    ],
    [
      "a tool whose injected argument never arrives",
      (log) =>
        tool({
          name: "it",
          schema: { type: "object" },
          inject: { a: forever },
          run: () => {
            log.push("begin");
          },
        }),
    ],
  ];

  describe.each(tools)("%s", (_name, make) => {
    test.each([0, 1, 2, 3, 4, 5])("aborted after %i turns", async (turns) => {
      const log: string[] = [];
      const stop = new AbortController();
      const { events, done } = reading(make(log), { signal: stop.signal });
      for (let i = 0; i < turns; i++) await turn();
      const reason = new Error("enough");
      stop.abort(reason);
      expect(await done).toBe(reason);
      const seen = events.length;
      await turn();
      await turn();
      expect(events).toHaveLength(seen);
      expect(log.filter((it) => it === "begin")).toHaveLength(log.filter((it) => it === "end").length);
    });

    test.each([0, 1, 2, 3])("left after %i turns during a pull", async (turns) => {
      const log: string[] = [];
      const events = runTool(make(log), call)[Symbol.asyncIterator]();
      const next = events.next();
      for (let i = 0; i < turns; i++) await turn();
      await events.return?.();
      await next;
      expect(await events.next()).toEqual({ done: true, value: undefined });
      await turn();
      await turn();
      expect(log.filter((it) => it === "begin")).toHaveLength(log.filter((it) => it === "end").length);
    });
  });

  test("leaving the loop waits until the generator is closed", async () => {
    const log: string[] = [];
    const [, make] = tools[1] as (typeof tools)[number];
    for await (const event of runTool(make(log), call)) {
      expect(event.type).toBe("progress");
      break;
    }
    expect(log).toEqual(["begin", "end"]);
  });

  test("a busy consumer gets the reason at its next pull, and nothing after it", async () => {
    const it = tool({
      name: "it",
      run: (_text, { emit }) => {
        emit(1);
        emit(2);
        return "done";
      },
    });
    const stop = new AbortController();
    const events = runTool(it, call, { signal: stop.signal })[Symbol.asyncIterator]();
    await events.next();
    await turn();
    stop.abort("enough");
    await expect(events.next()).rejects.toBe("enough");
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  test("a generator is closed at once, even while its consumer is busy", async () => {
    const log: string[] = [];
    const stop = new AbortController();
    const it = tool({ name: "it", run: () => endless(log) });
    const events = runTool(it, call, { signal: stop.signal })[Symbol.asyncIterator]();
    await events.next();
    stop.abort("enough");
    await turn();
    expect(log).toEqual(["begin", "end"]);
    await expect(events.next()).rejects.toBe("enough");
  });

  test("an error that is handled after the end yields no event", async () => {
    let answer: (text: string) => void = () => {};
    const onError = (): Promise<string> =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const it = tool({
      name: "it",
      onError,
      run: (_text, { emit }) => {
        emit(1);
        throw new Error();
      },
    });
    const stop = new AbortController();
    const events = runTool(it, call, { signal: stop.signal })[Symbol.asyncIterator]();
    await events.next();
    await turn();
    stop.abort("enough");
    answer("late");
    await turn();
    await expect(events.next()).rejects.toBe("enough");
  });

  test("the other runs with the same signal continue, and are aborted later", async () => {
    const stop = new AbortController();
    const { signal } = stop;
    const hanging = reading(tool({ name: "it", run: forever }), { signal });
    await eventsOf(tool({ name: "it", run: () => "done" }), text, { signal });
    stop.abort("enough");
    expect(await hanging.done).toBe("enough");
  });

  test("an abort does not wait for a pending onError", async () => {
    const it = tool({ name: "it", run: () => Promise.reject(new Error()), onError: forever });
    const stop = new AbortController();
    const { done } = reading(it, { signal: stop.signal });
    await turn();
    stop.abort("enough");
    expect(await done).toBe("enough");
  });

  test("the signal has one listener for all runs and none after them", async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, "addEventListener");
    const removed = vi.spyOn(signal, "removeEventListener");
    const it = tool({ name: "it", run: () => turn() });
    await Promise.all([1, 2, 3].map(() => eventsOf(it, text, { signal })));
    expect([added.mock.calls.length, removed.mock.calls.length]).toEqual([1, 1]);
    await eventsOf(it, text, { signal });
    expect([added.mock.calls.length, removed.mock.calls.length]).toEqual([2, 2]);
  });

  test("with an aborted signal, the tool does not run", async () => {
    const log: string[] = [];
    const [, make] = tools[4] as (typeof tools)[number];
    const reason = new Error("enough");
    expect(await reading(make(log), { signal: AbortSignal.abort(reason) }).done).toBe(reason);
    expect(log).toEqual([]);
  });

  test("a tool that is left during validation does not run and takes no slot", async () => {
    let runs = 0;
    let give: (value: unknown) => void = () => {};
    const it = tool({
      name: "it",
      schema: { type: "object" },
      inject: {
        a: () =>
          new Promise((resolve) => {
            give = resolve;
          }),
      },
      concurrency: 1,
      run: () => runs++,
    });
    const events = runTool(it, call)[Symbol.asyncIterator]();
    void events.next();
    await turn();
    await events.return?.();
    give(1);
    await turn();
    expect(runs).toBe(0);
    const next = eventsOf(it, text);
    await turn();
    give(1);
    expect(await next).toMatchObject([{ type: "result", value: 0 }]);
  });

  test("the tool's signal has the reason of the caller's signal, or an AbortError if the run was left", async () => {
    let signal: AbortSignal | undefined;
    const it = tool({
      name: "it",
      run: (_text, runtime) => {
        ({ signal } = runtime);
        return forever();
      },
    });
    const stop = new AbortController();
    const { done } = reading(it, { signal: stop.signal });
    await turn();
    stop.abort("enough");
    await done;
    expect(signal?.reason).toBe("enough");
    const events = runTool(it, call)[Symbol.asyncIterator]();
    void events.next();
    await turn();
    await events.return?.();
    expect(signal?.reason).toMatchObject({ name: "AbortError" });
  });
});

describe("concurrency", () => {
  /** A tool that counts its runs. The test ends them. */
  const counting = (
    concurrency: number,
  ): { it: AnyTool; started: string[]; finish: Map<string, () => void>; most: () => number } => {
    const started: string[] = [];
    const finish = new Map<string, () => void>();
    let most = 0;
    const it = tool({
      name: "it",
      concurrency,
      run: async (name) => {
        started.push(name);
        most = Math.max(most, finish.size + 1);
        await new Promise<void>((resolve) => {
          finish.set(name, resolve);
        });
        finish.delete(name);
        return name;
      },
    });
    return { it, started, finish, most: () => most };
  };
  const start = (it: AnyTool, name: string, signal?: AbortSignal): Promise<unknown> =>
    eventsOf(it, { input: name }, { signal }).catch((error: unknown) => error);

  test("limits simultaneous runs; the others wait in line", async () => {
    const { it, started, finish } = counting(2);
    const runs = ["a", "b", "c", "d"].map((name) => start(it, name));
    await turn();
    expect(started).toEqual(["a", "b"]);
    finish.get("b")?.();
    await turn();
    expect(started).toEqual(["a", "b", "c"]);
    finish.get("a")?.();
    await turn();
    expect(started).toEqual(["a", "b", "c", "d"]);
    for (const end of finish.values()) end();
    expect(await Promise.all(runs)).toMatchObject(
      ["a", "b", "c", "d"].map((value) => [{ type: "result", value }]),
    );
  });

  test("an aborted run leaves the line or frees its slot", async () => {
    const { it, started, finish } = counting(1);
    const stops = ["a", "b"].map(() => new AbortController());
    const runs = [start(it, "a", stops[0]?.signal), start(it, "b", stops[1]?.signal), start(it, "c")];
    await turn();
    stops[1]?.abort("left");
    await turn();
    stops[0]?.abort("stopped");
    await turn();
    expect(started).toEqual(["a", "c"]);
    finish.get("c")?.();
    expect(await Promise.all(runs)).toMatchObject(["stopped", "left", [{ value: "c" }]]);
    const again = start(it, "d");
    await turn();
    finish.get("d")?.();
    expect(await again).toMatchObject([{ value: "d" }]);
  });

  test("a run that fails or times out frees its slot", async () => {
    const clock = manualClock();
    const it = tool({
      name: "it",
      concurrency: 1,
      timeout: 10,
      run: (what) => {
        if (what === "hang") return forever();
        throw new Error(what);
      },
    });
    const runs = ["hang", "fail", "fail"].map((input) => eventsOf(it, { input }, { clock }));
    await turn();
    clock.advance(10);
    expect(await Promise.all(runs)).toMatchObject([
      [{ error: { code: "timeout" } }],
      [{ error: { message: "fail" } }],
      [{ error: { message: "fail" } }],
    ]);
  });

  test("the time in the line does not count for the timeout", async () => {
    const clock = manualClock();
    const it = tool({ name: "it", concurrency: 1, timeout: 10, run: forever });
    const first = eventsOf(it, text, { clock });
    const { events } = reading(it, { clock });
    await turn();
    clock.advance(10);
    await first;
    await turn();
    clock.advance(9);
    await turn();
    expect(events).toEqual([]);
  });

  test("the slot is free as soon as the result arrives, even without a pull for the end", async () => {
    const it = tool({ name: "it", concurrency: 1, run: () => "done" });
    const events = runTool(it, call)[Symbol.asyncIterator]();
    expect(await events.next()).toMatchObject({ value: { type: "result" } });
    expect(await toldBy(it, text)).toBe("done");
  });

  // G-agent-6
  test("1,000 calls with one signal never exceed the limit", async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning);
    process.on("warning", onWarning);
    let running = 0;
    let most = 0;
    const it = tool({
      name: "it",
      concurrency: 7,
      run: async (input, { emit }) => {
        most = Math.max(most, ++running);
        emit(input);
        await Promise.resolve();
        running--;
        return input;
      },
    });
    const { signal } = new AbortController();
    const inputs = Array.from({ length: 1_000 }, (_, index) => String(index));
    const runs = await Promise.all(inputs.map((input) => eventsOf(it, { input }, { signal })));
    await turn();
    process.off("warning", onWarning);
    expect(runs.map((events) => events.map((event) => event.type === "error" || event.value))).toEqual(
      inputs.map((input) => [input, input]),
    );
    expect([most, running]).toEqual([7, 0]);
    expect(warnings).toEqual([]);
  });
});

test.each([
  [undefined, call],
  [{ name: "it", run: () => "" }, call],
  [tool({ name: "it", run: () => "" }), undefined],
])("says what it expects instead of %o", (it, given) => {
  expect(() => runTool(it as never, given as never)).toThrow("runTool() expects");
});
