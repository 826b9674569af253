import { setTimeout } from "node:timers/promises";
import {
  type AgentEvent,
  type AgentState,
  collect,
  createAgent,
  type JsonValue,
  type MessageChunk,
  tool,
  type ToolCallChunkBlock,
  toolCallsOf,
} from "millrace";
import { applyPatch } from "millrace/json";
import { expect, test } from "vitest";
import { z } from "zod";
import { inShort } from "../../agent/support/conversation.js";
import { answers, call, ofType } from "../../agent/support/script.js";

const weather = tool({
  name: "weather",
  schema: z.object({ city: z.string() }),
  run: ({ city }) => `${city}: -4 °C`,
});

test("tools run until the model answers, and the conversation has all messages", async () => {
  const model = answers([
    ["Let me look. ", ...call("1", "weather", '{"city": "Os', 'lo"}')],
    ["It is -4 °C."],
  ]);
  const agent = createAgent({ model, tools: [weather], system: "Be brief." });
  const { messages, structuredResponse } = await agent.invoke("How warm is it in Oslo?");
  expect(structuredResponse).toBeUndefined();
  expect(inShort(messages)).toEqual([
    "user | How warm is it in Oslo?",
    'assistant | Let me look.  | weather#1({"city":"Oslo"})',
    "tool#1 success | Oslo: -4 °C",
    "assistant | It is -4 °C.",
  ]);
  expect(model.calls.map((it) => inShort(it.messages).length)).toEqual([2, 4]);
  expect(inShort(model.calls[0]?.messages ?? [])[0]).toBe("system | Be brief.");
  expect(model.calls[0]?.options.tools).toMatchObject([{ name: "weather", parameters: { type: "object" } }]);
});

test("calls with the same id all run, and each gets its own answer", async () => {
  const args = (city: string): string => JSON.stringify({ city });
  const chunk = (index: number, city: string): MessageChunk => ({
    content: [{ type: "tool_call_chunk", index, id: "1", name: "weather", args: args(city) }],
  });
  const agent = createAgent({
    model: answers([[chunk(0, "Oslo"), chunk(1, "Rome")], ["Cold."]]),
    tools: [weather],
  });
  const events = await collect(agent.stream("How warm?"));
  expect(ofType(events, "tool_start").map(({ id }) => id)).toEqual(["1", "1_1"]);
  const finish = events.at(-1);
  expect(finish?.type === "finish" && inShort(finish.state.messages)).toEqual([
    "user | How warm?",
    'assistant | weather#1({"city":"Oslo"}) | weather#1_1({"city":"Rome"})',
    "tool#1 success | Oslo: -4 °C",
    "tool#1_1 success | Rome: -4 °C",
    "assistant | Cold.",
  ]);
});

// A decision that is stored by the id of a call would apply to a later call.
test.each([
  ["the server sends none", undefined, ["call_0", "call_0_0", "call_0_2"]],
  ["the server sends one id again and again", "x", ["x", "x_0", "x_2"]],
])("the ids of calls are unique in the conversation if %s", async (_, id, ids) => {
  const calls: MessageChunk = {
    content: [{ type: "tool_call_chunk", ...(id !== undefined && { id }), name: "weather", args: "{" }],
  };
  const rest: MessageChunk = { content: [{ type: "tool_call_chunk", args: '"city": "Oslo"}' }] };
  const model = answers([[calls, rest], [calls, rest], ["Cold."], [calls, rest], ["Cold."]]);
  const agent = createAgent({ model, tools: [weather] });
  const events = await collect(agent.stream("How warm?"));
  const finish = ofType(events, "finish")[0];
  const resume = JSON.parse(JSON.stringify(finish?.state)) as AgentState;
  events.push(...(await collect(agent.stream({ resume, messages: "And now?" }))));
  for (const type of ["tool_call", "tool_start", "tool_result"] as const) {
    expect(ofType(events, type).map((event) => event.id)).toEqual(ids);
  }
  expect(new Set(ofType(events, "tool_args").map((event) => event.id))).toEqual(new Set(ids));
  const messages = ofType(events, "finish")[1]?.state.messages ?? [];
  expect(messages.flatMap((message) => toolCallsOf(message).map((it) => it.id))).toEqual(ids);
});

test("a tool does not run again if the id of its call arrives after it has started", async () => {
  const chunk = (fields: Partial<ToolCallChunkBlock>): MessageChunk => ({
    content: [{ type: "tool_call_chunk", index: 0, ...fields }],
  });
  const named = chunk({ name: "weather", args: '{"city": "Oslo"}' });
  const model = answers([
    [named, { content: [{ type: "text", text: "Wait.", index: 1 }] }, chunk({ id: "x" })],
    ["Cold."],
  ]);
  const { messages } = await createAgent({ model, tools: [weather] }).invoke("How warm?");
  expect(inShort(messages).slice(1)).toEqual([
    'assistant | Wait. | weather#call_0({"city":"Oslo"})',
    "tool#call_0 success | Oslo: -4 °C",
    "assistant | Cold.",
  ]);
});

test("a call does not get the id of an earlier call whose message a hook removed", async () => {
  const model = answers([
    call("x", "weather", '{"city": "Oslo"}'),
    call("x", "weather", '{"city": "Rome"}'),
    ["Cold."],
  ]);
  const forgetful = {
    name: "forgetful",
    beforeStep: ({ messages }: AgentState) => ({ messages: messages.slice(0, 1) }),
  };
  const agent = createAgent({ model, tools: [weather], middleware: [forgetful] });
  const events = await collect(agent.stream("How warm?"));
  expect(ofType(events, "tool_start").map(({ id }) => id)).toEqual(["x", "x_0"]);
});

test("an id that a call got before its message had one stays the same", async () => {
  const model = answers([
    [
      { content: [{ type: "tool_call_chunk", name: "weather", args: "{" }] },
      { id: "m", content: [{ type: "tool_call_chunk", args: '"city": "Oslo"}' }] },
    ],
    ["Cold."],
  ]);
  const events = await collect(createAgent({ model, tools: [weather] }).stream("How warm?"));
  expect(ofType(events, "tool_call")[0]?.id).toBe("call_0");
  expect(ofType(events, "tool_start")[0]?.id).toBe("call_0");
});

test("tool_args events have the delta, and the patch of the arguments", async () => {
  const model = answers([call("1", "weather", '{"ci', 'ty": "Os', 'lo"}'), ["Cold."]]);
  const shown: unknown[] = [];
  let args: JsonValue = null;
  for await (const event of createAgent({ model, tools: [weather] }).stream("How warm?")) {
    if (event.type !== "tool_args") continue;
    args = applyPatch(args, event.patch);
    shown.push([event.delta, event.patch.length, args]);
  }
  expect(shown).toEqual([
    ['{"ci', 1, {}],
    ['ty": "Os', 1, { city: "Os" }],
    ['lo"}', 1, { city: "Oslo" }],
  ]);
});

// G-agent-3
test("a tool starts when its own call is complete, while the model still writes the next", async () => {
  const log: string[] = [];
  const started = gate();
  const second = gate();
  const slow = tool({
    name: "slow",
    schema: z.object({ n: z.number() }),
    run: async ({ n }) => {
      log.push(`start ${n}`);
      if (n === 1) {
        started.open();
        await second.opened;
      }
      log.push(`end ${n}`);
      if (n === 2) second.open();
      return n;
    },
  });
  const model = answers([
    (async function* () {
      yield* call("1", "slow", '{"n": 1}');
      yield* call("2", "slow", '{"n"');
      await started.opened;
      log.push("the model goes on");
      yield { content: [{ type: "tool_call_chunk", index: 2, args: ": 2}" }] };
    })() as never,
    ["Done."],
  ]);
  const { messages } = await createAgent({ model, tools: [slow] }).invoke("Go.");
  expect(log).toEqual(["start 1", "the model goes on", "start 2", "end 2", "end 1"]);
  // The answers have the order of the calls, not of their completion.
  expect(inShort(messages).slice(2, 4)).toEqual(["tool#1 success | 1", "tool#2 success | 2"]);
});

function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    opened,
    open: () => {
      open();
    },
  };
}

test("progress of a tool arrives while it runs", async () => {
  const steps = tool({
    name: "steps",
    async *run() {
      yield "one";
      yield "two";
      await Promise.resolve();
      return "all";
    },
  });
  const model = answers([call("1", "steps", '{"input": ""}'), ["Done."]]);
  const events = await collect(createAgent({ model, tools: [steps] }).stream("Go."));
  expect(ofType(events, "tool_progress").map(({ value }) => value)).toEqual(["one", "two"]);
  expect(ofType(events, "tool_result")).toMatchObject([{ id: "1", name: "steps", value: "all" }]);
});

test.each([
  ["an unknown tool", call("1", "wether", "{}"), /There is no tool "wether"; the tools are "weather"\./],
  ["arguments that are not JSON", call("1", "weather", '{"city": Oslo'), /not valid JSON/],
  ["arguments that do not satisfy the schema", call("1", "weather", '{"city": 1}'), /\/city/],
  [
    "a call cut at the token limit",
    [...call("1", "weather", '{"city": "Os'), { content: [], finishReason: "length" as const }],
    /token limit/,
  ],
])("%s: the model gets an error message, and the run continues", async (_, script, told) => {
  const model = answers([script, ["Sorry."]]);
  const events = await collect(createAgent({ model, tools: [weather] }).stream("How warm?"));
  expect(ofType(events, "tool_error").length).toBe(1);
  const finish = events.at(-1);
  const messages = finish?.type === "finish" ? inShort(finish.state.messages) : [];
  expect(messages[2]).toMatch(/^tool#1 error/);
  expect(messages[2]).toMatch(told);
  expect(messages.at(-1)).toBe("assistant | Sorry.");
});

// G-agent-2
test("the message of a thrown error goes to the model without paths of the server", async () => {
  const bad = tool({
    name: "bad",
    run: () => {
      throw new Error(`cannot open /srv/secret/file.txt`);
    },
  });
  const model = answers([call("1", "bad", '{"input": ""}'), ["Sorry."]]);
  const { messages } = await createAgent({ model, tools: [bad] }).invoke("Go.");
  expect(inShort(messages)[2]).toMatch(/^tool#1 error \| The tool "bad" failed/);
  expect(inShort(messages)[2]).not.toContain("/srv");
});

test("an unhandled error ends the run unchanged, and closes the model and the other tools", async () => {
  const mine = new Error("mine");
  const ended: string[] = [];
  const fatal = tool({
    name: "fatal",
    onError: false,
    run: () => {
      throw mine;
    },
  });
  const waits = tool({
    name: "waits",
    async *run(_, { signal }) {
      try {
        yield "waiting";
        await new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            ended.push("tool heard");
            reject(new Error("stopped"));
          });
        });
      } finally {
        ended.push("tool");
      }
      return "";
    },
  });
  const model = answers([
    (async function* () {
      try {
        yield* call("1", "waits", '{"input": ""}');
        yield* call("2", "fatal", '{"input": ""}');
        yield* call("3", "weather", '{"city"');
        await setTimeout(10);
        yield { content: [{ type: "text", text: "on" }] };
      } finally {
        ended.push("model");
      }
    })() as never,
  ]);
  const run = createAgent({ model, tools: [fatal, waits, weather] }).invoke("Go.");
  await expect(run).rejects.toBe(mine);
  await setTimeout(20);
  expect(ended.sort()).toEqual(["model", "tool", "tool heard"]);
});

test("the run ends with the result of a returnDirect tool", async () => {
  const direct = tool({ name: "direct", run: () => "42", returnDirect: true });
  const model = answers([call("1", "direct", '{"input": ""}')]);
  const events = await collect(createAgent({ model, tools: [direct] }).stream("Go."));
  expect(events.at(-1)).toMatchObject({ type: "finish", reason: "return_direct" });
  expect(model.calls.length).toBe(1);
});

test("returnDirect has no effect if another tool was called too, or if the tool failed", async () => {
  let fails = false;
  const direct = tool({
    name: "direct",
    returnDirect: true,
    run: () => {
      if (fails) throw new Error("no");
      return "42";
    },
  });
  const both = [...call("1", "direct", '{"input": ""}'), ...call("2", "weather", '{"city": "Oslo"}')];
  const beside = answers([both, ["Done."]]);
  await createAgent({ model: beside, tools: [direct, weather] }).invoke("Go.");
  expect(beside.calls.length).toBe(2);
  fails = true;
  const failing = answers([call("1", "direct", '{"input": ""}'), ["Done."]]);
  await createAgent({ model: failing, tools: [direct] }).invoke("Go.");
  expect(failing.calls.length).toBe(2);
});

test("returnDirect has no effect if the tool returns a message with status error", async () => {
  const direct = tool({
    name: "direct",
    returnDirect: true,
    run: () => ({ role: "tool" as const, content: [], toolCallId: "", status: "error" as const }),
  });
  const model = answers([call("1", "direct", '{"input": ""}'), ["Done."]]);
  await createAgent({ model, tools: [direct] }).invoke("Go.");
  expect(model.calls.length).toBe(2);
});

test("tools get the call id, the conversation, the context and the store", async () => {
  const seen: unknown[] = [];
  const spy = tool({
    name: "spy",
    schema: z.object({}),
    inject: { user: ({ context }) => (context as { user: string }).user },
    run: ({ user }, { toolCallId, state, context, store }) => {
      seen.push(user, toolCallId, state.messages?.length, context, store);
      return "";
    },
  });
  const model = answers([call("7", "spy", "{}"), ["Done."]]);
  const agent = createAgent({
    model,
    tools: [spy],
    contextSchema: z.object({ user: z.string(), level: z.number().default(1) }),
    store: "the store",
  });
  await agent.invoke("Go.", { context: { user: "ada", level: 2 } });
  expect(seen).toEqual(["ada", "7", 1, { user: "ada", level: 2 }, "the store"]);
});

test("a context that does not satisfy contextSchema is rejected before the model is called", async () => {
  const model = answers([]);
  const agent = createAgent({ model, contextSchema: z.object({ user: z.string() }) });
  await expect(agent.invoke("Go.", { context: {} as never })).rejects.toMatchObject({
    code: "invalid_options",
    issues: [{ pointer: "/user" }],
  });
  expect(model.calls.length).toBe(0);
});

test("a model that never answers is stopped at maxSteps, and the error has the state", async () => {
  const forever = answers(Array.from({ length: 3 }, () => call("1", "weather", '{"city": "Oslo"}')));
  const run = createAgent({ model: forever, tools: [weather], maxSteps: 3 }).invoke("Go.");
  await expect(run).rejects.toMatchObject({ code: "max_steps", state: { step: 3 } });
  expect(forever.calls.length).toBe(3);
});

test("createAgent() rejects two tools with the same name", () => {
  expect(() => createAgent({ model: answers([]), tools: [weather, weather] })).toThrow(/"weather"/);
});

test("usage events have the usage of each model call and the sum", async () => {
  const usage = { inputTokens: 10, outputTokens: 2, totalTokens: 12 };
  const model = answers([
    [...call("1", "weather", '{"city": "Oslo"}'), { content: [], usage }],
    ["Cold.", { content: [], usage }],
  ]);
  const events = await collect(createAgent({ model, tools: [weather] }).stream("How warm?"));
  expect(ofType(events, "usage").map(({ total }) => total.totalTokens)).toEqual([12, 24]);
  expect(events.at(-1)).toMatchObject({ state: { usage: { totalTokens: 24 } } });
});

test("every event can be converted to JSON and back", async () => {
  const model = answers([call("1", "weather", '{"city": "Oslo"}'), ["Cold."]]);
  const events = await collect(createAgent({ model, tools: [weather] }).stream("How warm?"));
  const copy = JSON.parse(JSON.stringify(events)) as AgentEvent[];
  expect(copy).toEqual(events);
  expect(structuredClone(events)).toEqual(events);
  expect(copy.map(({ type }) => type)).toEqual([
    "step",
    "tool_call",
    "tool_args",
    "tool_start",
    "message",
    "tool_result",
    "message",
    "step_end",
    "step",
    "text",
    "message",
    "step_end",
    "finish",
  ]);
});
