import { type Agent, createAgent, tool } from "millrace";
import { clientTool, humanApproval } from "millrace/agent";
import { createThreadClient, type StreamedThread, type ThreadClientOptions } from "millrace/client";
import { memoryLog } from "millrace/serve";
import { manualClock, scriptedModel, type ScriptItem } from "millrace/testing";
import { memoryThreads, threadHandler, type ThreadHandlerOptions } from "millrace/thread";
import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { answers, call } from "../../agent/support/script.js";
import { turn } from "../../stream/support/hand-fed.js";

type Fetch = NonNullable<ThreadClientOptions["fetch"]>;

function serve(agent: Agent, options: Partial<ThreadHandlerOptions> = {}): Fetch {
  const handle = threadHandler({ agent, store: memoryThreads(), ...options });
  return (url, init) => handle(new Request(url, init));
}

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A page with a conversation. Frames are turns of the event loop. */
function open(fetch: Fetch, options: Partial<ThreadClientOptions> = {}) {
  const states: StreamedThread[] = [];
  const chat = createThreadClient({
    api: "http://localhost/chat",
    id: "1",
    fetch,
    schedule: (show) => setImmediate(show),
    ...options,
  });
  const close = chat.subscribe((state) => states.push(state));
  const until = async (reached: (state: StreamedThread) => boolean): Promise<StreamedThread> => {
    for (let turns = 0; turns < 500; turns++) {
      if (reached(chat.getState())) return chat.getState();
      await turn();
    }
    throw new Error(`Not reached: ${JSON.stringify(chat.getState())}`);
  };
  return { ...chat, states, close, until };
}

const noop = (): void => undefined;
/** Never settles. */
const hang = new Promise<never>(noop);

const isUnsent = ({ unsent }: StreamedThread): boolean => unsent !== undefined;
const isIdle = ({ status }: StreamedThread): boolean => status === "idle";
const texts = ({ messages }: StreamedThread): string[] => messages.map(({ text }) => text);

test("loads the conversation, shows a message at once, and the answer while it grows", async () => {
  const fetch = serve(createAgent({ model: answers([["Hel", "lo."], ["Again."]]) }));
  const page = open(fetch);
  expect(page.getState()).toMatchObject({ status: "loading", messages: [], isBusy: false });
  await page.until(isIdle);
  page.send("Hi");
  expect(page.getState()).toMatchObject({ status: "running", isBusy: true });
  expect(texts(page.getState())).toEqual(["Hi"]);
  await page.until(isIdle);
  expect(texts(page.getState())).toEqual(["Hi", "Hello."]);
  expect(page.states.map(({ messages }) => messages.length)).toEqual(
    page.states.map(({ messages }) => messages.length).sort(),
  );
  const reloaded = open(fetch);
  expect(await reloaded.until(isIdle)).toMatchObject({ messages: page.getState().messages });
  page.close();
  reloaded.close();
});

test("a page that is opened during an answer follows it, and one that leaves does not stop it", async () => {
  const { agent, go } = pausing();
  const fetch = serve(agent);
  const first = open(fetch);
  await first.until(isIdle);
  first.send("Count.");
  await first.until((it) => texts(it).includes("One, "));
  first.close();
  await turn();
  const second = open(fetch);
  expect((await second.until((it) => texts(it).includes("One, "))).isBusy).toBe(true);
  go();
  expect(texts(await second.until(isIdle))).toEqual(["Count.", "One, two."]);
  second.close();
});

test("a connection that is cut at any byte is resumed, and the conversation is the same", async () => {
  for (let at = 1; at < 1_200; at += 53) {
    let left = at;
    const inner = serve(createAgent({ model: answers([["Once ", "upon ", "a time."]]) }));
    const cutting: Fetch = async (url, init) => {
      const response = await inner(url, init);
      if (left === 0 || init.method !== "POST" || response.body === null) return response;
      const reader = response.body.getReader();
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          const { done, value } = await reader.read();
          if (done) {
            controller.close();
            return;
          }
          controller.enqueue(value.subarray(0, left));
          left -= Math.min(left, value.length);
          if (left > 0) return;
          await reader.cancel();
          controller.error(new Error("cut"));
        },
      });
      return new Response(body, { status: response.status, headers: response.headers });
    };
    const page = open(cutting, { random: () => 0, clock: fast() });
    await page.until(isIdle);
    page.send("Tell.");
    expect([at, texts(await page.until((it) => isIdle(it) && it.messages.length === 2))]).toEqual([
      at,
      ["Tell.", "Once upon a time."],
    ]);
    page.close();
  }
});

/** An agent that writes "One, " and, once it is let go, "two.". */
function pausing() {
  let go = noop;
  const wait = new Promise<void>((resolve) => {
    go = resolve;
  });
  const model = scriptedModel(async function* (): AsyncGenerator<ScriptItem> {
    yield "One, ";
    await wait;
    yield "two.";
  });
  return {
    agent: createAgent({ model }),
    go: () => {
      go();
    },
  };
}

/** A network that can be cut: open responses break, and no request arrives until it is mended. */
function cuttable(inner: Fetch) {
  const open = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const network = {
    isCut: false,
    cut: () => {
      network.isCut = true;
      for (const controller of open) controller.error(new Error("cut"));
      open.clear();
    },
    fetch: (async (url, init) => {
      if (network.isCut) throw new TypeError("fetch failed");
      const { body, status, headers } = await inner(url, init);
      const reader = body?.getReader();
      let own: ReadableStreamDefaultController<Uint8Array>;
      const cut = new ReadableStream<Uint8Array>({
        start: (controller) => {
          own = controller;
          open.add(own);
        },
        pull: async () => {
          const { done = true, value } = (await reader?.read()) ?? {};
          if (!open.has(own)) return;
          if (value !== undefined) own.enqueue(value);
          if (!done || !open.delete(own)) return;
          own.close();
        },
      });
      return new Response(cut, { status, headers });
    }) satisfies Fetch,
  };
  return network;
}

/** The window of a page, and its document. */
function fakeWindow() {
  const page = new EventTarget();
  const document = { visibilityState: "visible", defaultView: page };
  vi.stubGlobal("document", document);
  return { document, tell: (type: string) => page.dispatchEvent(new Event(type)) };
}

test.each(["online", "visibilitychange"])(
  "an answer whose connection is lost for good has failed, and continues when the page gets %s",
  async (event) => {
    const page = fakeWindow();
    const { agent, go } = pausing();
    const network = cuttable(serve(agent));
    let requests = 0;
    const counted: Fetch = (url, init) => {
      requests++;
      return network.fetch(url, init);
    };
    const chat = open(counted, { random: () => 0, clock: fast() });
    await chat.until(isIdle);
    chat.send("Count.");
    await chat.until((it) => texts(it).includes("One, "));
    network.cut();
    const lost = await chat.until(({ error }) => error !== undefined);
    expect(lost).toMatchObject({ status: "failed", isBusy: false, error: { code: "cut" } });
    expect(texts(lost)).toEqual(["Count.", "One, "]);
    network.isCut = false;
    page.document.visibilityState = "hidden";
    page.tell(event);
    await turn();
    expect(chat.getState().status).toBe("failed");
    page.document.visibilityState = "visible";
    page.tell(event);
    expect(await chat.until(({ status }) => status === "running")).toMatchObject({ error: undefined });
    go();
    expect(texts(await chat.until(isIdle))).toEqual(["Count.", "One, two."]);
    chat.close();
    await turn();
    const before = requests;
    page.tell(event);
    await turn();
    expect(requests).toBe(before);
  },
);

test("resume() follows an answer whose connection was lost for good", async () => {
  const { agent, go } = pausing();
  const network = cuttable(serve(agent));
  const page = open(network.fetch, { random: () => 0, clock: fast() });
  await page.until(isIdle);
  page.send("Count.");
  await page.until((it) => texts(it).includes("One, "));
  network.cut();
  await page.until(({ status }) => status === "failed");
  network.isCut = false;
  page.resume();
  await page.until(({ isBusy }) => isBusy);
  go();
  expect(texts(await page.until(isIdle))).toEqual(["Count.", "One, two."]);
  page.close();
});

test("an answer that the log has lost is what the store says", async () => {
  const { agent } = pausing();
  const log = memoryLog();
  let id = "";
  const create: typeof log.create = (run) => log.create((id = run));
  const page = open(serve(agent, { log: { ...log, create } }), { clock: fast() });
  await page.until(isIdle);
  page.send("Count.");
  await page.until((it) => texts(it).includes("One, "));
  await log.expire(id);
  const { error, messages } = await page.until(({ status }) => status === "stopped");
  expect([error, messages.map(({ text }) => text)]).toEqual([undefined, ["Count.", "One, "]]);
  page.close();
});

/** A network that is slow: each request arrives some turns later, unless its page has given it up. */
function slow(inner: Fetch): Fetch {
  return async (url, init) => {
    for (let turns = 0; turns < 5; turns++) await turn();
    init.signal?.throwIfAborted();
    return inner(url, init);
  };
}

test.each([
  ["the answer", undefined],
  ["the answer by a proxy", 504],
])("a message that arrived is not given back when %s is lost", async (_, status) => {
  const inner = serve(createAgent({ model: scriptedModel(["OK."]) }));
  let posts = 0;
  const page = open(async (url, init) => {
    const response = await inner(url, init);
    if (init.method !== "POST" || ++posts > 1) return response;
    await response.body?.cancel();
    if (status === undefined) throw new TypeError("fetch failed");
    return new Response("", { status });
  });
  await page.until(isIdle);
  page.send("Pay.");
  const last = await page.until((it) => isIdle(it) && it.messages.length === 2);
  expect(last).toMatchObject({ unsent: undefined, error: undefined });
  expect([texts(last), posts]).toEqual([["Pay.", "OK."], 1]);
  page.close();
});

test("the same text at another place of the conversation is another message", async () => {
  const inner = serve(createAgent({ model: scriptedModel(["OK."]) }));
  let isCut = false;
  const page = open((url, init) => {
    if (isCut && init.method === "POST") throw new TypeError("fetch failed");
    return inner(url, init);
  });
  await page.until(isIdle);
  page.send("Go on.");
  await page.until((it) => isIdle(it) && it.messages.length === 2);
  isCut = true;
  page.send("Go on.");
  await page.until(isUnsent);
  for (let turns = 0; turns < 50; turns++) await turn();
  expect(page.getState()).toMatchObject({ status: "idle", unsent: "Go on.", error: { code: "cut" } });
  expect(texts(page.getState())).toEqual(["Go on.", "OK."]);
  page.close();
});

test("a message may be sent by a subscriber, as soon as the conversation is idle", async () => {
  const page = open(serve(createAgent({ model: scriptedModel(["OK."]) })));
  let isSent = false;
  const errors = new Set<string>();
  const leave = page.subscribe(({ status, error }) => {
    if (error !== undefined) errors.add(error.code);
    if (status !== "idle" || isSent) return;
    isSent = true;
    page.send("Hi");
  });
  expect(texts(await page.until((it) => isIdle(it) && it.messages.length === 2))).toEqual(["Hi", "OK."]);
  expect([...errors]).toEqual([]);
  leave();
  page.close();
});

test("stop at once after a message stops its answer", async () => {
  const { agent } = pausing();
  const page = open(slow(serve(agent)));
  await page.until(isIdle);
  page.send("Count.");
  page.stop();
  const { messages } = await page.until(({ status }) => status === "stopped");
  expect(messages[0]).toMatchObject({ role: "user", text: "Count." });
  page.close();
});

test("stop ends a conversation that waits for a decision, and the page shows it", async () => {
  const pay = tool({ name: "pay", run: (euro) => `paid ${euro}` });
  const model = answers([call("1", "pay", '{"input": "10"}')]);
  const page = open(serve(createAgent({ model, tools: [pay], middleware: [humanApproval()] })));
  await page.until(isIdle);
  page.send("Pay.");
  await page.until(({ status }) => status === "paused");
  page.stop();
  expect((await page.until(({ status }) => status === "stopped")).pending).toEqual([]);
  page.close();
});

test("several decisions at once all count", async () => {
  const script = [
    [...call("1", "pay", '{"input": "10"}'), ...call("2", "pay", '{"input": "20"}')],
    ["Done."],
  ];
  const pay = tool({ name: "pay", run: (euro) => `paid ${euro}` });
  const page = open(
    slow(serve(createAgent({ model: answers(script), tools: [pay], middleware: [humanApproval()] }))),
  );
  await page.until(isIdle);
  page.send("Pay.");
  const { pending } = await page.until(({ status }) => status === "paused");
  for (const { id } of pending) page.approve(id);
  const last = await page.until(isIdle);
  expect(last.messages[1]).toMatchObject({ calls: [{ result: "paid 10" }, { result: "paid 20" }] });
  expect(last.error).toBeUndefined();
  page.close();
});

test.each([
  ["another text is given back", "B", "B"],
  ["the same text, as of a double click, is one message", "A", undefined],
])("a message that is sent before another has arrived does not cancel it: %s", async (_, second, unsent) => {
  const page = open(slow(serve(createAgent({ model: scriptedModel(["OK."]) }))));
  await page.until(isIdle);
  page.send("A");
  page.send(second);
  const last = await page.until((it) => isIdle(it) && it.messages.length === 2);
  expect([texts(last), last.unsent, last.error?.code]).toEqual([["A", "OK."], unsent, unsent && "busy"]);
  page.close();
});

test("a message with files stays on the page while the conversation loads, and is given back", async () => {
  vi.stubGlobal("FileReader", SlowReader);
  const inner = serve(createAgent({ model: scriptedModel(["OK."]) }));
  const first = open(inner);
  await first.until(isIdle);
  first.send("A");
  await first.until((it) => isIdle(it) && it.messages.length === 2);
  const page = open((url, init) => {
    if (init.method === "POST") throw new TypeError("fetch failed");
    return inner(url, init);
  });
  page.send("Look.", [new Blob(["x"])]);
  const { status } = await page.until(({ messages }) => messages.length === 3);
  expect([status, texts(page.getState())]).toEqual(["running", ["A", "OK.", "Look."]]);
  expect((await page.until(isUnsent)).unsent).toBe("Look.");
  first.close();
  page.close();
});

/** Needs longer for a file than a conversation needs to load. */
class SlowReader {
  onload: () => void = noop;
  readonly result = "data:text/plain;base64,eA==";
  async readAsDataURL(): Promise<void> {
    for (let turns = 0; turns < 50; turns++) await turn();
    this.onload();
  }
}

/** Timers fire with the next turn, but a connection is never idle. */
function fast() {
  return {
    ...manualClock(),
    setTimeout: (callback: () => void, delay: number) =>
      delay < 24_000 ? setImmediate(callback) : undefined,
    clearTimeout: (it: unknown) => {
      clearImmediate(it as NodeJS.Immediate | undefined);
    },
  };
}

test("calls wait for the user: approve and reject continue", async () => {
  const script = [
    [...call("1", "pay", '{"input": "10"}'), ...call("2", "pay", '{"input": "20"}')],
    ["Done."],
  ];
  const pay = tool({ name: "pay", run: (euro) => `paid ${euro}` });
  const page = open(
    serve(createAgent({ model: answers(script), tools: [pay], middleware: [humanApproval()] })),
  );
  await page.until(isIdle);
  page.send("Pay.");
  const { pending } = await page.until(({ status }) => status === "paused");
  expect(pending.map(({ id, args }) => [id, args])).toEqual([
    ["1", { input: "10" }],
    ["2", { input: "20" }],
  ]);
  page.approve("1");
  await page.until((it) => it.status === "paused" && it.pending.length === 1);
  page.reject("2", "No.");
  expect(texts(await page.until(isIdle)).at(-1)).toBe("Done.");
  page.close();
});

test("a message that the server does not accept is not lost, and the page shows what another tab has done", async () => {
  const fetch = serve(createAgent({ model: scriptedModel(["OK."]) }));
  const [one, two] = [open(fetch), open(fetch)];
  await Promise.all([one.until(isIdle), two.until(isIdle)]);
  one.send("From one");
  await one.until((it) => isIdle(it) && it.messages.length === 2);
  two.send("From two");
  const refused = await two.until(({ error, messages }) => error !== undefined && messages.length === 2);
  expect(refused).toMatchObject({ unsent: "From two", error: { code: "conflict" } });
  expect(texts(refused)).toEqual(["From one", "OK."]);
  two.send(refused.unsent ?? "");
  const last = await two.until((it) => isIdle(it) && it.messages.length === 4);
  expect(last).toMatchObject({ unsent: undefined, error: undefined });
  one.close();
  two.close();
});

test("a server that cannot be reached is told in words, and refresh() tries again", async () => {
  let isDown = false;
  const inner = serve(createAgent({ model: scriptedModel(["OK."]) }));
  const page = open(
    (url, init) => (isDown ? Promise.reject(new TypeError("fetch failed")) : inner(url, init)),
    {
      maxRetries: 0,
    },
  );
  await page.until(isIdle);
  isDown = true;
  page.send("Hi");
  const { error, unsent } = await page.until((it) => it.error !== undefined);
  expect([error, unsent]).toEqual([{ code: "cut", message: "The server cannot be reached." }, "Hi"]);
  page.stop();
  await turn();
  isDown = false;
  page.send("Hi");
  expect(texts(await page.until((it) => isIdle(it) && it.messages.length === 2))).toEqual(["Hi", "OK."]);
  page.close();
});

test("stop ends the answer and keeps what was written; resume asks again", async () => {
  const model = scriptedModel(async function* ({ index }): AsyncGenerator<ScriptItem> {
    yield "One, ";
    if (index === 0) await hang;
    yield "two.";
  });
  const page = open(serve(createAgent({ model })));
  await page.until(isIdle);
  page.send("Count.");
  await page.until((it) => texts(it).includes("One, "));
  page.stop();
  expect(texts(await page.until(({ status }) => status === "stopped"))).toEqual(["Count.", "One, "]);
  page.resume();
  expect(texts(await page.until(isIdle))).toEqual(["Count.", "One, two."]);
  page.close();
});

test("subscribers come and go as those of React in StrictMode do, with one request", async () => {
  let requests = 0;
  const inner = serve(createAgent({ model: scriptedModel(["OK."]) }));
  const page = open((url, init) => {
    requests++;
    return inner(url, init);
  });
  page.close();
  const leave = page.subscribe(() => undefined);
  await page.until(isIdle);
  expect(requests).toBe(1);
  leave();
  await turn();
  expect(page.getInitialState().status).toBe("loading");
});

test("a call of a client tool waits for the page, which runs it and answers", async () => {
  const place = clientTool({ name: "place", schema: z.object({}), output: z.object({ city: z.string() }) });
  const script = [call("1", "place", "{}"), ["You are in Oslo."]];
  const page = open(serve(createAgent({ model: answers(script), tools: [place] })));
  await page.until(isIdle);
  page.send("Where am I?");
  const { pending } = await page.until(({ status }) => status === "paused");
  expect(pending).toMatchObject([{ id: "1", name: "place", status: "paused" }]);
  page.answer("1", { city: "Oslo" });
  const last = await page.until(isIdle);
  expect(last.messages[1]).toMatchObject({ calls: [{ status: "done", result: '{"city":"Oslo"}' }] });
  expect(texts(last).at(-1)).toBe("You are in Oslo.");
  page.close();
});

/** A stream of patches that ends as it is told, or not at all. */
function streamOf(text: string): Response {
  return new Response(text, { headers: { "content-type": "text/event-stream" } });
}

test.each([
  ["is lost for good after the server accepted the message", ""],
  ["sends too long an event", `data: [${" ".repeat(2_000)}`],
  ["ends without the message", "data: []\n\nevent: done\ndata: {}\n\n"],
])("a stream that %s gives the message back", async (_, text) => {
  const inner = serve(createAgent({ model: answers([]) }));
  const page = open(
    (url, init) => (init.method === "POST" ? Promise.resolve(streamOf(text)) : inner(url, init)),
    {
      maxRetries: 0,
      maxBuffer: 1_000,
    },
  );
  await page.until(isIdle);
  page.send("Hi");
  const { error, messages, isBusy } = await page.until(isUnsent);
  expect(page.getState().unsent).toBe("Hi");
  expect(error?.message).toMatch(/./);
  expect([messages, isBusy]).toEqual([[], false]);
  page.close();
});

test("a message whose page was left before the server had it is given back when the page is shown again", async () => {
  const inner = serve(createAgent({ model: answers([]) }));
  const page = open((url, init) => (init.method === "POST" ? hang : inner(url, init)));
  await page.until(isIdle);
  page.send("Hi");
  await turn();
  page.close();
  await turn();
  const close = page.subscribe(noop);
  expect(await page.until(isUnsent)).toMatchObject({ unsent: "Hi", isBusy: false, messages: [] });
  close();
});

test("a message is sent to its end when its page is left", async () => {
  const inner = serve(createAgent({ model: scriptedModel(["OK."]) }));
  const page = open(slow(inner));
  await page.until(isIdle);
  page.send("Hi");
  await turn();
  page.close();
  for (let turns = 0; turns < 20; turns++) await turn();
  const later = open(inner);
  expect(texts(await later.until(isIdle))).toEqual(["Hi", "OK."]);
  later.close();
});

test("a client stays with its conversation when its options name another one", async () => {
  const fetch = serve(createAgent({ model: scriptedModel(["OK."]) }));
  let id = "1";
  const schedule = (show: () => void): unknown => setImmediate(show);
  const chat = createThreadClient(() => ({ api: "http://localhost/chat", id, fetch, schedule }));
  const close = chat.subscribe(noop);
  await expect.poll(() => chat.getState().status).toBe("idle");
  id = "2";
  chat.send("Hi");
  await expect.poll(() => texts(chat.getState())).toEqual(["Hi", "OK."]);
  close();
  const other = open(fetch, { id: "2" });
  expect(texts(await other.until(isIdle))).toEqual([]);
  other.close();
});

test("a message is given back although another one has made the conversation longer", async () => {
  const inner = serve(createAgent({ model: scriptedModel(["OK."]) }));
  const page = open((url, init) => (init.method === "POST" ? hang : inner(url, init)));
  const other = open(inner);
  await Promise.all([page.until(isIdle), other.until(isIdle)]);
  page.send("Hi");
  await turn();
  page.close();
  other.send("From another tab");
  await other.until((it) => isIdle(it) && it.messages.length === 2);
  const close = page.subscribe(noop);
  expect(texts(await page.until(isUnsent))).toEqual(["From another tab", "OK."]);
  expect(page.getState()).toMatchObject({ unsent: "Hi", isBusy: false });
  close();
  other.close();
});

test.each([
  ["nothing", "event: done\ndata: {}\n\n"],
  [
    "an object of another kind",
    'data: [{"op":"replace","path":"","value":{"messages":7}}]\n\nevent: done\ndata: {}\n\n',
  ],
])("a server that sends %s instead of a conversation is an error", async (_, text) => {
  const page = open(() => Promise.resolve(streamOf(text)));
  const { error, messages } = await page.until(({ status }) => status === "failed");
  expect(error).toMatchObject({ code: "protocol" });
  expect(messages).toEqual([]);
  page.close();
});

test("options and requests that cannot be made are errors, and the message is given back", async () => {
  const inner = serve(createAgent({ model: answers([]) }));
  let isSignedOut = false;
  const problems: unknown[] = [];
  const listen = (error: unknown): void => void problems.push(error);
  process.on("unhandledRejection", listen);
  const chat = createThreadClient(() => {
    if (isSignedOut) throw new Error("no token");
    return { api: "http://localhost/chat", id: "1", fetch: inner, schedule: (show) => setImmediate(show) };
  });
  const until = (reached: (state: StreamedThread) => boolean): Promise<void> =>
    expect.poll(() => reached(chat.getState())).toBe(true);
  const close = chat.subscribe(noop);
  await until(isIdle);
  isSignedOut = true;
  chat.send("Hi");
  await until(isUnsent);
  expect(chat.getState()).toMatchObject({ unsent: "Hi", isBusy: false, error: { code: "protocol" } });
  chat.refresh();
  chat.stop();
  isSignedOut = false;
  chat.refresh();
  await until(({ status }) => status === "idle");
  chat.answer("call", 1n as never);
  await until(({ error }) => error !== undefined);
  isSignedOut = true;
  close();
  await turn();
  process.off("unhandledRejection", listen);
  expect(problems).toEqual([]);
});

test("a file that cannot be read gives the message back", async () => {
  const page = open(serve(createAgent({ model: answers([]) })));
  await page.until(isIdle);
  page.send("Look.", [new Blob(["x"])]); // there is no FileReader here
  expect(await page.until(isUnsent)).toMatchObject({ unsent: "Look.", isBusy: false, messages: [] });
  page.close();
});

test("a decision that another tab has taken first is no error once the page shows it", async () => {
  const model = answers([call("1", "pay", '{"input":""}'), ["Done."]]);
  const tools = [tool({ name: "pay", run: () => hang })];
  const fetch = serve(createAgent({ model, tools, middleware: [humanApproval()] }));
  const [one, two] = [open(fetch), open(fetch)];
  await one.until(isIdle);
  one.send("Pay.");
  await one.until(({ pending }) => pending.length > 0);
  two.refresh();
  await two.until(({ pending }) => pending.length > 0);
  one.approve("1");
  two.approve("1");
  await two.until(({ error, status }) => status === "running" && error === undefined);
  expect(new Set(two.states.map(({ error }) => error?.code))).toEqual(new Set([undefined, "conflict"]));
  one.close();
  two.close();
});
