import { join } from "node:path";
import {
  type AgentEvent,
  type AgentState,
  collect,
  createAgent,
  type Message,
  systemClock,
  textOf,
  tool,
} from "millrace";
import { agentTool, clientTool, humanApproval, type TokenPrices } from "millrace/agent";
import { durable, fileJournal, memoryJournal } from "millrace/durable";
import { manualClock, scriptedModel, type ScriptItem } from "millrace/testing";
import {
  memoryThreads,
  type RunTurn,
  thread,
  type Thread,
  ThreadError,
  type ThreadStore,
} from "millrace/thread";

import { expect, test } from "vitest";
import { answers, call } from "../agent/support/script.js";
import { temporaryFolders } from "../durable/support/folders.js";
import { turn } from "../stream/support/hand-fed.js";

const newFolder = temporaryFolders();
const key = { owner: "", id: "1" };
const said = (messages: readonly Message[]): string[] => messages.map((it) => `${it.role}: ${textOf(it)}`);
const roles = (messages: readonly Message[]): string => messages.map(({ role }) => role[0]).join("");

/** Reads a turn to its end, and returns the error that ended it. */
async function failureOf(events: AsyncIterable<AgentEvent>): Promise<unknown> {
  return collect(events).then(
    () => undefined,
    (error: unknown) => error,
  );
}

const noop = (): void => undefined;
/** Never settles. */
const hang = new Promise<never>(noop);

test("a thread keeps the conversation, with the title of its first message", async () => {
  const store = memoryThreads();
  const agent = createAgent({ model: answers([["Hello."], ["Hello again."]]) });
  const chat = await thread(agent, { store, id: "1", now: () => 5 });
  expect(chat.status).toBe("idle");
  await collect(chat.stream("Hi\n  there"));
  const later = await thread(agent, { store, id: "1", now: () => 7 });
  await collect(later.stream("And?"));
  expect(said(later.messages)).toEqual([
    "user: Hi\n  there",
    "assistant: Hello.",
    "user: And?",
    "assistant: Hello again.",
  ]);
  expect(later.record).toMatchObject({ title: "Hi there", status: "idle", createdAt: 5, updatedAt: 7 });
  expect(await store.list("")).toEqual([{ id: "1", title: "Hi there", status: "idle", updatedAt: 7 }]);
});

test("a title that is no text is an error before the model is asked", async () => {
  const model = answers([["Hello."]]);
  const title = (() => Promise.resolve("Hi")) as unknown as () => string;
  const chat = await thread(createAgent({ model }), { store: memoryThreads(), id: "1", title });
  expect(await failureOf(chat.stream("Hi"))).toMatchObject({
    message: "The title() of a thread returns a text, and not an object (Promise).",
  });
  expect(model.calls).toHaveLength(0);
});

test("a thread has the cost of all its turns, and none if a turn has no price", async () => {
  const usage = { inputTokens: 1_000, outputTokens: 100 };
  const model = scriptedModel(["Hi.", { content: [], model: "gpt-5-mini-2025", usage }]);
  const store = memoryThreads();
  const costAfter = async (prices: TokenPrices): Promise<number | undefined> => {
    const chat = await thread(createAgent({ model, prices }), { store, id: "1" });
    await collect(chat.stream("Hi"));
    expect((await thread(createAgent({ model }), { store, id: "1" })).usage).toEqual(chat.usage);
    return chat.usage?.cost;
  };
  expect(await costAfter({ "gpt-5": { input: 10, output: 100 } })).toBeCloseTo(0.02);
  expect(await costAfter({ "gpt-5-mini": { input: 1, output: 10 } })).toBeCloseTo(0.022);
  expect(await costAfter({})).toBeUndefined();
});

test("the message of the user is saved before the model is asked, and each step before its event", async () => {
  const store = memoryThreads();
  const seen: string[] = [];
  const saved = async (): Promise<string> => {
    const { record } = (await store.load(key)) ?? {};
    return `${record?.status} ${roles(record?.state.messages ?? [])}`;
  };
  const model = scriptedModel(async function* ({ index }) {
    seen.push(`model: ${await saved()}`);
    yield* index === 0 ? call("1", "look", '{"input": ""}') : ["Done."];
  });
  const chat = await thread(createAgent({ model, tools: [tool({ name: "look", run: () => "it" })] }), {
    store,
    id: "1",
  });
  for await (const { type } of chat.stream("Go."))
    if (type === "step_end" || type === "finish") seen.push(`${type}: ${await saved()}`);
  expect(seen).toEqual([
    "model: running u",
    "step_end: running uat",
    "model: running uat",
    "step_end: running uata",
    "finish: idle uata",
  ]);
});

test("of two tabs that write at once, one gets a conflict, and loses nothing", async () => {
  const store = memoryThreads();
  const agent = createAgent({ model: scriptedModel(["OK."]) });
  const one = await thread(agent, { store, id: "1" });
  const two = await thread(agent, { store, id: "1" });
  await collect(one.stream("From one"));
  expect(await failureOf(two.stream("From two"))).toMatchObject({ code: "conflict" });
  await two.refresh();
  await collect(two.stream("From two"));
  expect(said(two.messages).filter((it) => it.startsWith("user"))).toEqual([
    "user: From one",
    "user: From two",
  ]);
});

test("while a turn runs, another message is refused; after its lease it is accepted, and the turn ends", async () => {
  const store = memoryThreads();
  let now = 1_000;
  const clock = manualClock();
  const model = scriptedModel(({ index }) => (index === 0 ? hanging() : ["Second."]));
  const agent = createAgent({ model });
  const options = { store, id: "1", now: () => now, clock, lease: 3_000 };
  const one = await thread(agent, options);
  const events = one.stream("First")[Symbol.asyncIterator]();
  await untilText(events);
  const two = await thread(agent, options);
  expect(await failureOf(two.stream("Second"))).toMatchObject({ code: "busy" });
  expect(await failureOf(one.stream("Third"))).toMatchObject({ code: "busy" });
  now += 1_000;
  clock.advance(1_000); // a sign of life
  await turn();
  now += 2_500;
  await two.refresh();
  expect(await failureOf(two.stream("Second"))).toMatchObject({ code: "busy" });
  now += 501; // the process sleeps
  await collect(two.stream("Second"));
  clock.advance(1_000);
  await turn();
  await expect(events.next()).rejects.toMatchObject({ code: "taken_over" });
  await two.refresh();
  expect(said(two.messages)).toEqual(["user: First", "user: Second", "assistant: Second."]);
});

test("an infinite lease is one for others, too", async () => {
  const store = memoryThreads();
  const agent = createAgent({ model: scriptedModel(() => hanging()) });
  const options = { store, id: "1", lease: Infinity };
  const events = (await thread(agent, options)).stream("First")[Symbol.asyncIterator]();
  await untilText(events);
  const two = await thread(agent, options);
  expect(await failureOf(two.stream("Second"))).toMatchObject({ code: "busy" });
  await events.return?.();
});

test("a clock goes back: a dead turn is busy for one lease, and not until the old time", async () => {
  const store = memoryThreads();
  let now = 100_000_000;
  const agent = createAgent({ model: scriptedModel(({ index }) => (index === 0 ? hanging() : ["Second."])) });
  const options = { store, id: "1", now: () => now, lease: 3_000 };
  const dead = { ...options, clock: manualClock() }; // renews nothing
  await untilText((await thread(agent, dead)).stream("First")[Symbol.asyncIterator]());
  now -= 3_600_000;
  const other = await thread(agent, options);
  expect(await failureOf(other.stream("Second"))).toMatchObject({ code: "busy" });
  now += 3_000;
  const later = await thread(agent, options);
  expect(later.isOwned).toBe(false);
  await collect(later.stream("Second"));
  expect(said(later.messages).at(-1)).toBe("assistant: Second.");
});

test.each([-3_600_000, -3_001, -1_000, 1_000])(
  "a clock jumps by %i ms: a turn that lives goes on, and can be stopped",
  async (jump) => {
    const store = memoryThreads();
    let now = 100_000_000;
    const clock = manualClock();
    const agent = createAgent({ model: scriptedModel(() => hanging()) });
    const options = { store, id: "1", now: () => now, clock, lease: 3_000 };
    const events = (await thread(agent, options)).stream("First")[Symbol.asyncIterator]();
    await untilText(events);
    now += jump;
    const other = await thread(agent, options);
    expect(await failureOf(other.stream("Second"))).toMatchObject({ code: "busy" });
    for (let beats = 0; beats < 6; beats++) {
      now += 1_000;
      clock.advance(1_000);
      await turn();
      await other.refresh();
      expect(await failureOf(other.stream("Second"))).toMatchObject({ code: "busy" });
    }
    await other.stop();
    const ended = expect(events.next()).rejects.toMatchObject({ name: "AbortError" });
    clock.advance(1_000);
    await ended;
    expect((await store.load(key))?.record.status).toBe("stopped");
  },
);

async function untilText(events: AsyncIterator<AgentEvent>): Promise<void> {
  for (let type = ""; type !== "text";) type = ((await events.next()).value as AgentEvent).type;
}

async function* hanging(): AsyncGenerator<string, undefined, undefined> {
  yield "Once upon ";
  await hang;
}

test("an answer that was stopped is kept, marked as incomplete, and the next message follows it", async () => {
  const store = memoryThreads();
  const asked: string[][] = [];
  const model = scriptedModel(({ index, messages }) => {
    asked.push(said(messages));
    return index === 0 ? hanging() : ["So?"];
  });
  const chat = await thread(createAgent({ model }), { store, id: "1" });
  for await (const { type } of chat.stream("Tell.")) if (type === "text") await chat.stop();
  const later = await thread(createAgent({ model }), { store, id: "1" });
  expect(later.status).toBe("stopped");
  expect(later.messages[1]).toEqual({ role: "assistant", content: [{ type: "text", text: "Once upon " }] });
  await collect(later.stream("Go on."));
  expect(asked[1]).toEqual(["user: Tell.", "assistant: Once upon ", "user: Go on."]);
});

test("stop() inside the loop, and with a reader that has gone, ends the turn", async () => {
  const store = memoryThreads();
  const chat = await thread(createAgent({ model: scriptedModel(() => hanging()) }), { store, id: "1" });
  const types: string[] = [];
  for await (const { type } of chat.stream("Tell.")) {
    types.push(type);
    if (type === "text") await chat.stop();
  }
  expect([types.at(-1), chat.status]).toEqual(["text", "stopped"]);
  await chat.stream("Again.")[Symbol.asyncIterator]().next();
  expect(chat.status).toBe("running");
  await chat.stop();
  expect(chat.status).toBe("stopped");
});

test("leaving the loop stops the turn, also while the model is silent", async () => {
  const store = memoryThreads();
  const chat = await thread(createAgent({ model: scriptedModel(() => hanging()) }), { store, id: "1" });
  for await (const { type } of chat.stream("Tell.")) if (type === "text") break;
  expect((await store.load(key))?.record).toMatchObject({
    status: "stopped",
    partial: [{ role: "assistant" }],
  });
  const again = chat.resume()[Symbol.asyncIterator]();
  await again.next();
  await again.next();
  const pending = again.next();
  await again.return?.();
  await pending.catch(() => undefined);
  expect((await store.load(key))?.record.status).toBe("stopped");
});

test("a failure keeps the message and what the model wrote, in words for the user; resume() asks again", async () => {
  const store = memoryThreads();
  const errors: unknown[] = [];
  const model = scriptedModel(({ index }) => (index === 0 ? breaking() : ["It is noon."]));
  const agent = createAgent({ model, callOptions: { maxRetries: 0 } });
  const chat = await thread(agent, { store, id: "1", onError: (error) => void errors.push(error) });
  expect(await failureOf(chat.stream("What time is it?"))).toMatchObject({ message: "secret" });
  expect(errors).toMatchObject([{ message: "secret" }]);
  const later = await thread(agent, { store, id: "1" });
  expect(later.status).toBe("failed");
  expect(later.problem).toEqual({ code: "run_failed", message: "The run failed." });
  expect(said(later.messages)).toEqual(["user: What time is it?", "assistant: It is "]);
  await collect(later.resume());
  expect(said(later.messages)).toEqual(["user: What time is it?", "assistant: It is noon."]);
  expect(later.problem).toBeUndefined();
  expect(await failureOf(later.resume())).toMatchObject({ code: "no_turn" });
});

async function* breaking(): AsyncGenerator<string, undefined, undefined> {
  yield "It is ";
  await Promise.resolve();
  throw new Error("secret");
}

test("a tool that has run does not run again after a failure, and one whose end is unknown is said to be so", async () => {
  const store = memoryThreads();
  const ran: string[] = [];
  let fail = (): void => undefined;
  const broken = new Promise<string>((_resolve, reject) => {
    fail = () => {
      reject(new Error("The database is gone."));
    };
  });
  const tools = [
    tool({ name: "pay", run: () => ran.push("pay") && "paid" }),
    tool({ name: "send", onError: false, run: () => ran.push("send") && broken }),
  ];
  const asked: string[][] = [];
  const model = scriptedModel(({ index, messages }) => {
    asked.push(said(messages));
    return index === 0
      ? [...call("1", "pay", '{"input":""}'), ...call("2", "send", '{"input":""}')]
      : ["Sorry."];
  });
  const chat = await thread(createAgent({ model, tools }), { store, id: "1" });
  const error = await failureOf(
    (async function* () {
      for await (const event of chat.stream("Go.")) {
        if (event.type === "tool_result") fail();
        yield event;
      }
    })(),
  );
  expect(error).toMatchObject({ message: "The database is gone." });
  const later = await thread(createAgent({ model, tools }), { store, id: "1" });
  await collect(later.resume());
  expect(ran).toEqual(["pay", "send"]);
  expect(asked[1]?.slice(2)).toEqual([
    "tool: paid",
    "tool: The call was interrupted before its result was known. It may have had an effect.",
  ]);
});

function bank(ran: string[]): ReturnType<typeof createAgent> {
  const model = answers([
    [...call("1", "pay", '{"input": "10"}'), ...call("2", "pay", '{"input": "20"}')],
    ["Done."],
    ["Fine."],
  ]);
  const pay = tool({ name: "pay", run: (euro) => ran.push(euro) && `paid ${euro}` });
  return createAgent({ model, tools: [pay], middleware: [humanApproval()] });
}

test("approve() and reject() are saved, and resume() continues in another process", async () => {
  const store = memoryThreads();
  const ran: string[] = [];
  const agent = bank(ran);
  const chat = await thread(agent, { store, id: "1" });
  await collect(chat.stream("Pay."));
  expect(chat.status).toBe("paused");
  expect(chat.pending.map(({ id, args }) => [id, args])).toEqual([
    ["1", { input: "10" }],
    ["2", { input: "20" }],
  ]);
  await expect(chat.approve("3")).rejects.toMatchObject({ code: "no_turn" });
  await chat.approve("1", { input: "1" });
  const later = await thread(agent, { store, id: "1" });
  expect(later.pending.map(({ id }) => id)).toEqual(["2"]);
  await later.reject("2", "Too much.");
  await collect(later.resume());
  expect(ran).toEqual(["1"]);
  expect(said(later.messages).slice(2)).toEqual(["tool: paid 1", "tool: Too much.", "assistant: Done."]);
});

test("a call that nobody has decided about when the turn is stopped has not run, and waits if it waited before", async () => {
  const store = memoryThreads();
  const args = '{"input": ""}';
  const three = ["1", "2", "3"].flatMap((id) => call(id, id === "1" ? "look" : "pay", args));
  const agent = createAgent({
    model: answers([three, three, ["Done."]]),
    tools: [tool({ name: "look", run: () => hang }), tool({ name: "pay", run: () => hang })],
    middleware: [humanApproval()],
  });
  const stopAt = async (type: AgentEvent["type"], events: AsyncIterable<AgentEvent>, count: number) => {
    for await (const event of events) if (event.type === type && --count === 0) break;
    return thread(agent, { store, id: "1" });
  };
  const notRun = "tool: The call was not run, because the answer was interrupted.";
  const mayHaveRun = "tool: The call was interrupted before its result was known. It may have had an effect.";
  let chat = await thread(agent, { store, id: "1" });
  chat = await stopAt("tool_paused", chat.stream("Pay."), 3);
  expect(said(chat.messages).slice(2)).toEqual([notRun, notRun, notRun]);
  await collect(chat.resume());
  expect(chat.pending).toHaveLength(3);
  const [, second, third] = chat.pending.map(({ id }) => id);
  await chat.approve(second!);
  chat = await stopAt("tool_paused", chat.resume(), 2);
  expect(said(chat.messages).slice(6)).toEqual([mayHaveRun]);
  await collect(chat.resume());
  expect(chat.pending.map(({ id }) => id)).toEqual([expect.anything(), third]);
});

test("calls of an agent that runs inside a call are decided about by their ids, or by that of the call", async () => {
  const pay = tool({ name: "pay", run: (euro) => `paid ${euro}` });
  const waitingCall = async (): Promise<Thread> => {
    const inner = createAgent({
      model: answers([call("1", "pay", '{"input": "7"}'), ["Settled."]]),
      tools: [pay],
      middleware: [humanApproval()],
    });
    const clerk = agentTool(inner, { name: "clerk", description: "Pays." });
    const agent = createAgent({
      model: answers([call("1", "clerk", '{"input": "Pay."}'), ["Done."]]),
      tools: [clerk],
    });
    const chat = await thread(agent, { store: memoryThreads(), id: "1" });
    await collect(chat.stream("Pay."));
    expect(chat.status).toBe("paused");
    return chat;
  };
  const inside = await waitingCall();
  expect(inside.pending).toMatchObject([{ name: "pay", args: { input: "7" } }]);
  await inside.approve(inside.pending[0]?.id ?? "");
  expect(inside.pending).toEqual([]);
  await collect(inside.resume());
  expect(said(inside.messages).slice(2)).toEqual(["tool: Settled.", "assistant: Done."]);

  const outside = await waitingCall();
  await outside.approve("1");
  await collect(outside.resume());
  expect(said(outside.messages).slice(2)).toEqual(["tool: Settled.", "assistant: Done."]);
});

test("a call that waits for a decision takes no result, and one that waits for the page no decision", async () => {
  const pay = tool({ name: "pay", run: (euro) => `paid ${euro}` });
  const tools = [pay, clientTool({ name: "where" })];
  const calls = [...call("1", "pay", '{"input": "7"}'), ...call("2", "where", '{"input": "?"}')];
  const middleware = [humanApproval({ tools: ["pay"] })];
  const desk = createAgent({ model: answers([calls, ["Settled."]]), tools, middleware });
  const chat = await thread(desk, { store: memoryThreads(), id: "1" });
  await collect(chat.stream("Pay."));
  const decision = { code: "no_turn", message: expect.stringContaining("waits for a decision") as string };
  const result = { code: "no_turn", message: expect.stringContaining("waits for a result") as string };
  await expect(chat.answer("1", "paid")).rejects.toMatchObject(decision);
  await expect(chat.approve("2")).rejects.toMatchObject(result);
  await expect(chat.reject("2")).rejects.toMatchObject(result);
  await chat.approve("1");
  await chat.answer("2", "here");
  await collect(chat.resume());
  expect(said(chat.messages).slice(2)).toEqual(["tool: paid 7", "tool: here", "assistant: Settled."]);

  const clerk = agentTool(createAgent({ model: answers([calls.slice(-1), ["There."]]), tools }), {
    name: "clerk",
  });
  const model = answers([call("1", "clerk", '{"input": "Look."}'), ["Done."]]);
  const outer = await thread(createAgent({ model, tools: [clerk] }), { store: memoryThreads(), id: "1" });
  await collect(outer.stream("Look."));
  await expect(outer.approve("1")).rejects.toMatchObject(result);
  await outer.answer("1", "here");
  await collect(outer.resume());
  expect(said(outer.messages).slice(2)).toEqual(["tool: There.", "assistant: Done."]);
});

test("a message while calls wait answers them, and does not run them", async () => {
  const store = memoryThreads();
  const ran: string[] = [];
  const chat = await thread(bank(ran), { store, id: "1" });
  await collect(chat.stream("Pay."));
  await collect(chat.stream("Never mind."));
  expect(ran).toEqual([]);
  expect(roles(chat.messages)).toBe("uattua");
});

test("a fork has the first messages, and leaves the thread alone", async () => {
  const store = memoryThreads();
  const agent = createAgent({ model: answers([["A"], ["B"], ["C"]]) });
  const chat = await thread(agent, { store, id: "1", owner: "ada" });
  await collect(chat.stream("1"));
  await collect(chat.stream("2"));
  const fork = await chat.fork(2, { id: "f" });
  await collect(fork.stream("3"));
  expect(said(fork.messages)).toEqual(["user: 1", "assistant: A", "user: 3", "assistant: C"]);
  expect((await thread(agent, { store, id: "f", owner: "ada" })).messages).toHaveLength(4);
  expect((await thread(agent, { store, id: "1", owner: "ada" })).messages).toHaveLength(4);
  await expect(chat.fork(9)).rejects.toMatchObject({ code: "invalid_fork" });
  const paused = await thread(bank([]), { store, id: "p" });
  await collect(paused.stream("Pay."));
  await expect(paused.fork()).rejects.toMatchObject({ code: "invalid_fork" });
  await expect(paused.fork(1)).resolves.toBeDefined();
});

test("nobody finds the thread of another owner", async () => {
  const store = memoryThreads();
  const agent = createAgent({ model: scriptedModel(["OK."]) });
  await collect((await thread(agent, { store, id: "1", owner: "ada" })).stream("Secret"));
  for (const owner of ["", "bob", "ada\u0000", "Ada"]) {
    expect((await thread(agent, { store, id: "1", owner })).messages).toEqual([]);
    expect(await store.list(owner)).toEqual([]);
  }
});

test("a stop reaches the process that runs the turn, which keeps what the model wrote", async () => {
  const store = memoryThreads();
  const clock = manualClock();
  const agent = createAgent({ model: scriptedModel(() => hanging()) });
  const one = await thread(agent, { store, id: "1", clock, lease: 3_000 });
  const events = one.stream("Tell.")[Symbol.asyncIterator]();
  await untilText(events);
  await (await thread(agent, { store, id: "1" })).stop();
  const ended = expect(events.next()).rejects.toMatchObject({ name: "AbortError" });
  clock.advance(1_000);
  await ended;
  expect((await store.load(key))?.record).toMatchObject({
    status: "stopped",
    partial: [{ content: [{ text: "Once upon " }] }],
  });
});

test("a stop that meets saves of the turn asks again, and a store that never agrees ends it", async () => {
  const store = memoryThreads();
  const agent = createAgent({ model: scriptedModel(() => hanging()) });
  const one = await thread(agent, { store, id: "1" });
  await untilText(one.stream("Tell.")[Symbol.asyncIterator]());
  let saves = 0;
  const load: ThreadStore["load"] = async (which) => {
    const found = await store.load(which);
    if (saves > 0 && found !== undefined) await store.save(which, found.record, found.version);
    saves--;
    return found;
  };
  const other = await thread(agent, { store: { ...store, load }, id: "1" });
  saves = 3;
  await other.stop();
  expect((await store.load(key))?.record).toMatchObject({ status: "running", turn: { stop: true } });
  saves = Infinity;
  await expect(other.stop()).rejects.toMatchObject({ code: "conflict" });
  await one.stop();
});

test("a turn whose saves meet those of other processes saves again, until its store never agrees", async () => {
  for (const [meetings, answered] of [
    [3, true],
    [Infinity, false],
  ] as const) {
    const store = memoryThreads();
    let left = 0;
    const save: ThreadStore["save"] = async (which, record, version) => {
      // Another process has renewed the lease since this one loaded the record.
      const found = left-- > 0 ? await store.load(which) : undefined;
      if (found !== undefined) await store.save(which, found.record, found.version);
      return store.save(which, record, version);
    };
    const agent = createAgent({ model: scriptedModel(["Hi."]) });
    const chat = await thread(agent, { store: { ...store, save }, id: "1" });
    const events = chat.stream("Hello.")[Symbol.asyncIterator]();
    await events.next();
    left = meetings;
    const rest = collect({ [Symbol.asyncIterator]: () => events });
    if (answered) await rest;
    else await expect(rest).rejects.toMatchObject({ code: "conflict" });
    if (answered) expect((await store.load(key))?.record.status).toBe("idle");
  }
});

test("with durable(), a turn whose process died repeats no step", async () => {
  const store = memoryThreads();
  const records = new Map<string, string>();
  const ran: string[] = [];
  const model = answers([call("1", "pay", '{"input": "10"}'), ["Done."]]);
  const pay = tool({ name: "pay", run: (euro) => ran.push(euro) && "paid" });
  const agent = createAgent({ model, tools: [pay] });
  let now = 0;
  const options = {
    store,
    id: "1",
    now: () => now,
    run: ((own, input, { turn: id, ...rest }) =>
      durable(own, { journal: memoryJournal(records), id }).stream(input, rest)) satisfies NonNullable<
      Parameters<typeof thread>[1]["run"]
    >,
  };
  const chat = await thread(agent, options);
  const events = chat.stream("Pay.")[Symbol.asyncIterator]();
  for (let type = ""; type !== "step_end";) type = ((await events.next()).value as AgentEvent).type;
  // The process dies: nothing is closed. Another one continues after the lease.
  now = 20_000;
  const later = await thread(agent, options);
  expect(later.isOwned).toBe(false);
  await collect(later.resume());
  expect(ran).toEqual(["10"]);
  expect(said(later.messages).at(-1)).toBe("assistant: Done.");
});

test("with durable(), a turn that is stopped while tools run repeats no call that has a result", async () => {
  const records = new Map<string, string>();
  const ran: string[] = [];
  const tools = [
    tool({ name: "pay", run: (euro) => ran.push(`pay ${euro}`) && "paid" }),
    tool({ name: "send", run: () => (ran.push("send") === 2 ? hang : "sent") }),
  ];
  const calls = [...call("1", "pay", '{"input": "10"}'), ...call("2", "send", '{"input": ""}')];
  const agent = createAgent({ model: answers([calls, ["Done."]]), tools });
  const run: RunTurn = (own, input, { turn: id, ...rest }) =>
    durable(own, { journal: memoryJournal(records), id }).stream(input, rest);
  const chat = await thread(agent, { store: memoryThreads(), id: "1", run });
  const stopping = (async () => {
    for await (const { type } of chat.stream("Pay.")) if (type === "tool_result") await chat.stop();
  })();
  await stopping.catch(noop);
  expect(chat.status).toBe("stopped");
  await collect(chat.resume());
  expect(ran).toEqual(["pay 10", "send", "send"]);
  expect(said(chat.messages).slice(2)).toEqual(["tool: paid", "tool: sent", "assistant: Done."]);
});

test("a turn whose journal is closed with its run continues after a decision and after a stop", async () => {
  const ran: string[] = [];
  const model = scriptedModel(async function* ({ index }): AsyncGenerator<ScriptItem> {
    if (index === 0) yield* call("1", "pay", '{"input": "10"}');
    else if (index === 1) yield* hanging();
    else yield "Done.";
  });
  const pay = tool({ name: "pay", run: (euro) => ran.push(euro) && "paid" });
  const agent = createAgent({ model, tools: [pay], middleware: [humanApproval()] });
  const folder = newFolder();
  const run: RunTurn = async function* (own, input, { turn, ...rest }) {
    const journal = fileJournal(join(folder, turn));
    try {
      yield* durable(own, { journal, id: turn }).stream(input, rest);
    } finally {
      await journal.close();
    }
  };
  const chat = await thread(agent, { store: memoryThreads(), id: "1", run });
  await collect(chat.stream("Pay."));
  expect(chat.status).toBe("paused");
  await chat.approve("1");
  const events = chat.resume()[Symbol.asyncIterator]();
  await untilText(events);
  await chat.stop();
  expect(chat.status).toBe("stopped");
  await collect(chat.resume());
  expect([chat.status, ran, said(chat.messages).at(-1)]).toEqual(["idle", ["10"], "assistant: Done."]);
});

test("a store that fails ends the turn with its error, and the events are those that were saved", async () => {
  const memory = memoryThreads();
  let saves = 0;
  const store: ThreadStore = {
    ...memory,
    save: (...args) =>
      ++saves === 2
        ? Promise.reject(new ThreadError("unavailable", "The conversation cannot be saved at the moment."))
        : memory.save(...args),
  };
  const chat = await thread(createAgent({ model: scriptedModel(["Hello."]) }), { store, id: "1" });
  const types: string[] = [];
  const read = async (): Promise<void> => {
    for await (const { type } of chat.stream("Hi")) types.push(type);
  };
  await expect(read()).rejects.toMatchObject({ code: "unavailable" });
  expect(types).not.toContain("step_end");
  const record = (await memory.load(key))?.record;
  expect(record?.status).toBe("failed");
  expect(record?.state.messages).toHaveLength(2);
});

test("the end of an answer that was saved, although the reply was lost, is no change by somebody else", async () => {
  const memory = memoryThreads();
  const agents = { paused: bank([]), idle: createAgent({ model: scriptedModel(["Hello."]) }) };
  for (const [status, agent] of Object.entries(agents)) {
    let saves = 0;
    const store: ThreadStore = {
      ...memory,
      async save(...args) {
        const version = await memory.save(...args);
        if (++saves === 3) throw new ThreadError("unavailable", "No reply.");
        return version;
      },
    };
    const chat = await thread(agent, { store, id: status });
    await collect(chat.stream("Hi"));
    expect(chat.status).toBe(status);
    expect((await memory.load({ ...key, id: status }))?.record.status).toBe(status);
  }
});

test("the end of an answer is saved again while the store cannot be reached", async () => {
  const memory = memoryThreads();
  for (const failures of [4, Infinity]) {
    let saves = 0;
    const store: ThreadStore = {
      ...memory,
      save: (...args) => {
        const fails = ++saves > 2 && saves <= 2 + failures;
        return fails
          ? Promise.reject(new ThreadError("unavailable", "No connection."))
          : memory.save(...args);
      },
    };
    // A hundred times as fast.
    const clock = {
      ...systemClock,
      setTimeout: (call: () => void, delay: number) => systemClock.setTimeout(call, delay / 100),
    };
    const agent = createAgent({ model: scriptedModel(["Hello."]) });
    const chat = await thread(agent, { store, id: `${failures}`, clock, onError: () => undefined });
    const written = collect(chat.stream("Hi"));
    if (failures === Infinity) await expect(written).rejects.toMatchObject({ code: "unavailable" });
    else await written;
    const record = (await memory.load({ ...key, id: `${failures}` }))?.record;
    expect(record?.status).toBe(failures === Infinity ? "running" : "idle");
    expect(record?.state.messages.map(textOf)).toEqual(["Hi", "Hello."]);
  }
});

test("the events of a turn are read once, and options are checked", async () => {
  const store = memoryThreads();
  const agent = createAgent({ model: scriptedModel(["Hello."]) });
  const chat = await thread(agent, { store, id: "1" });
  const events = chat.stream("Hi");
  await collect(events);
  expect(() => events[Symbol.asyncIterator]()).toThrow("The events of a turn can be read once.");
  await expect(thread(agent, { store, id: "1", user: "ada" } as never)).rejects.toThrow('"user"');
  await expect(thread(agent, { store, id: "../1" })).rejects.toMatchObject({ code: "invalid_id" });
  await expect(thread(agent, { store, id: ".." })).rejects.toMatchObject({ code: "invalid_id" });
});

test("a turn that fails with a state that the store cannot keep says so", async () => {
  const store = memoryThreads({ maxSize: 400 });
  const agent = createAgent({ model: scriptedModel(["x".repeat(500)]) });
  const chat = await thread(agent, { store, id: "1" });
  expect(await failureOf(chat.stream("Hi"))).toMatchObject({ code: "too_large" });
  const state = (await store.load(key))?.record.state as AgentState;
  expect(state.messages.map(textOf)).toEqual(["Hi"]);
});

test("an approved call whose result does not fit the store has run, and does not run again", async () => {
  for (const maxSize of [2_000, 1_250, 1_100, 1_000, 950, 900]) {
    const store = memoryThreads({ maxSize });
    const ran: unknown[] = [];
    const pay = tool({ name: "pay", run: (euro) => (ran.push(euro), "x".repeat(5_000)) });
    const model = scriptedModel(({ messages }) =>
      messages.length === 1 ? call("1", "pay", '{"input": "10"}') : ["Done."],
    );
    const agent = createAgent({ model, tools: [pay], middleware: [humanApproval()] });
    const chat = await thread(agent, { store, id: "1" });
    await collect(chat.stream("Pay."));
    await chat.approve("1");
    expect(await failureOf(chat.resume())).toMatchObject({ code: "too_large" });
    const later = await thread(agent, { store, id: "1" });
    expect(later.status).toBe("failed");
    if (maxSize === 2_000) {
      expect(later.problem).toMatchObject({ code: "too_large" });
      expect(said(later.messages).at(-1)).toMatch(/^tool: The call has run/);
    }
    await failureOf(later.resume());
    await failureOf(later.stream("Again."));
    expect(ran).toEqual(["10"]);
  }
});

test("a call that ran keeps its short result if that of another does not fit the store", async () => {
  const store = memoryThreads({ maxSize: 2_500 });
  const tools = [
    tool({ name: "pay", run: () => "paid" }),
    tool({ name: "read", run: () => "x".repeat(5_000) }),
  ];
  const model = answers([
    ["y".repeat(1_500), ...call("1", "pay", '{"input":""}'), ...call("2", "read", '{"input":""}')],
    ["Done."],
  ]);
  const chat = await thread(createAgent({ model, tools }), { store, id: "1" });
  expect(await failureOf(chat.stream("Go."))).toMatchObject({ code: "too_large" });
  await collect(chat.resume());
  expect(said(chat.messages)).toEqual([
    "user: Go.",
    "assistant: ",
    "tool: paid",
    expect.stringMatching(/^tool: The call has run/),
    "assistant: Done.",
  ]);
});

test("an approved call whose process died may have had an effect, so it does not run again", async () => {
  for (const next of ["resume", "stop", "send"] as const) {
    const store = memoryThreads();
    const ran: unknown[] = [];
    const pay = tool({ name: "pay", run: (euro) => (ran.push(euro) === 1 ? hang : "paid") });
    const model = answers([call("1", "pay", '{"input": "10"}'), ["Sorry."]]);
    const agent = createAgent({ model, tools: [pay], middleware: [humanApproval()] });
    const chat = await thread(agent, { store, id: "1", now: () => 0, clock: manualClock() });
    await collect(chat.stream("Pay."));
    await chat.approve("1");
    void failureOf(chat.resume());
    while (ran.length === 0) await turn();
    const later = await thread(agent, { store, id: "1", now: () => 20_000 });
    if (next === "stop") await later.stop();
    await collect(next === "send" ? later.stream("And?") : later.resume());
    expect(ran).toEqual(["10"]);
    expect(said(later.messages)[2]).toBe(
      "tool: The call was interrupted before its result was known. It may have had an effect.",
    );
  }
});

test("an approved call inside an agent whose process died does not run again either", async () => {
  const store = memoryThreads();
  const ran: unknown[] = [];
  const pay = tool({ name: "pay", run: (euro) => (ran.push(euro) === 1 ? hang : "paid") });
  const inner = createAgent({
    model: answers([call("1", "pay", '{"input": "10"}'), ["Unsure."]]),
    tools: [pay],
    middleware: [humanApproval()],
  });
  const agent = createAgent({
    model: answers([call("2", "clerk", '{"input": "Pay."}'), ["Sorry."]]),
    tools: [agentTool(inner, { name: "clerk", description: "Pays." })],
  });
  const chat = await thread(agent, { store, id: "1", now: () => 0, clock: manualClock() });
  await collect(chat.stream("Pay."));
  await chat.approve(chat.pending[0]?.id ?? "");
  void failureOf(chat.resume());
  while (ran.length === 0) await turn();
  const later = await thread(agent, { store, id: "1", now: () => 20_000 });
  await collect(later.resume());
  expect(ran).toEqual(["10"]);
  expect(said(later.messages).slice(2)).toEqual(["tool: Unsure.", "assistant: Sorry."]);
});
