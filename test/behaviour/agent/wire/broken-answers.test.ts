import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import {
  type AgentEvent,
  collect,
  createAgent,
  from,
  type JsonValue,
  ModelError,
  streamObject,
  textOf,
  tool,
} from "millrace";
import { logging, providerStrategy, toolStrategy } from "millrace/agent";
import { reportOf } from "millrace/client";
import { durable, memoryJournal } from "millrace/durable";
import { applyPatch } from "millrace/json";
import { memoryLog, toAgUi, toUiMessageStream } from "millrace/serve";
import { scriptedModel } from "millrace/testing";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { modelAt, serving } from "../../../models/support/models.js";
import { type Answer, begin, content, delta, finish, stream } from "../../../models/support/server.js";

const tea = z.object({ title: z.string(), steps: z.array(z.string()) }).meta({ title: "tea" });
const whole = '{"title":"Tea","steps":["Warm","Pour"]}';
const half = whole.slice(0, 30);

/** Sends these payloads, then loses the connection. */
function broken(...payloads: readonly object[]): Answer {
  return async (response) => {
    begin(response, ...payloads);
    await setTimeout(20);
    response.destroy();
  };
}

/** Sends these payloads, then an error. */
const failing = (error: object, ...payloads: readonly object[]): Answer => stream(...payloads, { error });

const called = (args: string, name = "tea"): object =>
  delta({ tool_calls: [{ index: 0, id: "c1", type: "function", function: { name, arguments: args } }] });

const answers = [
  ["as text", providerStrategy(tea), content, "stop"],
  ["as a call", toolStrategy(tea), called, "tool_calls"],
] as const;

async function eventsOf(run: AsyncIterable<AgentEvent>): Promise<readonly [AgentEvent[], unknown]> {
  const events: AgentEvent[] = [];
  try {
    for await (const event of run) events.push(event);
  } catch (error) {
    return [events, error];
  }
  return [events, undefined];
}

const typesOf = (events: readonly AgentEvent[]): string[] =>
  events.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1]);

describe.each(answers)("a structured response %s whose stream breaks", (_, responseFormat, say, reason) => {
  test.each([
    ["with the connection", broken(say(half))],
    ["with an error that may pass", failing({ message: "overloaded", type: "server_error" }, say(half))],
    ["with status 500 in an error", failing({ message: "peg-native", code: 500 }, say(half))],
  ])("%s is taken back, and asked for again", async (_name, answer) => {
    const server = await serving(answer, stream(say(whole), finish(reason)));
    const agent = createAgent({ model: modelAt(server), responseFormat });
    const [events, error] = await eventsOf(agent.stream("Tea"));
    expect(error).toBeUndefined();
    expect(server.requests).toHaveLength(2);
    expect(server.requests[1]?.body).toEqual(server.requests[0]?.body);
    const types = typesOf(events);
    expect(types.indexOf("structured_reset")).toBe(types.indexOf("answer_reset") - 1);
    expect(events.filter(({ type }) => type === "message" || type === "step")).toHaveLength(
      reason === "stop" ? 2 : 3,
    );
    expect(events.find(({ type }) => type === "answer_reset")).toMatchObject({
      retry: 1,
      error: { name: "ModelError", retryable: true },
    });
    expect(events.at(-1)).toMatchObject({
      type: "finish",
      reason: "structured",
      structuredResponse: JSON.parse(whole) as unknown,
      state: { step: 1, retries: 1 },
    });
    let value: JsonValue = null;
    for (const event of events) {
      if (event.type === "structured_reset") value = null;
      if (event.type === "structured_patch") value = applyPatch(value, event.patch);
    }
    expect(value).toEqual(JSON.parse(whole));
  });

  test("is an error after maxRetries", async () => {
    const server = await serving(broken(say(half)));
    for (const maxRetries of [0, 1]) {
      const agent = createAgent({ model: modelAt(server), responseFormat, maxRetries });
      const [events, error] = await eventsOf(agent.stream("Tea"));
      expect(error).toBeInstanceOf(ModelError);
      expect(error).toMatchObject({ code: "cut", partial: { role: "assistant" } });
      expect(events.filter(({ type }) => type === "answer_reset")).toHaveLength(maxRetries);
    }
    expect(server.requests).toHaveLength(3);
  });
});

test("streamObject() shows the object from its start again, in each view", async () => {
  const server = await serving(broken(content(half)), stream(content(whole), finish()));
  const profile = { structuredOutput: true };
  const call = streamObject({ model: modelAt(server, { profile }), schema: tea, prompt: "Tea" });
  const [partials, patches] = await Promise.all([collect(call), collect(call.patches)]);
  expect(partials.at(-1)).toEqual(JSON.parse(whole));
  let value: JsonValue = null;
  const values = patches.map((patch) => (value = applyPatch(value, patch)));
  expect(values).toContain(null);
  expect(value).toEqual(JSON.parse(whole));
  expect(await call.final).toEqual(JSON.parse(whole));
  expect(server.requests).toHaveLength(2);
});

test("text that was shown is taken back, and so is a call that was not complete", async () => {
  const server = await serving(
    broken(content("Once upon"), called('{"input": "no', "now")),
    stream(content("It is noon."), finish()),
  );
  const now = tool({ name: "now", run: () => "12:00" });
  const [events, error] = await eventsOf(createAgent({ model: modelAt(server), tools: [now] }).stream("Hi"));
  expect(error).toBeUndefined();
  expect(typesOf(events)).toEqual([
    ...["step", "text", "tool_call", "tool_args", "answer_reset"],
    ...["text", "message", "step_end", "finish"],
  ]);
  expect(events.at(-1)).toMatchObject({ state: { messages: [{ role: "user" }, { role: "assistant" }] } });
});

test("a tool that has started does not run twice: the run ends with the error", async () => {
  const server = await serving(
    broken(called('{"input": "now"}', "now"), content("And")),
    stream(content("It is noon."), finish()),
  );
  let runs = 0;
  const now = tool({
    name: "now",
    run: () => {
      runs++;
      return "12:00";
    },
  });
  const [events, error] = await eventsOf(createAgent({ model: modelAt(server), tools: [now] }).stream("Hi"));
  expect(error).toMatchObject({ name: "ModelError", code: "cut" });
  expect(runs).toBe(1);
  expect(events.some(({ type }) => type === "answer_reset")).toBe(false);
  expect(server.requests).toHaveLength(1);
});

test("a tool that the provider has started does not run twice", async () => {
  const model = scriptedModel(async function* ({ index }) {
    if (index > 0) {
      yield "It is noon.";
      return;
    }
    yield { content: [{ type: "server_tool_call_chunk", index: 0, id: "s1", name: "book", args: "{}" }] };
    throw new ModelError("cut", "The connection was lost.", { retryable: true });
  });
  const [events, error] = await eventsOf(createAgent({ model }).stream("Hi"));
  expect(error).toMatchObject({ code: "cut" });
  expect(events.some(({ type }) => type === "answer_reset")).toBe(false);
  expect(model.calls).toHaveLength(1);
});

test("a later step asks again, too, and tools of earlier steps do not run again", async () => {
  const server = await serving(
    stream(called('{"input": ""}', "now"), finish("tool_calls")),
    broken(content("It is")),
    stream(content("It is noon."), finish()),
  );
  let runs = 0;
  const now = tool({ name: "now", run: () => `12:0${runs++}` });
  const { state } = await createAgent({ model: modelAt(server), tools: [now] }).invoke("Hi");
  expect(runs).toBe(1);
  expect(state.messages.map(textOf)).toEqual(["Hi", "", "12:00", "It is noon."]);
  expect(state).toMatchObject({ step: 2, retries: 1 });
});

test.each([
  ["an error that would come again", failing({ message: "no", type: "invalid_request_error" }, content("a"))],
  ["a finish reason that is an error", stream(content("a"), finish("network_error"))],
  ["an exceeded quota", failing({ message: "no", code: "insufficient_quota", type: "x" }, content("a"))],
])("%s ends the run", async (_, answer) => {
  const server = await serving(answer);
  const [, error] = await eventsOf(createAgent({ model: modelAt(server) }).stream("Hi"));
  expect(error).toMatchObject({ name: "ModelError", code: "provider" });
  expect(server.requests).toHaveLength(1);
});

test("the time for the whole answer is not given twice", async () => {
  const server = await serving((response) => begin(response, content("a")));
  const model = modelAt(server, { timeouts: { total: 100 } });
  const [, error] = await eventsOf(createAgent({ model }).stream("Hi"));
  expect(error).toMatchObject({ code: "timeout" });
  expect(server.requests).toHaveLength(1);
});

test("callOptions.maxRetries: 0 asks for no answer again", async () => {
  const server = await serving(broken(content("a")));
  const agent = createAgent({ model: modelAt(server), callOptions: { maxRetries: 0 } });
  const [, error] = await eventsOf(agent.stream("Hi"));
  expect(error).toMatchObject({ code: "cut" });
  expect(server.requests).toHaveLength(1);
});

test("an abort while the agent waits ends the run with its reason", async () => {
  const server = await serving(broken(content("a")));
  const controller = new AbortController();
  const run = createAgent({ model: modelAt(server) }).stream("Hi", { signal: controller.signal });
  const reason = new Error("stop");
  void vi
    .waitUntil(() => server.requests.length === 1)
    .then(async () => setTimeout(100))
    .then(() => controller.abort(reason));
  const [, error] = await eventsOf(run);
  expect(error).toBe(reason);
  expect(server.requests).toHaveLength(1);
});

describe("a client that is shown a run whose answer breaks", () => {
  const events: readonly AgentEvent[] = [
    { type: "step", step: 1 },
    { type: "reasoning", delta: "Hm" },
    { type: "text", delta: "Once" },
    { type: "structured_patch", patch: [{ op: "replace", path: "", value: { a: 1 } }] },
    { type: "tool_call", id: "c1", name: "now" },
    { type: "tool_args", id: "c1", name: "now", delta: '{"in', patch: [] },
    { type: "structured_reset" },
    { type: "answer_reset", error: new ModelError("cut", "The connection was lost."), retry: 1 },
    { type: "text", delta: "Noon" },
    { type: "message", message: { role: "assistant", content: [{ type: "text", text: "Noon" }] } },
    {
      ...{ type: "finish", reason: "answer" },
      state: { messages: [], step: 1, retries: 1, status: "finished" },
    },
  ];
  let count = 0;
  const createId = (): string => `${++count}`;

  test("with AG-UI gets a new message, and a result for the call", async () => {
    count = 0;
    const shown = await collect(toAgUi(from(events), { threadId: "t", runId: "r", createId }));
    const reset = shown.findIndex((it) => it.type === "CUSTOM" && it.name === "answer_reset");
    expect(shown[reset]).toMatchObject({ value: { code: "cut", retry: 1 } });
    expect(shown.slice(0, reset).map(({ type }) => type)).toEqual([
      ...["RUN_STARTED", "STEP_STARTED"],
      ...["REASONING_START", "REASONING_MESSAGE_START", "REASONING_MESSAGE_CONTENT"],
      ...["REASONING_MESSAGE_END", "REASONING_END"],
      ...["TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "STATE_SNAPSHOT", "TEXT_MESSAGE_END"],
      ...["TOOL_CALL_START", "TOOL_CALL_ARGS", "STATE_SNAPSHOT", "TOOL_CALL_END", "TOOL_CALL_RESULT"],
    ]);
    const texts = shown.flatMap((it) => (it.type === "TEXT_MESSAGE_START" ? it.messageId : []));
    expect(new Set(texts).size).toBe(2);
  });

  test("with the AI SDK can take back the step", async () => {
    const typesWith = async (resetStep: boolean): Promise<string[]> => {
      const text = await toUiMessageStream(from(events), { createId, resetStep }).text();
      return [...text.matchAll(/"type":"([a-z-]+)"/g)].map(([, type = ""]) => type);
    };
    const types = await typesWith(true);
    expect(types.slice(types.indexOf("reset-step"))).toEqual([
      ...["reset-step", "text-start", "text-delta", "text-end", "finish-step", "finish"],
    ]);
    const kept = await typesWith(false);
    expect(kept).toContain("tool-output-error");
    expect(kept).not.toContain("reset-step");
  });

  test("with the report of a run counts it", async () => {
    const patches = await collect(reportOf(from(events)));
    expect(patches.reduce<JsonValue>((value, patch) => applyPatch(value, patch), null)).toMatchObject({
      retries: 1,
    });
  });

  test.each([
    ["run", { steps: [{ text: "Noon", reasoning: "", calls: [] }], response: null }],
    ["answer", "Noon"],
  ] as const)("with the view %s of a durable run sees only the last answer", async (view, expected) => {
    const model = scriptedModel(async function* ({ index }) {
      yield index === 0 ? "Once" : "Noon";
      if (index === 0) throw new ModelError("cut", "The connection was lost.", { retryable: true });
    });
    const log = memoryLog();
    const journal = memoryJournal();
    await durable(createAgent({ model }), { journal, log, id: "run", view }).invoke("Hi");
    const values: JsonValue[] = [];
    for await (const entry of log.read("run")) {
      if (entry.type === "patch") values.push(applyPatch(values.at(-1) ?? null, entry.patch));
    }
    expect(values.at(-1)).toEqual(expected);
  });
});

test("a durable run that is replayed asks again as it did, without a request", async () => {
  let calls = 0;
  const model = scriptedModel(async function* ({ index }) {
    calls++;
    yield index === 0 ? "Once" : "Noon";
    if (index === 0) throw new ModelError("cut", "The connection was lost.", { retryable: true });
  });
  const records = new Map<string, string>();
  const run = async (): Promise<unknown> => {
    const options = { journal: memoryJournal(records), log: memoryLog(), id: "run" };
    const { state } = await durable(createAgent({ model }), options).invoke("Hi");
    return state;
  };
  const first = await run();
  expect(await run()).toEqual(first);
  expect(first).toMatchObject({ retries: 1, messages: [{ role: "user" }, { role: "assistant" }] });
  expect(calls).toBe(2);
});

test("logging() has a line for the answer that broke", async () => {
  const server = await serving(broken(content("a")), stream(content("b"), finish()));
  const lines: string[] = [];
  const agent = createAgent({
    model: modelAt(server),
    middleware: [logging({ log: (line) => lines.push(line) })],
  });
  await agent.invoke("Hi");
  expect(lines.join("\n")).toMatch(/answer was cut, retry 1: ModelError/);
});

/** A real answer of llama-server: JSON begins, then its parser of the model's format fails. */
test("a stream of llama-server with an error in it is asked for again", async () => {
  const bytes = readFileSync(
    join(import.meta.dirname, "../../../conformance/recordings/llama-cpp/chat-json-then-stream-error.sse"),
  );
  const server = await serving(
    (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).end(bytes);
    },
    stream(content(whole), finish()),
  );
  const agent = createAgent({ model: modelAt(server), responseFormat: providerStrategy(tea) });
  const { structuredResponse } = await agent.invoke("Tea");
  expect(structuredResponse).toEqual(JSON.parse(whole));
  expect(server.requests).toHaveLength(2);
});

test("the usage that a broken answer has reported counts", async () => {
  const usage = { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 };
  const server = await serving(
    broken({ choices: [], usage }, content(half)),
    stream(content(whole), finish("stop"), { choices: [], usage }),
  );
  const agent = createAgent({ model: modelAt(server), responseFormat: providerStrategy(tea) });
  const [events, error] = await eventsOf(agent.stream("Tea"));
  expect(error).toBeUndefined();
  const counted = events.filter(({ type }) => type === "usage");
  expect(counted).toMatchObject([
    { total: { inputTokens: 5 } },
    { total: { inputTokens: 10, totalTokens: 12 } },
  ]);
  expect(events.at(-1)).toMatchObject({ type: "finish", state: { usage: { inputTokens: 10 } } });
});
