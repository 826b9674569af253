import { from, type JsonPatch } from "millrace";
import {
  createObjectStore,
  type ObjectStore,
  type ObjectStoreOptions,
  type PatchStatus,
} from "millrace/client";
import { toEventStream } from "millrace/serve";
import { useObject } from "millrace/svelte";
import { manualClock } from "millrace/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { installPage, recipe, type RunServer, runServer } from "./run-server.js";
import { bytesOf, document, responseOf, turn, uncaughtErrors } from "./support.js";

type Options = ObjectStoreOptions<typeof recipe, false>;
type Store = ObjectStore<{ title: string; steps: string[] }>;

/** Retries without delays. */
const noWait = {
  clock: {
    now: () => 0,
    setTimeout: (callback: () => void) => setTimeout(callback),
    clearTimeout: (handle: unknown) => {
      clearTimeout(handle as number);
    },
  },
  timeouts: { idle: Infinity },
};

let server: RunServer;
let uninstall: () => void;
beforeEach(() => {
  server = runServer();
  uninstall = installPage();
});
afterEach(() => uninstall());

const storeOf = (options: Partial<Options> = {}): Store =>
  createObjectStore({
    api: "/recipe",
    schema: recipe,
    fetch: server.fetch,
    schedule: (show: () => void) => setTimeout(show),
    ...noWait,
    ...options,
  });

/** Subscribes, and collects the statuses. */
function watch(store: Store): { readonly statuses: PatchStatus[]; readonly leave: () => void } {
  const statuses: PatchStatus[] = [];
  const leave = store.subscribe(({ status }) => {
    if (statuses.at(-1) !== status) statuses.push(status);
  });
  return { statuses, leave };
}

const reached = (store: Store, status: PatchStatus): Promise<void> =>
  expect.poll(() => store.getState().status, { interval: 1 }).toBe(status);
const titled = (store: Store, title: string): Promise<void> =>
  expect.poll(() => store.getState().object?.title, { interval: 1 }).toBe(title);

/** Submits, and waits until the store shows the first words of the model. */
async function beginSoup(store: Store): Promise<void> {
  store.submit();
  await turn();
  server.write('{"title": "Soup');
  await titled(store, "Soup");
}

test("Svelte reads the current state also outside templates and effects", async () => {
  const store = storeOf();
  const recipe = useObject(store);
  expect(recipe.status).toBe("idle");
  await beginSoup(store);
  expect([recipe.status, recipe.object]).toEqual(["streaming", { title: "Soup" }]);
});

describe("an object store", () => {
  // An unhandled rejection fails the run of vitest.
  test.each(["submit", "stop", "clear"] as const)("shows an error of the options in %s()", async (action) => {
    let failure: Error | undefined;
    const store = createObjectStore<typeof recipe>(() => {
      if (failure !== undefined) throw failure;
      return {
        api: "/recipe",
        fetch: server.fetch,
        schedule: (show: () => void) => setTimeout(show),
        ...noWait,
      };
    });
    store.subscribe(() => {});
    await beginSoup(store);
    failure = new Error("No token.");
    store[action]();
    if (action === "submit") {
      await reached(store, "error");
      expect(store.getState().error?.cause).toBe(failure);
      failure = undefined;
      store.submit();
      await expect.poll(() => server.requests, { interval: 1 }).toContain("POST 2");
    } else await reached(store, action === "stop" ? "stopped" : "idle");
  });

  test("shows an error of the options and of api when it resumes a run", async () => {
    const failure = new Error("No token.");
    const first = storeOf();
    const { leave } = watch(first);
    await beginSoup(first);
    leave();
    let fails = false;
    const later = createObjectStore<typeof recipe>(() => ({
      api: (id) => {
        if (fails) throw failure;
        return `/recipe?run=${id}`;
      },
      key: "/recipe?run=",
      fetch: server.fetch,
      schedule: (show: () => void) => setTimeout(show),
    }));
    fails = true;
    later.subscribe(() => {});
    await reached(later, "error");
    expect(later.getState().error?.cause).toBe(failure);
  });

  test("has no object while the model is asked again", async () => {
    const store = storeOf();
    const objects: unknown[] = [];
    const wholes: unknown[] = [];
    store.subscribe(({ object }) => objects.push(object));
    store.select("").subscribe(({ value }) => wholes.push(value));
    await beginSoup(store);
    server.write('", "steps": 1}');
    await expect.poll(() => server.left, { interval: 1 }).toEqual([1]);
    await turn();
    expect([objects.at(-1), wholes.at(-1)]).toEqual([undefined, undefined]);
    expect([...objects, ...wholes]).not.toContain(null);
  });

  test("shows the object while it arrives, with its progress", async () => {
    const store = storeOf();
    const { statuses } = watch(store);
    store.submit({ dish: "soup" });
    await reached(store, "connecting");
    server.write('{"title": "Soup", "ste');
    await titled(store, "Soup");
    expect(store.getState()).toMatchObject({
      object: { title: "Soup" },
      status: "streaming",
      error: undefined,
    });
    server.write('ps": ["Boil", "Stir", "Ser');
    await expect.poll(() => store.getState().progress.items, { interval: 1 }).toBe(2);
    const { progress, object } = store.getState();
    expect(progress.complete).toEqual(["/title", "/steps/0", "/steps/1"]);
    expect(progress.characters).toBe(JSON.stringify(object).length);
    expect([progress.isComplete("/steps/1"), progress.isComplete("/steps/2")]).toEqual([true, false]);
    expect(store.getState().isBusy).toBe(true);
    server.write('ve"]}');
    server.end();
    await reached(store, "done");
    expect([progress.items, progress.isComplete("/steps/2")]).toEqual([2, false]); // a state never changes
    expect(statuses).toEqual(["idle", "connecting", "streaming", "done"]);
    expect(server.inputs).toEqual([{ dish: "soup" }]);
    const { progress: whole, isBusy } = store.getState();
    expect(isBusy).toBe(false);
    expect([whole.items, whole.complete]).toEqual([
      3,
      ["", "/title", "/steps", "/steps/0", "/steps/1", "/steps/2"],
    ]);
  });

  const sent = (value: string, end = ""): Store => {
    const text = `data: [{"op":"replace","path":"","value":${value}}]\n\n${end}`;
    const store = storeOf({
      remember: false,
      maxRetries: 0,
      fetch: async () => responseOf([new TextEncoder().encode(text)]),
    });
    watch(store);
    store.submit();
    return store;
  };

  test.each(["done", "error"] as const)("shows the progress of a value of any depth: %s", async (status) => {
    const depth = 20_000;
    const value = `${'{"a":[1],"b":'.repeat(depth)}"x"${"}".repeat(depth)}`;
    const store = sent(value, status === "done" ? "event: done\ndata: {}\n\n" : "");
    await reached(store, status);
    const { characters, items, complete } = store.getState().progress;
    expect([characters, items]).toEqual([value.length, depth]);
    const [first, ...others] = complete;
    if (status === "done") expect([first, others.length]).toEqual(["", 3 * depth]);
    else expect([first, others.length]).toEqual(["/a", 2 * depth - 1]);
  });

  test("counts nothing as complete in an object whose members have no order", async () => {
    const store = sent('{"a":[1],"b":{"7":[1,2]}}');
    await reached(store, "error");
    const { characters, items, complete } = store.getState().progress;
    expect([characters, items, complete]).toEqual([25, 1, ["/a", "/a/0"]]);
  });

  test("begins without an object and without progress, and sends nothing before it is used", async () => {
    const store = storeOf();
    expect(store.getState()).toBe(store.getInitialState());
    expect(store.getState()).toMatchObject({ object: undefined, status: "idle", error: undefined });
    const { characters, items, complete } = store.getState().progress;
    expect([characters, items, complete]).toEqual([0, 0, []]);
    watch(store);
    store.stop();
    store.clear();
    await turn();
    expect(server.requests).toEqual([]);
  });

  // G-wire-16
  test("resumes the run when its connection is cut, at any byte", async () => {
    const bytes = await bytesOf();
    for (let cut = 0; cut < bytes.length; cut += 3) {
      const requests: string[] = [];
      const store = createObjectStore<typeof document>({
        api: "/x",
        ...noWait,
        schedule: queueMicrotask,
        fetch: async (_, { method = "GET" }) => {
          requests.push(method);
          return responseOf([method === "POST" ? bytes.slice(0, cut) : bytes]);
        },
      });
      let done = (): void => {};
      const isDone = new Promise<void>((resolve) => {
        done = resolve;
      });
      const leave = store.subscribe(({ status }) => {
        if (status === "done") done();
      });
      store.submit();
      await isDone;
      expect([store.getState().object, requests]).toEqual([document, ["POST", "GET"]]);
      leave();
      store.clear();
    }
  });

  test("notifies its subscribers at most once per frame", async () => {
    const frames: (() => void)[] = [];
    const store = storeOf({ schedule: (show) => void frames.push(show) });
    let notified = -1; // the first call is immediate
    store.subscribe(() => {
      notified++;
    });
    store.submit();
    for (const character of '{"title": "Soup", "steps": []}') {
      server.write(character);
      await turn();
    }
    server.end();
    for (let i = 0; i < 5; i++) await turn();
    expect([notified, frames.length]).toEqual([0, 1]);
    frames.shift()?.();
    expect([notified, frames.length]).toEqual([1, 0]);
    expect(store.getState()).toMatchObject({ status: "done", object: { title: "Soup", steps: [] } });
  });

  test("stops the model on the server", async () => {
    const store = storeOf();
    watch(store);
    await beginSoup(store);
    store.stop();
    await reached(store, "stopped");
    await expect.poll(() => server.left, { interval: 1 }).toEqual([1]);
    expect(server.requests).toEqual(["POST 1", "DELETE 1"]);
    expect(store.getState().object).toEqual({ title: "Soup" });
  });

  test.each([
    ["refuses it", 403, ["http", "You are not allowed to do this."]],
    ["cannot be reached", undefined, ["cut", "The server cannot be reached."]],
    ["does not keep runs", 405, undefined],
    ["does not know the run any more", 404, undefined],
  ])("tells that the run was not stopped if the server %s", async (_, status, expected) => {
    const failures: unknown[] = [];
    let isSent = false;
    const store = storeOf({
      onEvent: (event) => {
        if (event.type === "stop_failed") failures.push([event.error.code, event.error.message]);
      },
      fetch: async (url, init) => {
        if (init.method !== "DELETE") return server.fetch(url, init);
        isSent = true;
        if (status === undefined) throw new TypeError("Failed to fetch");
        return new Response(null, { status });
      },
    });
    watch(store);
    await beginSoup(store);
    store.stop();
    await reached(store, "stopped");
    await expect.poll(() => isSent, { interval: 1 }).toBe(true);
    await turn();
    expect(failures).toEqual(expected === undefined ? [] : [expected]);
  });

  test("replaces its run with the next, and ends the one before", async () => {
    const store = storeOf();
    watch(store);
    store.submit("a");
    await turn();
    server.write('{"title": "Soup');
    await titled(store, "Soup");
    store.submit("b");
    await expect.poll(() => server.left, { interval: 1 }).toEqual([1]);
    await expect.poll(() => store.getState().object, { interval: 1 }).toBe(undefined);
    server.write('{"title": "Tea", "steps": []}', 2);
    server.end(2);
    await reached(store, "done");
    store.submit("c"); // the one before has ended
    await turn();
    expect(server.requests).toEqual(["POST 1", "POST 2", "DELETE 1", "POST 3"]);
    expect(server.inputs).toEqual(["a", "b", "c"]);
  });

  test("keeps the object before until the next one begins, with keepValue", async () => {
    const store = storeOf({ keepValue: true });
    watch(store);
    store.submit();
    await turn();
    server.write('{"title": "Soup", "steps": []}');
    server.end();
    await reached(store, "done");
    store.submit();
    await reached(store, "connecting");
    expect(store.getState().object).toEqual({ title: "Soup", steps: [] });
    server.write('{"title": "Tea', 2);
    await titled(store, "Tea");
  });

  test("clears the object, and forgets the run", async () => {
    const store = storeOf();
    const { leave } = watch(store);
    await beginSoup(store);
    store.clear();
    await reached(store, "idle");
    expect(store.getState()).toMatchObject({ object: undefined, error: undefined });
    await expect.poll(() => server.left, { interval: 1 }).toEqual([1]);
    leave();
    const reloaded = storeOf();
    watch(reloaded);
    await turn();
    expect([reloaded.getState().status, server.requests]).toEqual(["idle", ["POST 1", "DELETE 1"]]);
  });

  test("refuses an input without JSON", () => {
    const store = storeOf();
    expect(() => store.submit(1n)).toThrow(TypeError);
    expect(server.requests).toEqual([]);
  });

  test("reads its options for each request", async () => {
    let token = "a";
    const sent: (string | null)[] = [];
    const store = createObjectStore(() => ({
      api: "/recipe",
      headers: { authorization: token },
      fetch: (url: string | URL, init: RequestInit) => {
        sent.push(new Headers(init.headers).get("authorization"));
        return server.fetch(url, init);
      },
    }));
    store.submit();
    token = "b";
    store.stop();
    await expect.poll(() => sent, { interval: 1 }).toEqual(["a", "b"]);
  });

  test("stops, replaces and resumes its run also without a place for the id", async () => {
    const cut = async (url: string | URL, init: RequestInit): Promise<Response> => {
      const { body, headers } = await server.fetch(url, init);
      const first = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, out) {
          out.enqueue(chunk);
          if (init.method === "POST") out.terminate();
        },
      });
      return new Response(body?.pipeThrough(first) ?? null, { headers });
    };
    const store = storeOf({ remember: false, fetch: cut, random: () => 0 });
    watch(store);
    for (const [at, leave] of [() => undefined, store.stop, store.clear].entries()) {
      store.submit();
      await turn();
      server.write('{"title": "Soup', at + 1);
      await expect.poll(() => server.requests, { interval: 1 }).toContain(`GET ${at + 1}`);
      leave();
    }
    await expect.poll(() => server.left, { interval: 1 }).toEqual([1, 2, 3]);
  });

  test("without a place for the id ends its run by disconnecting", async () => {
    let cancelled = 0;
    const store = storeOf({
      remember: false,
      fetch: async (_, init) => {
        server.requests.push(`${init.method}`);
        return toEventStream(
          from(
            new ReadableStream<JsonPatch>({
              cancel: () => {
                cancelled++;
              },
            }),
          ),
        );
      },
    });
    const { leave } = watch(store);
    store.submit();
    await reached(store, "connecting");
    leave();
    await expect.poll(() => cancelled, { interval: 1 }).toBe(1);
    expect(server.requests).toEqual(["POST"]);
  });
});

describe("after a reload", () => {
  const interrupted = async (options: Partial<Options> = {}, text = '{"title": "Soup'): Promise<void> => {
    const store = storeOf(options);
    const { leave } = watch(store);
    store.submit();
    await turn();
    server.write(text);
    await titled(store, "Soup");
    leave();
    await turn();
  };

  test.each(["session", "url"] as const)("a store resumes its run, with the id in %s", async (remember) => {
    await interrupted({ remember });
    const store = storeOf({ remember });
    const { statuses } = watch(store);
    await titled(store, "Soup");
    server.write(' of leeks", "steps": []}');
    server.end();
    await reached(store, "done");
    expect(store.getState().object).toEqual({ title: "Soup of leeks", steps: [] });
    expect(statuses.filter((status) => status !== "connecting")).toEqual(["idle", "streaming", "done"]);
    expect([server.requests, server.left]).toEqual([["POST 1", "GET 1"], []]);
    expect(location.href).toMatch(remember === "url" ? /\?tab=1&run=[0-9a-f]{32}$/ : /\?tab=1$/);
  });

  test("a resumed run can be stopped", async () => {
    await interrupted();
    const store = storeOf();
    watch(store);
    await titled(store, "Soup");
    store.stop();
    await expect.poll(() => server.left, { interval: 1 }).toEqual([1]);
    expect(server.requests).toEqual(["POST 1", "GET 1", "DELETE 1"]);
  });

  test("a run that is no longer kept is forgotten, but an id in the URL is an error", async () => {
    await interrupted();
    server = runServer();
    await interrupted({ remember: "url" });
    server = runServer(); // another log
    const store = storeOf();
    const { statuses } = watch(store);
    const linked = storeOf({ remember: "url" });
    watch(linked);
    await reached(linked, "error");
    expect(linked.getState().error).toMatchObject({ code: "run", reason: "unknown_run" });
    await reached(store, "idle");
    await turn();
    expect(statuses.filter((status) => status !== "connecting")).toEqual(["idle"]);
    expect(server.requests).toEqual(["GET 1", "GET 2"]);
  });

  test.each([404, 405])("a server that does not keep runs (%i) is no error", async (status) => {
    await interrupted();
    let asked = 0;
    const fetch = async (): Promise<Response> => {
      asked++;
      return new Response(null, { status });
    };
    const store = storeOf({ fetch });
    watch(store);
    await expect.poll(() => asked, { interval: 1 }).toBe(1);
    await turn();
    await reached(store, "idle");
    expect(store.getState().error).toBeUndefined();
  });

  test("several stores of one page find their own runs, by their order or their keys", async () => {
    for (const keys of [
      [undefined, undefined],
      ["left", "right"],
    ]) {
      const options = keys.map((key): Partial<Options> => (key === undefined ? {} : { key }));
      server = runServer();
      const stores = options.map((each) => storeOf(each));
      const leaves = stores.map((store) => watch(store).leave);
      for (const store of stores) store.submit();
      await turn();
      server.write('{"title": "Left', 1);
      server.write('{"title": "Right', 2);
      await titled(stores[0] as Store, "Left");
      await titled(stores[1] as Store, "Right");
      for (const leave of leaves) leave();
      const [first, second] = options.map((each) => storeOf(each)) as [Store, Store];
      const after = [watch(first).leave, watch(second).leave];
      await titled(first, "Left");
      await titled(second, "Right");
      expect(server.requests).toEqual(["POST 1", "POST 2", "GET 1", "GET 2"]);
      for (const leave of after) leave();
      first.clear();
      second.clear();
    }
  });

  test("a run that is submitted without subscribers is found, too", async () => {
    const left = storeOf();
    watch(left).leave();
    await turn();
    left.submit();
    await turn();
    server.write('{"title": "Soup');
    const store = storeOf();
    watch(store);
    await titled(store, "Soup");
    expect(server.requests).toEqual(["POST 1", "GET 1"]);
  });

  test("a browser without storage starts anew", async () => {
    Object.defineProperty(globalThis, "sessionStorage", {
      configurable: true,
      get: () => {
        throw new DOMException("Access is denied.", "SecurityError");
      },
    });
    await interrupted();
    const store = storeOf();
    watch(store);
    await turn();
    expect([store.getState().status, server.requests]).toEqual(["idle", ["POST 1"]]);
  });
});

describe("subscribers", () => {
  test("that leave and come back at once, as in StrictMode, cause no request", async () => {
    const store = storeOf();
    const { leave } = watch(store);
    await beginSoup(store);
    leave();
    leave();
    watch(store);
    server.write("s");
    await titled(store, "Soups");
    expect(server.requests).toEqual(["POST 1"]);
  });

  test("that come back later resume the run, which has continued", async () => {
    const store = storeOf();
    const { leave } = watch(store);
    await beginSoup(store);
    leave();
    await turn();
    server.write(' of leeks", "steps": []}');
    server.end();
    await turn();
    expect([store.getState().object, server.left]).toEqual([{ title: "Soup" }, []]);
    watch(store);
    await reached(store, "done");
    expect(store.getState().object?.title).toBe("Soup of leeks");
    expect(server.requests).toEqual(["POST 1", "GET 1"]);
  });
});

describe("an error of a subscriber", () => {
  test("is reported as uncaught, and does not stop the store", async () => {
    const errors = uncaughtErrors();
    const own = new Error("mine");
    const fail = (value: unknown): void => {
      if (JSON.stringify(value)?.includes("Soup")) throw own;
    };
    const store = storeOf();
    store.subscribe(({ object }) => fail(object));
    store.select("/title").subscribe(fail);
    watch(store);
    await beginSoup(store);
    server.write('", "steps": []}');
    server.end();
    await reached(store, "done");
    vi.unstubAllGlobals();
    expect(new Set(errors)).toEqual(new Set([own]));
  });
});

describe("a run that the server has not confirmed yet", () => {
  /** A server that gets requests to start a run only after `answer()`. */
  const slow = (): { readonly fetch: Options["fetch"] & {}; readonly answer: () => void } => {
    let answer = (): void => {};
    const mayAnswer = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const fetch = async (url: string | URL, init: RequestInit): Promise<Response> => {
      if (init.method === "POST") await mayAnswer;
      init.signal?.throwIfAborted();
      return server.fetch(url, init);
    };
    return { fetch, answer };
  };

  test("is stopped as soon as it does", async () => {
    const { fetch, answer } = slow();
    const store = storeOf({ fetch });
    const { statuses } = watch(store);
    store.submit();
    await reached(store, "connecting");
    store.stop();
    await reached(store, "stopped");
    expect(server.requests).toEqual([]);
    answer();
    await expect.poll(() => server.requests, { interval: 1 }).toEqual(["POST 1", "DELETE 1"]);
    expect(statuses).toEqual(["idle", "connecting", "stopped"]);
  });

  test("is lost if the server does not answer in time, and can be stopped then", async () => {
    const clock = manualClock();
    const { fetch, answer } = slow();
    const closed: unknown[] = [];
    const store = storeOf({
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        return new Response(new ReadableStream({ cancel: () => void closed.push(init.method) }), response);
      },
      clock,
      timeouts: { idle: 100 },
    });
    watch(store);
    store.submit();
    await turn();
    clock.advance(100);
    await reached(store, "error");
    expect(store.getState().error).toMatchObject({ code: "cut" });
    store.stop();
    await expect.poll(() => server.requests, { interval: 1 }).toEqual(["DELETE 1 in vain"]);
    answer();
    await expect.poll(() => closed, { interval: 1 }).toEqual(["POST"]);
  });

  test.each(["the same store", "another store"])("is resumed by %s as soon as it does", async (which) => {
    const { fetch, answer } = slow();
    const first = storeOf({ fetch });
    const { leave } = watch(first);
    first.submit();
    await turn();
    leave();
    await turn();
    const next = which === "the same store" ? first : storeOf({ fetch });
    watch(next);
    await turn();
    expect([next.getState().status, server.requests]).toEqual(["connecting", []]);
    answer();
    server.write('{"title": "Soup');
    await titled(next, "Soup");
    expect(server.requests).toEqual(["POST 1", "GET 1"]);
  });
});

describe("a run that continues on the server", () => {
  test.each(["left by its subscribers", "whose connection is lost"])("%s can be stopped", async (how) => {
    let cut = (): void => {};
    const fetch = async (url: string | URL, init: RequestInit): Promise<Response> => {
      const { body, headers } = await server.fetch(url, init);
      const connection = new TransformStream<Uint8Array, Uint8Array>({
        start: (controller) => {
          cut = () => controller.error(new TypeError("terminated"));
        },
      });
      return new Response(body?.pipeThrough(connection) ?? null, { headers });
    };
    const store = storeOf({ fetch, maxRetries: 0 });
    const { leave } = watch(store);
    await beginSoup(store);
    if (how.startsWith("left")) leave();
    else cut();
    await expect.poll(() => store.getState().isBusy, { interval: 1 }).toBe(false);
    store.stop();
    await expect.poll(() => server.left, { interval: 1 }).toEqual([1]);
    watch(store);
    await turn();
    expect(server.requests).toEqual(["POST 1", "DELETE 1"]);
  });

  test("though its answer was lost ends before the next one", async () => {
    let isLost = true;
    const fetch = async (url: string | URL, init: RequestInit): Promise<Response> => {
      const response = await server.fetch(url, init);
      if (isLost) throw new TypeError("Failed to fetch");
      return response;
    };
    const store = storeOf({ fetch });
    watch(store);
    store.submit();
    await reached(store, "error");
    isLost = false;
    store.submit();
    await expect.poll(() => server.left, { interval: 1 }).toEqual([1]);
    expect(server.requests).toEqual(["POST 1", "POST 2", "DELETE 1"]);
  });
});

describe("a part of an object store", () => {
  test("is a subscriber: it resumes the run, and the last one leaves it", async () => {
    const store = storeOf();
    const { leave } = watch(store);
    await beginSoup(store);
    const title = store.select("/title");
    const seen: unknown[] = [];
    const unsubscribe = title.subscribe(({ value }) => seen.push(value));
    expect(store.select("/title")).toBe(title);
    leave();
    await turn();
    server.write(' of leeks", "steps": ["Bo');
    await expect
      .poll(() => title.getState(), { interval: 1 })
      .toEqual({
        value: "Soup of leeks",
        isComplete: true,
      });
    unsubscribe();
    unsubscribe();
    await turn();
    server.write("il");
    await turn();
    expect([store.getState().status, server.requests]).toEqual(["stopped", ["POST 1"]]);
    const steps: unknown[] = [];
    store.onComplete("/steps", (value) => steps.push(value));
    server.write('", "Stir"]}');
    server.end();
    await expect.poll(() => steps, { interval: 1 }).toEqual([["Boil", "Stir"]]);
    expect([server.requests, server.left]).toEqual([["POST 1", "GET 1"], []]);
    expect(seen.at(-1)).toBe("Soup of leeks");
  });
});

describe("an error", () => {
  test.each([
    [401, { code: "no_session", message: "Your session has ended." }, "no_session"],
    [402, { error: { code: "no_credit", message: "Add a card first." } }, "no_credit"],
    [429, {}, undefined],
    [500, "<h1>Oops</h1>", undefined],
  ])(
    "of a refused request has the status %i, its code and words for the user",
    async (status, body, reason) => {
      const fetch = async (_: string | URL, { method }: RequestInit): Promise<Response> => {
        server.requests.push(`${method}`);
        return Response.json(body, { status });
      };
      const store = storeOf({ fetch });
      watch(store);
      store.submit();
      await reached(store, "error");
      const { error } = store.getState();
      expect(error).toMatchObject({
        name: "ClientError",
        code: "http",
        status,
        ...(reason !== undefined && { reason }),
      });
      expect(error?.message).toMatch(/^[A-Z][^{}<>]+\.$/);
      store.submit(); // nothing runs that could be ended
      await turn();
      expect(server.requests).toEqual(["POST", "POST"]);
    },
  );

  test("says that the server cannot be reached", async () => {
    const store = storeOf({ fetch: () => Promise.reject(new TypeError("fetch failed")) });
    watch(store);
    store.submit();
    await reached(store, "error");
    expect(store.getState().error).toMatchObject({ code: "cut", cause: expect.any(TypeError) as Error });
  });

  test.each([
    ["a page of a proxy", () => new Response("<h1>Hi</h1>")],
    ["an event that is no patch", () => responseOf([new TextEncoder().encode("data: {}\n\n")])],
    [
      "a patch that does not fit",
      () => responseOf([new TextEncoder().encode('data: [{"op":"add","path":"/a/b","value":1}]\n\n')]),
    ],
  ])("hides the details of %s from the user, and keeps them as its cause", async (_, answer) => {
    const store = storeOf({ fetch: async () => answer() });
    watch(store);
    store.submit();
    await reached(store, "error");
    const { error } = store.getState();
    expect(error).toMatchObject({ name: "ClientError", code: "protocol", cause: expect.any(Error) as Error });
    expect(error?.message).not.toMatch(/patch|text\/|[{}[\]]/);
  });

  test("of a run has the server's code and message, and a new run clears it", async () => {
    const store = storeOf();
    watch(store);
    store.submit();
    await turn();
    server.write("I cannot do that.");
    server.end();
    await reached(store, "error");
    expect(store.getState().error).toMatchObject({ code: "run", reason: "invalid_answer" });
    store.submit();
    await reached(store, "connecting");
    expect(store.getState().error).toBeUndefined();
  });
});
