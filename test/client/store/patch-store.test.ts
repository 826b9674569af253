import { from, type JsonPatch, type JsonValue } from "millrace";
import { createObjectStore, createPatchStore, type PatchStatus } from "millrace/client";
import { type AnyPatchOperation, JsonPatchError } from "millrace/json";
import { memoryLog, toEventStream } from "millrace/serve";
import { afterEach, describe, expect, test, vi } from "vitest";
import { bytesOf, document, patches, patchesOf, responseOf, turn, uncaughtErrors } from "../support.js";

/** Animation frames that the test triggers. */
function frames() {
  const waiting: (() => void)[] = [];
  return {
    schedule: (show: () => void): void => void waiting.push(show),
    next: (): number => {
      const due = waiting.splice(0);
      for (const show of due) show();
      return due.length;
    },
  };
}

const at = (value: unknown, key: string): unknown => (value as Record<string, unknown> | undefined)?.[key];

describe("a store", () => {
  // G-wire-10
  test("shows all patches of a frame at once, and keeps the identity of unchanged parts", () => {
    const { schedule, next } = frames();
    const store = createPatchStore<typeof document>({ schedule });
    const shown: unknown[] = [];
    store.subscribe(({ value }) => shown.push(value));
    expect([shown, store.status]).toEqual([[undefined], "idle"]);
    for (const patch of patches) store.apply(patch);
    expect([shown.length, store.getSnapshot()]).toEqual([1, undefined]);
    expect([next(), shown.length, store.status]).toEqual([1, 2, "streaming"]);
    expect(store.getSnapshot()).toEqual(document);
    const before = store.getSnapshot();
    store.apply([{ op: "add", path: "/steps/-", value: "wait" }]);
    next();
    expect(at(store.getSnapshot(), "n")).toBe(at(before, "n"));
    expect(at(store.getSnapshot(), "steps")).not.toBe(at(before, "steps"));
    expect(at(before, "steps")).toEqual(["boil", "pour"]);
  });

  test("never mutates a value that it has shown", () => {
    const { schedule, next } = frames();
    const store = createPatchStore({ schedule });
    const seen: [unknown, string][] = [];
    store.subscribe(({ value }) => seen.push([value, JSON.stringify(value)]));
    for (const [index, patch] of patches.entries()) {
      store.apply(patch);
      if (index % 3 === 0) next();
    }
    for (const [value, text] of seen) expect(JSON.stringify(value)).toBe(text);
  });

  test("implements Svelte's contract: calls subscribers at once, and not after they unsubscribe", () => {
    const { schedule, next } = frames();
    const store = createPatchStore({ schedule });
    const calls: unknown[] = [];
    const run = (value: unknown): void => void calls.push(value);
    const [first, second] = [store.subscribe(run), store.subscribe(run)];
    expect(calls).toHaveLength(2);
    first();
    first();
    store.apply(patches[0]!);
    next();
    expect(calls).toHaveLength(3);
    expect(calls.at(-1)).toBe(store.getState());
    second();
  });

  test("shows the newest state last to each subscriber, also if one changes it when it is notified", () => {
    const store = createPatchStore({ schedule: (show) => show() });
    const seen: unknown[] = [];
    store.subscribe(({ value }) => {
      if (value === 1) store.apply([{ op: "replace", path: "", value: 2 }]);
    });
    store.subscribe(({ value }) => seen.push(value));
    store.apply([{ op: "replace", path: "", value: 1 }]);
    expect(seen).toEqual([undefined, 2]);
  });

  test("calls nobody who has left when another subscriber was notified", () => {
    const store = createPatchStore<{ a: number; b: string }>({ schedule: (show) => show() });
    const left: (() => void)[] = [];
    const calls: unknown[] = [];
    const called = (): void => void calls.push("called");
    store.subscribe(() => left.splice(0).forEach((leave) => leave()));
    store.select("/b").subscribe(() => left.splice(0).forEach((leave) => leave()));
    for (const value of [
      { a: 1, b: "" },
      { a: 2, b: "2" },
    ]) {
      const part = store.select("/b");
      left.push(store.subscribe(called), part.subscribe(called), store.onComplete("/a", called));
      calls.length = 0;
      store.apply([{ op: "replace", path: "", value }]);
      expect(calls).toEqual([]);
    }
  });

  test("shows changes by animation frames, and without them in a page in the background", async () => {
    const cancelled: number[] = [];
    let frame: (() => void) | undefined;
    vi.stubGlobal("requestAnimationFrame", (show: () => void) => {
      frame = show;
      return 7;
    });
    vi.stubGlobal("cancelAnimationFrame", (id: number) => cancelled.push(id));
    try {
      const store = createPatchStore<typeof document>();
      let shown = -1; // the first call is immediate
      store.subscribe(() => {
        shown++;
      });
      store.apply(patches[0]!);
      frame?.();
      expect([shown, cancelled]).toEqual([1, [7]]);
      for (const patch of patches.slice(1)) store.apply(patch);
      await expect.poll(() => store.getSnapshot(), { interval: 1 }).toEqual(document);
      expect([shown, cancelled]).toEqual([2, [7, 7]]);
      await turn();
      expect(shown).toBe(2);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  // G-wire-10
  test("rejects a patch that does not fit, keeps its value, and continues only with a new root", () => {
    const { schedule, next } = frames();
    const store = createPatchStore<{ a: number; b: number }>({ schedule });
    store.apply([{ op: "replace", path: "", value: { a: 1 } }]);
    next();
    const before = store.getState();
    store.apply([{ op: "add", path: "/b", value: 2 }]);
    const bad: JsonPatch = [
      { op: "add", path: "/a", value: 3 },
      { op: "append", path: "/none", value: "x" },
    ];
    expect(() => store.apply(bad)).toThrow(JsonPatchError);
    expect(store.getState()).toEqual({
      value: { a: 1 },
      status: "error",
      error: expect.any(JsonPatchError) as Error,
    });
    expect(store.getSnapshot()).toBe(before.value);
    expect(() => store.apply([{ op: "add", path: "/a", value: 4 }])).toThrow(JsonPatchError);
    store.apply([{ op: "replace", path: "", value: { a: 5 } }]);
    next();
    expect(store.getState()).toEqual({ value: { a: 5 }, status: "streaming", error: undefined });
  });
});

describe("an error of a subscriber", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  test("is reported as uncaught, and concerns neither the store nor other subscribers", async () => {
    const errors = uncaughtErrors();
    const store = createPatchStore<typeof document>({ schedule: (show) => show() });
    const own = new Error("mine");
    const fail = (): void => {
      if (store.status !== "idle") throw own;
    };
    store.subscribe(fail);
    store.select("/title").subscribe(fail);
    store.onComplete("/title", fail);
    const seen: unknown[] = [];
    store.subscribe(() => seen.push(store.status));
    store.onComplete("/n", (value) => seen.push(value));
    await store.connect(from(patches));
    expect(store.getState()).toEqual({ value: document, status: "done", error: undefined });
    expect(new Set(seen)).toEqual(new Set(["idle", "connecting", "streaming", document.n, "done"]));
    await turn();
    expect(errors.length).toBeGreaterThan(3);
    expect(new Set(errors)).toEqual(new Set([own]));
  });
});

describe("complete parts", () => {
  test("are those before the parser's position, and never too early", () => {
    const { schedule, next } = frames();
    // Objects put keys that look like indices first, whatever the text says.
    const text = '{"9":"x","1":"grows","a":{"b":[1,{"c":"text"}],"d":true},"e":"end","":[[]]}';
    const whole = JSON.parse(text) as JsonValue;
    const pointers = ["", "/9", "/1", "/a", "/a/b", "/a/b/0", "/a/b/1", "/a/b/1/c", "/a/d", "/e", "/", "//0"];
    const look = (value: unknown, pointer: string): unknown =>
      pointer
        .split("/")
        .slice(1)
        .reduce<unknown>((inner, key) => at(inner, key), value);
    for (const size of [1, 2, 5, 13, 16, 200]) {
      const store = createPatchStore({ schedule });
      let complete = 0;
      for (const patch of patchesOf(text, size)) {
        store.apply(patch);
        next();
        for (const pointer of pointers.filter((one) => store.isComplete(one))) {
          complete++;
          expect(look(store.getSnapshot(), pointer)).toEqual(look(whole, pointer));
          expect(pointer).not.toBe("");
        }
      }
      if (size < 10) expect(complete).toBeGreaterThan(40);
    }
  });

  test("are all after the end of the stream, and none before there is a value", async () => {
    const store = createPatchStore();
    expect(store.isComplete("")).toBe(false);
    await store.connect(from(patches));
    expect([store.isComplete(""), store.isComplete("/steps"), store.isComplete("/none")]).toEqual([
      true,
      true,
      false,
    ]);
    expect(() => store.isComplete("steps")).toThrow(TypeError);
  });
});

describe("a connected store", () => {
  const statuses = (store: ReturnType<typeof createPatchStore>): PatchStatus[] => {
    const seen: PatchStatus[] = [];
    store.subscribe(() => {
      if (seen.at(-1) !== store.status) seen.push(store.status);
    });
    return seen;
  };

  test("has the status of the connection", async () => {
    const store = createPatchStore({ schedule: queueMicrotask });
    const seen = statuses(store);
    await store.connect(responseOf([await bytesOf()]));
    expect(seen).toEqual(["idle", "connecting", "streaming", "done"]);
    expect(store.getSnapshot()).toEqual(document);
  });

  test("has the status reconnecting while the connection is opened again", async () => {
    const store = createPatchStore({ schedule: queueMicrotask });
    const seen = statuses(store);
    const bytes = await bytesOf();
    const answers = [bytes.slice(0, 150), bytes];
    const clock = {
      now: () => 0,
      setTimeout: (callback: () => void) => setTimeout(callback),
      clearTimeout: (handle: unknown) => {
        clearTimeout(handle as number);
      },
    };
    await store.connect("/run", {
      clock,
      timeouts: { idle: Infinity },
      fetch: async () => responseOf([answers.shift()!]),
    });
    expect(seen).toEqual(["idle", "connecting", "streaming", "reconnecting", "streaming", "done"]);
    expect(store.getSnapshot()).toEqual(document);
  });

  test("has the status stopped when the run was stopped on the server", async () => {
    const log = memoryLog();
    const store = createPatchStore();
    const connected = store.connect(toEventStream(from(new ReadableStream<JsonPatch>()), { log, id: "run" }));
    await turn();
    await log.stop("run");
    await connected;
    expect(store.status).toBe("stopped");
  });

  test("keeps its value when the stream fails, and never rejects", async () => {
    const store = createPatchStore();
    await store.connect(responseOf([(await bytesOf()).slice(0, 200)]));
    expect(store.getState()).toMatchObject({ status: "error", error: { code: "cut" } });
    expect(store.getSnapshot()).toBeDefined();
    await store.connect(from([[{ op: "add", path: "/none/x", value: 1 }]] as JsonPatch[]));
    expect(store.getState()).toMatchObject({ status: "error", error: { code: "misfit" } });
    await store.connect(from(patches));
    expect(store.getState()).toEqual({ value: document, status: "done", error: undefined });
  });

  test("has the error of a source that cannot be read", async () => {
    const store = createPatchStore();
    const stream = new ReadableStream<JsonPatch>();
    stream.getReader();
    await store.connect(stream);
    expect(store.getState()).toMatchObject({ status: "error", error: expect.any(TypeError) as TypeError });
  });

  test.each([
    [
      "throws",
      (): never => {
        throw new Error("closed");
      },
    ],
    ["rejects", () => Promise.reject(new Error("closed"))],
    ["never settles", () => new Promise<never>(() => {})],
    ["gives no promise", () => undefined],
  ])("closes a stream whose return() %s", async (_, close) => {
    const open = (first: unknown): AsyncIterable<JsonPatch> => {
      const values = [Promise.resolve({ done: false, value: first })];
      const next = (): Promise<unknown> => values.shift() ?? new Promise<never>(() => {});
      return { [Symbol.asyncIterator]: () => ({ next, return: close }) } as never;
    };
    const store = createPatchStore({ schedule: (show) => show() });
    void store.connect(open([{ op: "add", path: "", value: 1 }]));
    await turn();
    expect(store.status).toBe("streaming");
    store.stop();
    expect(store.status).toBe("stopped");
    await store.connect(open(5));
    expect(store.error).toBeInstanceOf(JsonPatchError);
    await turn();
  });

  test("closes its stream when it is stopped or connected to another, and ignores later patches", async () => {
    let left = 0;
    let give = (_patch: JsonPatch): void => {};
    const source = (): AsyncIterable<JsonPatch> => ({
      [Symbol.asyncIterator]: () => ({
        next: () =>
          new Promise((resolve) => {
            give = (value) => resolve({ done: false, value });
          }),
        return: async () => {
          left++;
          return { done: true, value: undefined };
        },
      }),
    });
    const store = createPatchStore();
    store.stop();
    expect(store.status).toBe("idle");
    const first = store.connect(source());
    const giveFirst = give;
    const second = store.connect(source());
    giveFirst(patches[0]!);
    await first;
    expect([left, store.status]).toEqual([1, "connecting"]);
    store.stop();
    give(patches[0]!);
    await second;
    expect([left, store.status, store.getSnapshot()]).toEqual([2, "stopped", undefined]);
  });
});

/** Operations of about 40 characters, each of which takes more work than the one before. */
const copies = Array.from({ length: 8_000 }, () => ({ op: "copy", from: "", path: "/a/-" }) as const);

// G-wire-10
describe("a store bounds the work of patches that a server sends:", () => {
  test.each([
    ["in one patch", [copies]],
    ["in many patches", copies.map((operation) => [operation])],
  ])("copies of a value into itself end with an error, %s", (_, sent) => {
    const { schedule, next } = frames();
    const store = createPatchStore({ schedule });
    const first: AnyPatchOperation = { op: "replace", path: "", value: { a: [] } };
    store.apply([first]);
    next();
    expect(() => {
      for (const patch of sent) store.apply(patch);
    }).toThrow(expect.objectContaining({ name: "JsonPatchError", code: "max_work" }) as Error);
    expect([store.status, store.getSnapshot()]).toEqual(["error", { a: [] }]);
    store.apply([first]);
    next();
    expect(store.status).toBe("streaming");
  });

  test("copies for frames cost nothing", () => {
    const { schedule, next } = frames();
    const store = createPatchStore({ schedule });
    store.apply([
      { op: "replace", path: "", value: Object.fromEntries(copies.slice(6_000).map((_, i) => [`k${i}`, 0])) },
    ]);
    for (let i = 0; i < 300; i++) {
      store.apply([{ op: "replace", path: "/k0", value: i }]);
      next();
    }
    expect(at(store.getSnapshot(), "k0")).toBe(299);
  });

  test("a page of useObject() refuses copies, and insertions that move too many elements", async () => {
    const errorOf = async (patch: string): Promise<unknown> => {
      const body = `data: [{"op":"replace","path":"","value":[0${",0".repeat(2e6)}]}]\n\ndata: ${patch}\n\n`;
      const fetch = async (): Promise<Response> =>
        new Response(body, { headers: { "content-type": "text/event-stream" } });
      const store = createObjectStore({ api: "/a", remember: false, fetch, schedule: queueMicrotask });
      return new Promise((resolve) => {
        store.subscribe(({ error }) => {
          if (error !== undefined) resolve(error.cause);
        });
        store.submit();
      });
    };
    const insertions = Array.from({ length: 600 }, () => ({ op: "add", path: "/0", value: 1 }));
    expect(await errorOf(JSON.stringify(insertions))).toMatchObject({ code: "max_work", index: 526 });
    expect(await errorOf('[{"op":"copy","from":"","path":"/-"}]')).toMatchObject({ code: "malformed" });
  });
});
