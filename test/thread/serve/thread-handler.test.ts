import { type Agent, collect, createAgent, type MessageChunk, tool } from "millrace";
import { humanApproval, promptStrategy, toolStrategy } from "millrace/agent";
import { createPatchStore } from "millrace/client";
import { memoryLog } from "millrace/serve";
import { scriptedModel, type ScriptItem } from "millrace/testing";
import {
  memoryThreads,
  type StoredThread,
  thread,
  threadHandler,
  type ThreadHandlerOptions,
  type ThreadSummary,
  type ThreadView,
} from "millrace/thread";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { answers, call } from "../../agent/support/script.js";
import { turn } from "../../stream/support/hand-fed.js";

type Handle = (request: Request) => Promise<Response>;
const url = "http://localhost/chat?thread=1";

function requests(handle: Handle, address = url) {
  const send = (body: unknown): Promise<Response> =>
    handle(
      new Request(address, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    );
  return {
    send,
    get: () => handle(new Request(address)),
    stop: () => handle(new Request(address, { method: "DELETE" })),
    /** Reads a response to its end, and returns each state of the page. */
    async read(response: Promise<Response> | Response): Promise<ThreadView[]> {
      const views: ThreadView[] = [];
      const store = createPatchStore<ThreadView>({
        schedule: (show) => {
          show();
        },
      });
      store.subscribe(({ value }) => {
        if (value !== undefined && value !== views.at(-1)) views.push(value as ThreadView);
      });
      await store.connect(await response);
      expect(store.error).toBeUndefined();
      expect(store.status).toBe("done");
      return views;
    },
  };
}

function serve(agent: Agent, options: Partial<ThreadHandlerOptions> = {}) {
  const store = options.store ?? memoryThreads();
  return { store, ...requests(threadHandler({ agent, store, ...options })) };
}

const weather = tool({
  name: "weather",
  schema: z.object({ city: z.string() }),
  async *run({ city }) {
    yield "looking";
    await Promise.resolve();
    return `${city}: -4`;
  },
});

const noop = (): void => undefined;
/** Never settles. */
const hang = new Promise<never>(noop);

test("a page sees the message, the answer while it grows, and the tools; a reload sees the same", async () => {
  const model = answers([
    [
      { content: [{ type: "reasoning", reasoning: "Hm." }] },
      "Let me ",
      "look.",
      ...call("1", "weather", '{"city": "Os', 'lo"}'),
    ],
    ["It is ", "cold."],
  ]);
  const page = serve(createAgent({ model, tools: [weather] }));
  const views = await page.read(page.send({ type: "send", text: "How cold is it?" }));
  expect(views[0]).toEqual({
    title: "How cold is it?",
    status: "running",
    messages: [{ id: "m0", role: "user", text: "How cold is it?", media: [] }],
    ...{ object: null, error: null, retry: null, usage: null },
  });
  const texts = views.map(({ messages }) => messages.map(({ text }) => text).join("|"));
  expect(texts).toContain("How cold is it?|Let me ");
  expect(texts).toContain("How cold is it?|Let me look.|It is ");
  const calls = views.flatMap(({ messages: [, first] }) => (first?.role === "assistant" ? first.calls : []));
  expect(calls.map(({ args }) => args)).toContainEqual({ city: "Os" });
  expect(calls.map(({ progress }) => progress)).toContain("looking");
  expect(views.at(-1)).toMatchObject({
    status: "idle",
    messages: [
      { role: "user" },
      {
        reasoning: "Hm.",
        calls: [{ status: "done", result: "Oslo: -4", args: { city: "Oslo" } }],
        partial: false,
      },
      { text: "It is cold.", partial: false },
    ],
  });
  expect((await page.read(page.get())).at(-1)).toEqual(views.at(-1));
  const list = (await (
    await requests(
      threadHandler({ agent: createAgent({ model }), store: page.store }),
      "http://localhost/chat",
    ).get()
  ).json()) as unknown;
  expect(list).toEqual({
    threads: [{ id: "1", title: "How cold is it?", status: "idle", updatedAt: expect.any(Number) as number }],
  });
});

test("the list of the user comes in pages", async () => {
  const store = memoryThreads();
  const agent = createAgent({ model: answers([["Hi."]]) });
  const handle = threadHandler({ agent, store });
  const list = async (query = ""): Promise<{ threads: ThreadSummary[]; code?: string }> =>
    (await requests(handle, `http://localhost/chat${query}`).get()).json() as never;
  await collect((await thread(agent, { store, id: "0" })).stream("Hello"));
  const { record } = (await store.load({ owner: "", id: "0" })) as StoredThread;
  for (let id = 1; id < 120; id++) await store.save({ owner: "", id: String(id) }, record, undefined);
  const ids: string[] = [];
  let { threads } = await list();
  while (threads.length > 0) {
    ids.push(...threads.map(({ id }) => id));
    const { updatedAt, id } = threads.at(-1) as ThreadSummary;
    ({ threads } = await list(`?after=${updatedAt},${id}`));
  }
  expect(ids).toHaveLength(120);
  expect(new Set(ids).size).toBe(120);
  expect((await list("?after=yesterday")).code).toBe("invalid_request");
  expect((await list("?after=1,..%2Fx")).code).toBe("invalid_request");
});

test("a structured response grows as object, and is no call", async () => {
  const model = answers([call("1", "Rating", '{"stars": 10'), call("2", "Rating", '{"stars": 5}')]);
  const schema = z.object({ stars: z.int().max(5) }).meta({ title: "Rating" });
  const page = serve(createAgent({ model, responseFormat: toolStrategy(schema) }));
  const views = await page.read(page.send({ type: "send", text: "Rate." }));
  expect(views.map(({ retry }) => retry?.attempt)).toContain(1);
  const last = views.at(-1);
  expect(last).toMatchObject({ status: "idle", object: { stars: 5 }, retry: null });
  expect(JSON.stringify(last)).not.toContain('Rating"');
  expect((await page.read(page.get())).at(-1)).toEqual(last);
});

test("a correction by the agent is no message of the user, and the next answer grows in its own", async () => {
  const model = scriptedModel(({ index }) => (index === 0 ? ['{"stars"', ": 10}"] : ['{"stars"', ": 5}"]));
  const responseFormat = promptStrategy(z.object({ stars: z.int().max(5) }));
  const page = serve(createAgent({ model, responseFormat }));
  const views = await page.read(page.send({ type: "send", text: "Rate." }));
  const shown = views.map(({ messages }) => messages.map(({ role, text }) => `${role}: ${text}`));
  expect(shown).toContainEqual(["user: Rate.", 'assistant: {"stars": 10}', 'assistant: {"stars"']);
  for (const messages of shown) expect(messages.join()).not.toMatch(/user: .*user: /);
  expect((await page.read(page.get())).at(-1)).toEqual(views.at(-1));
});

test("a page that is reloaded or opened again during an answer sees it from its start, and to its end", async () => {
  const gate = gates(2);
  const model = scriptedModel(async function* () {
    yield "One, ";
    await gate.pass(0);
    yield "two, ";
    await gate.pass(1);
    yield "three.";
  });
  const page = serve(createAgent({ model }));
  const first = page.read(page.send({ type: "send", text: "Count." }));
  await turn();
  const second = page.read(page.get());
  gate.open(0);
  await turn();
  const third = page.read(page.get());
  gate.open(1);
  const ends = (await Promise.all([first, second, third])).map((views) => views.at(-1));
  expect(ends[0]?.messages.at(-1)?.text).toBe("One, two, three.");
  expect(ends[1]).toEqual(ends[0]);
  expect(ends[2]).toEqual(ends[0]);
});

function gates(count: number) {
  const opens: (() => void)[] = [];
  const all = Array.from(
    { length: count },
    () =>
      new Promise<void>((resolve) => {
        opens.push(resolve);
      }),
  );
  return { pass: (at: number) => all[at], open: (at: number) => opens[at]?.() };
}

test("a page that leaves does not stop the answer; stop does, and keeps what was written", async () => {
  const gate = gates(2);
  const model = scriptedModel(async function* ({ index }) {
    yield "One, ";
    await gate.pass(index);
    yield "two.";
  });
  const page = serve(createAgent({ model }));
  const response = await page.send({ type: "send", text: "Count." });
  await response.body?.cancel();
  gate.open(0);
  expect((await page.read(page.get())).at(-1)?.messages.at(-1)?.text).toBe("One, two.");

  const views = page.read(page.send({ type: "send", text: "Again." }));
  await turn();
  expect(await (await page.stop()).json()).toEqual({ stopped: true });
  const last = (await views).at(-1);
  expect(last).toMatchObject({ status: "stopped", error: null });
  expect(last?.messages.at(-1)).toMatchObject({ text: "One, ", partial: true });
  expect((await page.read(page.get())).at(-1)).toEqual(last);
  expect(await (await page.stop()).json()).toEqual({ stopped: false });
});

test("calls wait for the user, who approves, changes or rejects them", async () => {
  const ran: string[] = [];
  const pay = tool({ name: "pay", run: (euro) => ran.push(euro) && `paid ${euro}` });
  const script = [
    [...call("1", "pay", '{"input": "10"}'), ...call("2", "pay", '{"input": "20"}')],
    ["Done."],
  ];
  const page = serve(createAgent({ model: answers(script), tools: [pay], middleware: [humanApproval()] }));
  const paused = (await page.read(page.send({ type: "send", text: "Pay." }))).at(-1);
  expect(paused).toMatchObject({
    status: "paused",
    messages: [{}, { calls: [{ status: "paused" }, { status: "paused" }] }],
  });
  expect((await page.read(page.get())).at(-1)).toEqual(paused);
  expect(await (await page.send({ type: "approve", call: "9" })).json()).toMatchObject({ code: "no_turn" });
  const one = (await page.read(page.send({ type: "approve", call: "1", args: { input: "1" } }))).at(-1);
  expect(one).toMatchObject({
    status: "paused",
    messages: [{}, { calls: [{ status: "done", args: { input: "1" } }, { status: "paused" }] }],
  });
  const two = (await page.read(page.send({ type: "reject", call: "2", message: "Too much." }))).at(-1);
  expect(two).toMatchObject({
    status: "idle",
    messages: [{}, { calls: [{}, { status: "failed", result: "Too much." }] }, { text: "Done." }],
  });
  expect(ran).toEqual(["1"]);
  expect((await page.read(page.get())).at(-1)).toEqual(two);
});

test("two tabs: a message to a conversation that was changed elsewhere is refused, and so is one during an answer", async () => {
  const gate = gates(1);
  const model = scriptedModel(async function* ({ index }) {
    if (index === 1) await gate.pass(0);
    yield "OK.";
  });
  const page = serve(createAgent({ model }));
  await page.read(page.send({ type: "send", text: "From one.", seen: 0 }));
  const stale = await page.send({ type: "send", text: "From two.", seen: 0 });
  expect(stale.status).toBe(409);
  expect(await stale.json()).toMatchObject({ code: "conflict" });
  const answer = page.read(page.send({ type: "send", text: "Next.", seen: 2 }));
  await turn();
  const busy = await page.send({ type: "send", text: "Now.", seen: 3 });
  expect([busy.status, await busy.json()]).toMatchObject([409, { code: "busy" }]);
  gate.open(0);
  expect((await answer).at(-1)?.messages).toHaveLength(4);
});

test("a failure is told in words, nothing internal is shown, and the answer can be asked for again", async () => {
  const errors: unknown[] = [];
  const model = scriptedModel(async function* ({ index }): AsyncGenerator<ScriptItem> {
    await Promise.resolve();
    yield "It is ";
    if (index === 0) throw new Error("password 1234 at /srv/app");
    yield "noon.";
  });
  const page = serve(createAgent({ model }), { onError: (error) => void errors.push(error) });
  const last = (await page.read(page.send({ type: "send", text: "When?" }))).at(-1);
  expect(last).toMatchObject({
    status: "failed",
    error: { code: "run_failed", message: "The run failed." },
    messages: [{ text: "When?" }, { text: "It is ", partial: true }],
  });
  expect(errors).toHaveLength(1);
  expect(JSON.stringify(last)).not.toContain("1234");
  expect((await page.read(page.get())).at(-1)).toEqual(last);
  expect((await page.read(page.send({ type: "resume" }))).at(-1)).toMatchObject({
    status: "idle",
    error: null,
    messages: [{ text: "When?" }, { text: "It is noon.", partial: false }],
  });
});

test("a turn whose process died can be continued by the next one", async () => {
  const store = memoryThreads();
  const model = scriptedModel(async function* ({ index }): AsyncGenerator<ScriptItem> {
    yield "One, ";
    if (index === 0) await hang;
    yield "two.";
  });
  const old = serve(createAgent({ model }), { store, lease: 1 });
  await old.send({ type: "send", text: "Count." });
  // Another process has another log. The lease of a process that lives is renewed, so a dead one is a store of its own.
  const record = (await store.load({ owner: "", id: "1" }))?.record;
  const other = memoryThreads();
  await other.save({ owner: "", id: "1" }, record as NonNullable<typeof record>, undefined);
  await setTimeout(5);
  const page = serve(createAgent({ model }), { store: other });
  expect((await page.read(page.get())).at(-1)).toMatchObject({
    status: "failed",
    error: { code: "run_lost" },
  });
  expect((await page.read(page.send({ type: "resume" }))).at(-1)).toMatchObject({
    status: "idle",
    messages: [{ text: "Count." }, { text: "One, two." }],
  });
  await old.stop();
});

test("each user has threads of their own, and a request without a user is refused", async () => {
  const store = memoryThreads();
  const agent = createAgent({ model: scriptedModel(["OK."]) });
  let user: string | undefined = "ada";
  const page = serve(agent, { store, clientId: () => user });
  await page.read(page.send({ type: "send", text: "Secret" }));
  user = "bob";
  expect((await page.read(page.get())).at(-1)?.messages).toEqual([]);
  expect(await (await page.stop()).json()).toEqual({ stopped: false });
  user = undefined;
  for (const response of [await page.get(), await page.stop(), await page.send({ type: "send", text: "Hi" })])
    expect([response.status, await response.json()]).toMatchObject([401, { code: "unauthorized" }]);
});

// G-wire-15
test("a page that asks for more conversations at once than it may read loads none of them", async () => {
  const store = memoryThreads();
  let loads = 0;
  const load: typeof store.load = (key) => {
    loads++;
    return store.load(key);
  };
  const { get } = serve(createAgent({ model: answers([]) }), { store: { ...store, load }, maxReaders: 2 });
  const statuses = (await Promise.all(Array.from({ length: 10 }, get))).map(({ status }) => status);
  expect(statuses).toEqual([200, 200, ...Array.from({ length: 8 }, () => 429)]);
  expect(loads).toBe(2);
});

test("the type of a file has no parameters, which recordings and texts of browsers have", async () => {
  const seen: unknown[] = [];
  const model = scriptedModel(({ messages }) => {
    seen.push(messages.at(-1)?.content);
    return ["A song."];
  });
  const page = serve(createAgent({ model }));
  const media = [
    { url: "data:audio/webm;codecs=opus;base64,GkXfow==" },
    { url: 'data:text/plain;charset=utf-8;name="a,b";base64,SGk=' },
  ];
  const last = (await page.read(page.send({ type: "send", text: "What?", media }))).at(-1);
  expect(seen).toMatchObject([
    [
      { type: "audio", mimeType: "audio/webm", data: "GkXfow==" },
      { type: "file", mimeType: "text/plain", data: "SGk=" },
      { type: "text", text: "What?" },
    ],
  ]);
  expect(last?.messages[0]).toMatchObject({
    media: [{ mimeType: "audio/webm" }, { mimeType: "text/plain" }],
  });
});

test("files come inside the message, and nothing else is read as one", async () => {
  const seen: unknown[] = [];
  const model = scriptedModel(({ messages }) => {
    seen.push(messages.at(-1)?.content);
    return ["A cat."];
  });
  const page = serve(createAgent({ model }));
  const media = [{ url: "data:image/png;base64,iVBORw0KGgo=" }];
  const [, last] = [0, (await page.read(page.send({ type: "send", text: "What?", media }))).at(-1)];
  expect(seen).toEqual([
    [
      { type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" },
      { type: "text", text: "What?" },
    ],
  ]);
  expect(last?.messages[0]).toMatchObject({
    media: [{ type: "image", url: "data:image/png;base64,iVBORw0KGgo=" }],
  });
  const wrong: readonly unknown[] = [
    { type: "send", text: "" },
    { type: "send", text: 1 },
    { type: "send", media: [{ url: "http://169.254.169.254/" }] },
    { type: "send", text: "Hi", seen: -1 },
    { type: "approve" },
    { type: "drop" },
    "send",
    null,
  ];
  for (const body of wrong) expect([body, (await page.send(body)).status]).toEqual([body, 400]);
  for (const id of ["", "../1", "a b"]) {
    const { status } = await requests(
      threadHandler({ agent: createAgent({ model }), store: page.store }),
      `http://localhost/?thread=${id}`,
    ).get();
    expect(status).toBe(400);
  }
});

test("a log that is full ends the turn, which says so", async () => {
  const log = memoryLog({ maxRuns: 1 });
  await log.create("other");
  const page = serve(createAgent({ model: scriptedModel(["OK."]) }), { log });
  const response = await page.send({ type: "send", text: "Hi" });
  expect(await response.text()).toContain("too_many_runs");
  expect((await page.read(page.get())).at(-1)).toMatchObject({ status: "stopped" });
});

/** What the page shows while the answer grows is what it shows after a reload, for any answer, cut anywhere. */
test("the live conversation ends as the stored one, for answers of each kind", async () => {
  const chunks: readonly (readonly (string | MessageChunk)[])[] = [
    ["text"],
    [...call("1", "weather", '{"city":"A"}'), "after"],
    ["before", ...call("1", "unknown", "{}")],
    call("1", "weather", '{"city":'),
    [{ content: [{ type: "image", url: "https://x.test/a.png", mimeType: "image/png" }] }, "Here."],
    [{ content: [{ type: "image", url: "javascript:alert(1)" }] }, "There."],
    [...call("1", "weather", '{"city":"A"}'), ...call("2", "weather", '{"city":1}')],
  ];
  for (const first of chunks) {
    for (const second of chunks) {
      const page = serve(
        createAgent({ model: answers([first, second, ["End."], ["End."]]), tools: [weather] }),
      );
      const last = (await page.read(page.send({ type: "send", text: "Go." }))).at(-1);
      const stored = (await page.read(page.get())).at(-1);
      expect(stored).toEqual(last);
      expect(JSON.stringify(stored)).not.toContain("javascript:");
    }
  }
});
