import { verifyEvents } from "@ag-ui/client";
import type { BaseEvent } from "@ag-ui/core";
import { EventSchema } from "@ag-ui/core/schemas";
import { type AgentEvent, collect, createAgent, from, type JsonPatch, type JsonValue, tool } from "millrace";
import { type AgentError, providerStrategy } from "millrace/agent";
import { applyPatch } from "millrace/json";
import { type AgUiEvent, toAgUi, type ToAgUiOptions, toAgUiMessages } from "millrace/serve";
import { scriptedModel } from "millrace/testing";
import { from as observable, lastValueFrom, type MonoTypeOperatorFunction, toArray } from "rxjs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { answers, call } from "../../agent/support/script.js";
import { counter, recipeAgent } from "./ag-ui-conversation.js";

const ids = { threadId: "thread", runId: "run" };

/** The events. AG-UI's own client checks each of them, and their order. */
async function eventsOf(
  events: AsyncIterable<AgentEvent>,
  options: Partial<ToAgUiOptions> = {},
): Promise<AgUiEvent[]> {
  const shown = await collect(toAgUi(events, { ...ids, createId: counter(), ...options }));
  for (const event of shown) EventSchema.parse(JSON.parse(JSON.stringify(event)));
  // Its types come from its own copy of RxJS.
  const verify = verifyEvents() as unknown as MonoTypeOperatorFunction<BaseEvent>;
  await lastValueFrom(observable(shown as unknown as BaseEvent[]).pipe(verify, toArray()));
  return shown;
}

const typesOf = (events: readonly AgUiEvent[]): string[] => events.map(({ type }) => type);

/** The state of a client after each event. */
function statesOf(events: readonly AgUiEvent[]): JsonValue[] {
  let state: JsonValue = {};
  return events.flatMap((event) => {
    if (event.type === "STATE_SNAPSHOT") state = event.snapshot;
    else if (event.type === "STATE_DELTA") state = applyPatch(state, event.delta);
    else return [];
    return [structuredClone(state)];
  });
}

const patches = (...all: readonly JsonPatch[]): AsyncIterable<AgentEvent> =>
  from(all.map((patch): AgentEvent => ({ type: "structured_patch", patch })));

describe("toAgUi()", () => {
  test("yields events for a run: text and reasoning end before a call, results come as they arrive", async () => {
    const events = await eventsOf(recipeAgent(false).stream("A recipe for tea, please."));
    const first = events.slice(0, events.findIndex(({ type }) => type === "STEP_FINISHED") + 1);
    // Tools run while the model writes, so the position of their events is not fixed.
    const ofTools = ["CUSTOM", "TOOL_CALL_RESULT"];
    expect(first.filter(({ type }) => !ofTools.includes(type))).toEqual([
      { type: "RUN_STARTED", ...ids },
      { type: "STEP_STARTED", stepName: "step 1" },
      { type: "REASONING_START", messageId: "id-2" },
      { type: "REASONING_MESSAGE_START", messageId: "id-2", role: "reasoning" },
      { type: "REASONING_MESSAGE_CONTENT", messageId: "id-2", delta: "I should " },
      { type: "REASONING_MESSAGE_CONTENT", messageId: "id-2", delta: "look." },
      { type: "REASONING_MESSAGE_END", messageId: "id-2" },
      { type: "REASONING_END", messageId: "id-2" },
      { type: "TEXT_MESSAGE_START", messageId: "id-1", role: "assistant" },
      { type: "TEXT_MESSAGE_CONTENT", messageId: "id-1", delta: "Let me " },
      { type: "TEXT_MESSAGE_CONTENT", messageId: "id-1", delta: "look." },
      { type: "TEXT_MESSAGE_END", messageId: "id-1" },
      { type: "TOOL_CALL_START", toolCallId: "1", toolCallName: "stock", parentMessageId: "id-1" },
      { type: "TOOL_CALL_ARGS", toolCallId: "1", delta: '{"tea": ' },
      { type: "TOOL_CALL_ARGS", toolCallId: "1", delta: '"green"}' },
      { type: "TOOL_CALL_END", toolCallId: "1" },
      { type: "TOOL_CALL_START", toolCallId: "2", toolCallName: "kettle", parentMessageId: "id-1" },
      { type: "TOOL_CALL_ARGS", toolCallId: "2", delta: '{"litres": 1}' },
      { type: "TOOL_CALL_END", toolCallId: "2" },
      { type: "STEP_FINISHED", stepName: "step 1" },
    ]);
    const results = first.flatMap((event) => (event.type === "TOOL_CALL_RESULT" ? [event] : []));
    expect(results.map(({ toolCallId, content, metadata }) => [toolCallId, content, metadata])).toEqual(
      expect.arrayContaining([
        ["1", '{"tea":"green","tins":3}', undefined],
        ["2", expect.stringMatching(/"kettle".*The kettle is empty\.$/), { status: "error" }],
      ]),
    );
    expect(events.at(-1)).toEqual({
      type: "RUN_FINISHED",
      ...ids,
      result: { title: "Tea", steps: ["boil", "pour"], minutes: 5 },
      outcome: { type: "success" },
    });
  });

  test("text after a call is a message of its own", async () => {
    const echo = tool({ name: "echo", run: (text) => text });
    const model = answers([["Before.", ...call("1", "echo", '{"input": "x"}'), "Be", "hind."], ["End."]]);
    const events = await eventsOf(createAgent({ model, tools: [echo] }).stream("Hi"));
    const texts = events.flatMap((event) =>
      event.type === "TEXT_MESSAGE_CONTENT" ? [`${event.messageId} ${event.delta}`] : [],
    );
    expect(texts).toEqual(["id-1 Before.", "id-2 Be", "id-2 hind.", expect.stringMatching(/^id-\d End\.$/)]);
  });

  test("a call of an unknown tool and a call with invalid JSON both get a start, arguments, an end and a result", async () => {
    const echo = tool({ name: "echo", run: (text) => text });
    const model = answers([[...call("1", "nothing", "{}"), ...call("2", "echo", '{"input": }')], ["End."]]);
    const events = await eventsOf(createAgent({ model, tools: [echo] }).stream("Hi"));
    const calls = events.flatMap((event) =>
      "toolCallId" in event ? [`${event.toolCallId} ${event.type}`] : [],
    );
    for (const id of ["1", "2"]) {
      expect(calls.filter((it) => it.startsWith(id))).toEqual([
        `${id} TOOL_CALL_START`,
        `${id} TOOL_CALL_ARGS`,
        `${id} TOOL_CALL_END`,
        `${id} TOOL_CALL_RESULT`,
      ]);
    }
  });

  test("a rejected response restores the client's state, and the feedback to the model is a user message", async () => {
    const model = answers([['{"n": 1, "m": ', '"x"}'], ['{"n": 2}']], {
      profile: { structuredOutput: true },
    });
    const responseFormat = providerStrategy(z.object({ n: z.int().min(2) }));
    const agent = createAgent({ model, responseFormat, failFast: false });
    const events = await eventsOf(agent.stream("Hi"), { state: { mine: 1 } });
    expect(statesOf(events)).toEqual([{ n: 1 }, { n: 1, m: "x" }, { mine: 1 }, { n: 2 }]);
    const feedback = events.find((event) => event.type === "TEXT_MESSAGE_START" && event.role === "user");
    expect(feedback).toBeDefined();
    expect(typesOf(events).filter((type) => type === "CUSTOM")).toHaveLength(1);
  });

  test("with stateKey, the response is one member of the state and other members are kept", async () => {
    const options = { stateKey: "a/b", state: { mine: 1 } };
    const events = await eventsOf(recipeAgent(true).stream("Hi"), options);
    const last = { title: "Tea", steps: ["boil", "pour"] };
    expect(statesOf(events).at(-1)).toEqual({ mine: 1, "a/b": last });
    const paths = events
      .flatMap((event) => (event.type === "STATE_DELTA" ? event.delta : []))
      .map(({ path }) => path);
    expect(paths.every((path) => path.startsWith("/a~1b/"))).toBe(true);
    const own = await eventsOf(recipeAgent(true).stream("Hi"), { stateKey: "__proto__", state: null });
    const snapshot = own.flatMap((event) => (event.type === "STATE_SNAPSHOT" ? [event.snapshot] : [])).at(-1);
    // The client refuses a delta with this key in a path.
    expect(JSON.stringify(snapshot)).toBe(JSON.stringify({ ["__proto__"]: last }));
    expect(typesOf(own)).not.toContain("STATE_DELTA");
  });

  test("sends the whole state if a patch would contain a key that clients reject", async () => {
    const value = JSON.parse('{"__proto__": {"a": "x"}}') as JsonValue;
    const events = await eventsOf(
      patches(
        [{ op: "replace", path: "", value: {} }],
        [{ op: "add", path: "/__proto__", value: { a: "" } }],
        [{ op: "append", path: "/__proto__/a", value: "x" }],
        [{ op: "add", path: "/b", value: 1 }],
      ),
    );
    expect(typesOf(events).filter((type) => type.startsWith("STATE"))).toEqual([
      "STATE_SNAPSHOT",
      "STATE_SNAPSHOT",
      "STATE_SNAPSHOT",
      "STATE_DELTA",
    ]);
    expect(JSON.stringify(statesOf(events)[2])).toBe(JSON.stringify(value));
  });

  test("sends the container around a key that clients reject, inside the value", async () => {
    const value = JSON.parse('{"a": {"b": {"__proto__": {"c": "xy"}, "d": 1}}}') as JsonValue;
    const events = await eventsOf(
      patches(
        [{ op: "replace", path: "", value: { a: { b: {} } } }],
        [{ op: "add", path: "/a/b/__proto__", value: { c: "x" } }],
        [
          { op: "append", path: "/a/b/__proto__/c", value: "y" },
          { op: "add", path: "/a/b/d", value: 1 },
        ],
      ),
    );
    const deltas = events.flatMap((event) => (event.type === "STATE_DELTA" ? [event.delta] : []));
    expect(deltas.flat().map(({ op, path }) => [op, path])).toEqual([
      ["replace", "/a/b"],
      ["replace", "/a/b"],
      ["add", "/a/b/d"],
    ]);
    expect(JSON.stringify(statesOf(events).at(-1))).toBe(JSON.stringify(value));
  });

  test("a snapshot does not change later", async () => {
    const events = await eventsOf(
      patches(
        [{ op: "replace", path: "", value: { list: [] } }],
        [{ op: "add", path: "/__proto__", value: 1 }],
        [{ op: "add", path: "/list/0", value: 1 }],
      ),
    );
    const snapshots = events.flatMap((event) => (event.type === "STATE_SNAPSHOT" ? [event.snapshot] : []));
    expect(snapshots.map((snapshot) => JSON.stringify(snapshot))).toEqual([
      '{"list":[]}',
      '{"list":[],"__proto__":1}',
    ]);
  });

  test("sends the refusal of a model as text", async () => {
    const refusal = "I would rather not.";
    const model = scriptedModel([{ content: [], refusal, finishReason: "stop" }]);
    const events = await eventsOf(createAgent({ model }).stream("Hi"));
    expect(events.find(({ type }) => type === "TEXT_MESSAGE_CONTENT")).toMatchObject({ delta: refusal });
    const structured = createAgent({ model, responseFormat: z.object({}) }).stream("Hi");
    const failed = await eventsOf(structured, {
      onError: (error) => ({ code: (error as AgentError).code, message: "No." }),
    });
    expect(failed.at(-1)).toEqual({ type: "RUN_ERROR", code: "refused", message: "No." });
    expect(typesOf(failed)).toContain("TEXT_MESSAGE_END");
  });

  test("sums the usage for each model", async () => {
    const usage = { inputTokens: 10, outputTokens: 2, totalTokens: 12, details: { cacheReadTokens: 4 } };
    const echo = tool({ name: "echo", run: (text) => text });
    const model = answers([
      [...call("1", "echo", '{"input": ""}'), { content: [], model: "m-1", usage }],
      ["End.", { content: [], model: "m-1", usage }],
    ]);
    const events = await eventsOf(createAgent({ model, tools: [echo] }).stream("Hi"));
    expect(events.at(-1)).toMatchObject({
      usage: [{ model: "m-1", inputTokens: 20, outputTokens: 4, totalTokens: 24, cachedInputTokens: 8 }],
    });
  });

  test("a call whose decision came while the run waited is no interrupt", async () => {
    const agent = createAgent({
      model: scriptedModel(({ index }) => (index === 0 ? call("1", "pay", '{"input": ""}') : ["Paid."])),
      tools: [tool({ name: "pay", run: () => "paid" })],
      middleware: [
        {
          async *aroundTool(run, next) {
            yield { type: "paused" };
            yield* next(run);
          },
        },
      ],
    });
    const events = await eventsOf(agent.stream("Pay."));
    expect(events.at(-1)).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "success" } });
  });

  test("an aborted run is finished if no call is open, and otherwise ends with an error", async () => {
    const stopped = async (...script: Parameters<typeof answers>[0][number]): Promise<string[]> => {
      const controller = new AbortController();
      const model = scriptedModel(async function* () {
        yield* script;
        controller.abort();
        await new Promise(() => {});
      });
      const { signal } = controller;
      return typesOf(await eventsOf(createAgent({ model }).stream("Hi", { signal })));
    };
    expect(await stopped("Wait")).toEqual([
      "RUN_STARTED",
      "STEP_STARTED",
      "TEXT_MESSAGE_START",
      "TEXT_MESSAGE_CONTENT",
      "TEXT_MESSAGE_END",
      "STEP_FINISHED",
      "RUN_FINISHED",
    ]);
    const inCall = await stopped(...call("1", "echo", '{"input":'), { content: [] });
    expect(inCall.slice(-2)).toEqual(["TOOL_CALL_ARGS", "RUN_ERROR"]);
  });

  test("a run without an end event ends with an error", async () => {
    const error = { type: "RUN_ERROR", code: "run_failed", message: expect.any(String) as string };
    expect(await eventsOf(from<AgentEvent>([]))).toEqual([{ type: "RUN_STARTED", ...ids }, error]);
    expect(await eventsOf(from<AgentEvent>([{ type: "step", step: 1 }]))).toContainEqual(error);
  });

  test("closes the open messages, calls and steps of an incomplete run", async () => {
    const left = from<AgentEvent>([
      { type: "step", step: 1 },
      { type: "tool_call", id: "1", name: "echo" },
      { type: "reasoning", delta: "Hm." },
      { type: "step_end", step: 1, state: { messages: [], step: 1, retries: 0, status: "running" } },
    ]);
    const types = typesOf(await eventsOf(left));
    expect(types.slice(-5)).toEqual([
      "REASONING_MESSAGE_END",
      "REASONING_END",
      "TOOL_CALL_END",
      "STEP_FINISHED",
      "RUN_ERROR",
    ]);
  });

  test("is lazy, and closes the run while a pull is pending", async () => {
    const log: string[] = [];
    const silent: AsyncIterable<AgentEvent> = {
      [Symbol.asyncIterator]: () => ({
        next: () => {
          log.push("next");
          return log.length === 1
            ? Promise.resolve({ done: false, value: { type: "step", step: 1 } })
            : new Promise(() => {});
        },
        return: () => {
          log.push("return");
          return Promise.resolve({ done: true, value: undefined });
        },
      }),
    };
    const iterator = toAgUi(silent, ids)[Symbol.asyncIterator]();
    expect(log).toEqual([]);
    await iterator.next();
    await iterator.next();
    void iterator.next();
    await iterator.return?.();
    expect(log).toEqual(["next", "next", "return"]);
  });
});

test("toAgUiMessages() converts media to parts, and keeps ids and names", () => {
  const messages = toAgUiMessages(
    [
      {
        role: "user",
        id: "a",
        name: "Ada",
        content: [
          { type: "text", text: "Look:" },
          { type: "image", url: "https://x.example/a.png" },
          { type: "file", fileId: "f", mimeType: "application/pdf" },
          { type: "audio", data: "AAAA", mimeType: "audio/wav" },
          { type: "image" },
        ],
      },
      { role: "assistant", content: [{ type: "reasoning", reasoning: "Hm." }], refusal: "No." },
    ],
    counter(),
  );
  expect(messages).toEqual([
    {
      id: "a",
      role: "user",
      name: "Ada",
      content: [
        { type: "text", text: "Look:" },
        { type: "image", source: { type: "url", value: "https://x.example/a.png" } },
        { type: "document", source: { type: "file", value: "f", mimeType: "application/pdf" } },
        { type: "audio", source: { type: "data", value: "AAAA", mimeType: "audio/wav" } },
      ],
    },
    { id: "id-1", role: "assistant", content: "No." },
  ]);
});
