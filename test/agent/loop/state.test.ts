import { type AgentState, assistant, collect, createAgent, tool, user } from "millrace";
import { humanApproval, type Middleware } from "millrace/agent";
import { scriptedModel } from "millrace/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { inShort } from "../support/conversation.js";
import { answers, call, ofType } from "../support/script.js";

const weather = tool({ name: "weather", schema: z.object({ city: z.string() }), run: ({ city }) => city });

test.each([
  ["a text", "Hi"],
  ["messages", [{ role: "user" as const, content: "Hi" }]],
  ["a state of messages", { messages: [{ role: "user" as const, content: "Hi" }] }],
])("a run starts with %s", async (_, input) => {
  const { messages } = await createAgent({ model: answers([["Hello."]]) }).invoke(input);
  expect(inShort(messages)).toEqual(["user | Hi", "assistant | Hello."]);
});

// G-agent-9
test("the state after each step is plain data, and a run can resume from each", async () => {
  const script = [
    call("1", "weather", '{"city": "Oslo"}'),
    call("2", "weather", '{"city": "Rome"}'),
    ["Done."],
  ];
  const events = await collect(createAgent({ model: answers(script), tools: [weather] }).stream("Go."));
  const states = ofType(events, "step_end").map(({ state }) => state);
  expect(states.map(({ step }) => step)).toEqual([1, 2, 3]);
  for (const state of states) {
    const model = answers(script.slice(state.step));
    const resume = JSON.parse(JSON.stringify(state)) as AgentState;
    const result = await createAgent({ model, tools: [weather] }).invoke({ resume });
    expect(result.messages).toEqual(states[2]?.messages);
  }
});

test("null in a state means absent, and other bad fields are refused before the model is called", async () => {
  const state = { messages: [user("Hi")], step: 0, retries: 0, status: "running" };
  const resumed = async (fields: object): Promise<unknown> => {
    const model = answers([["Hello.", { content: [], usage: { inputTokens: 2 } }]]);
    const resume = { ...state, ...fields } as AgentState;
    const { state: after } = await createAgent({ model }).invoke({ resume });
    return after;
  };
  const absent = await resumed({});
  expect(await resumed({ usage: null, response: null })).toEqual(absent);
  expect(await resumed({ usage: { inputTokens: 1, details: null } })).toHaveProperty("usage.inputTokens", 3);
  const bad = [
    ...["x", [], 1, { inputTokens: "1" }, { details: 1 }, { details: { a: "1" } }].map((usage) => ({
      usage,
    })),
    ...["x", [], {}, { name: 1, value: 1 }, { name: "output" }].map((response) => ({ response })),
  ];
  for (const fields of bad) {
    await expect(resumed(fields), JSON.stringify(fields)).rejects.toMatchObject({ code: "invalid_options" });
  }
});

test("a resumed finished run repeats its result without calling the model", async () => {
  const schema = z.object({ at: z.string().transform((text) => new Date(text)) });
  const { state } = await createAgent({
    model: answers([['{"at": "2026-11-21"}']]),
    responseFormat: schema,
  }).invoke("When?");
  const resume = JSON.parse(JSON.stringify(state)) as AgentState;
  const agent = createAgent({ model: answers([]), responseFormat: schema });
  expect((await agent.invoke({ resume })).structuredResponse.at).toEqual(new Date("2026-11-21"));
  const other = createAgent({ model: answers([]), responseFormat: z.object({}).meta({ title: "Other" }) });
  await expect(other.invoke({ resume })).rejects.toThrow(/"output"/);
});

test("a run whose response remained invalid can be resumed: every call is answered", async () => {
  const schema = z.object({ n: z.int() }).meta({ title: "Number" });
  const model = answers([call("1", "Number", '{"n": "x"}'), call("2", "Number", '{"n": 2}')], {
    profile: { structuredOutput: false },
  });
  const agent = createAgent({ model, responseFormat: schema, maxRetries: 0 });
  const error: unknown = await agent.invoke("Go.").catch((it: unknown) => it);
  const { state } = error as { state: AgentState };
  expect(inShort(state.messages).at(-1)).toMatch(/^tool#1 error/);
  expect((await agent.invoke({ resume: state })).structuredResponse).toEqual({ n: 2 });
});

test("the messages of a state may have the shape of another library: a call that has a result does not run again", async () => {
  const messages = [
    { role: "user", content: "How warm?" },
    {
      role: "assistant",
      content: null,
      tool_calls: [
        { id: "1", type: "function", function: { name: "weather", arguments: '{"city":"Oslo"}' } },
      ],
    },
    { role: "tool", tool_call_id: "1", content: "-4 °C" },
  ];
  const resume = { messages, step: 1, retries: 0, status: "running" } as unknown as AgentState;
  const agent = createAgent({ model: answers([["Cold."]]), tools: [weather] });
  expect(inShort((await agent.invoke({ resume })).messages)).toEqual([
    "user | How warm?",
    'assistant | weather#1({"city":"Oslo"})',
    "tool#1 undefined | -4 °C",
    "assistant | Cold.",
  ]);
});

test("a finished run can be resumed with new messages", async () => {
  const first = await createAgent({ model: answers([["Hello."]]) }).invoke("Hi");
  const model = answers([["Bye."]]);
  const { messages } = await createAgent({ model }).invoke({ resume: first.state, messages: "Go away." });
  expect(inShort(messages)).toEqual([
    "user | Hi",
    "assistant | Hello.",
    "user | Go away.",
    "assistant | Bye.",
  ]);
});

test("maxSteps and maxRetries count the calls of one run, not those of a conversation", async () => {
  const schema = z.object({ n: z.int() });
  const wrong = '{"n": "x"}';
  const model = answers([[wrong], ['{"n": 1}'], [wrong], ['{"n": 2}'], [wrong], [wrong]]);
  const agent = createAgent({ model, responseFormat: schema, maxSteps: 2, maxRetries: 1 });
  const first = await agent.invoke("One.");
  const second = await agent.invoke({ resume: first.state, messages: "Two." });
  expect(second.structuredResponse).toEqual({ n: 2 });
  expect(second.state.step).toBe(4);
  const failed: unknown = await agent
    .invoke({ resume: second.state, messages: "Three." })
    .catch((error: unknown) => error);
  expect(failed).toMatchObject({ code: "invalid_response", state: { step: 6 } });
});

test("a run that reached maxSteps can be resumed from the state of its error", async () => {
  const model = answers([
    call("1", "weather", '{"city": "Oslo"}'),
    call("2", "weather", '{"city": "Rome"}'),
    ["Cold."],
  ]);
  const agent = createAgent({ model, tools: [weather], maxSteps: 2 });
  const error: unknown = await agent.invoke("How warm?").catch((it: unknown) => it);
  expect(error).toMatchObject({ code: "max_steps" });
  const { messages } = await agent.invoke({ resume: (error as { state: AgentState }).state });
  expect(inShort(messages).at(-1)).toBe("assistant | Cold.");
});

test("a hook that removes results of tools ends the run with an error, and no tool runs twice", async () => {
  let runs = 0;
  const count = tool({ name: "count", run: () => ++runs && "counted" });
  const dropping: Middleware = {
    afterStep: ({ messages }) => {
      if (runs > 3) throw new Error("The tool ran again.");
      return { messages: messages.filter(({ role }) => role !== "tool") };
    },
  };
  const model = answers([call("1", "count", '{"input": ""}'), ["Done."]]);
  const agent = createAgent({ model, tools: [count], middleware: [dropping] });
  await expect(agent.invoke("Go.")).rejects.toMatchObject({ name: "AgentError", code: "invalid_options" });
  expect(runs).toBe(1);
});

test("a call that waits for a decision pauses the run, and runs when it is resumed", async () => {
  let allowed = false;
  const approval: Middleware = {
    aroundTool: (run, next) => (allowed ? next(run) : waiting()),
  };
  const script = [
    [...call("1", "weather", '{"city": "Oslo"}'), ...call("2", "weather", '{"city": "Rome"}')],
    ["Done."],
  ];
  const make = (answered: number): ReturnType<typeof createAgent> =>
    createAgent({ model: answers(script.slice(answered)), tools: [weather], middleware: [approval] });
  const events = await collect(make(0).stream("Go."));
  expect(ofType(events, "tool_paused")).toMatchObject([{ id: "1", args: { city: "Oslo" } }, { id: "2" }]);
  const finish = events.at(-1);
  if (finish?.type !== "finish") throw new Error("no finish");
  expect(finish.reason).toBe("paused");
  allowed = true;
  const { messages } = await make(1).invoke({ resume: finish.state });
  expect(inShort(messages).slice(2)).toEqual([
    "tool#1 success | Oslo",
    "tool#2 success | Rome",
    "assistant | Done.",
  ]);
});

test("a call that waits in the same message as the response pauses the run and keeps the response", async () => {
  let allowed = false;
  const approval: Middleware = { aroundTool: (run, next) => (allowed ? next(run) : waiting()) };
  const schema = z.object({ name: z.string() }).meta({ title: "Name" });
  const model = answers(
    [[...call("1", "weather", '{"city": "Oslo"}'), ...call("2", "Name", '{"name": "Ada"}')]],
    {
      profile: { structuredOutput: false },
    },
  );
  const agent = createAgent({ model, tools: [weather], responseFormat: schema, middleware: [approval] });
  const error: unknown = await agent.invoke("Go.").catch((it: unknown) => it);
  expect(error).toMatchObject({ code: "ended", state: { status: "paused" } });
  allowed = true;
  const { state } = error as { state: AgentState };
  const { structuredResponse, messages } = await agent.invoke({ resume: state });
  expect(structuredResponse).toEqual({ name: "Ada" });
  expect(inShort(messages).at(-1)).toBe("tool#1 success | Oslo");
});

test("a call that waits in the same message as an invalid response pauses the run, which then asks again", async () => {
  let allowed = false;
  const approval: Middleware = { aroundTool: (run, next) => (allowed ? next(run) : waiting()) };
  const schema = z.object({ name: z.string() }).meta({ title: "Name" });
  const model = answers(
    [
      [...call("1", "weather", '{"city": "Oslo"}'), ...call("2", "Name", '{"name": 1')],
      call("3", "Name", '{"name": "Ada"}'),
    ],
    { profile: { structuredOutput: false } },
  );
  const options = { model, tools: [weather], responseFormat: schema, middleware: [approval], coerce: false };
  const events = await collect(createAgent(options).stream("Go."));
  expect(ofType(events, "structured_error")).toHaveLength(1);
  const [finish] = ofType(events, "finish");
  expect(finish).toMatchObject({ reason: "paused", state: { status: "paused", retries: 1 } });
  allowed = true;
  const resume = JSON.parse(JSON.stringify(finish?.state)) as AgentState;
  const { structuredResponse, messages } = await createAgent(options).invoke({ resume });
  expect(structuredResponse).toEqual({ name: "Ada" });
  expect(inShort(messages).slice(2, 4)).toEqual([
    expect.stringMatching(/^tool#2 error/),
    "tool#1 success | Oslo",
  ]);
});

async function* waiting(): AsyncGenerator<{ readonly type: "paused" }> {
  await Promise.resolve();
  yield { type: "paused" };
}

test("no call runs if two that wait have one id: a decision about one would apply to the other", async () => {
  const agent = createAgent({
    model: scriptedModel(["Done."]),
    tools: [tool({ name: "pay", run: () => expect.fail() })],
    middleware: [humanApproval()],
  });
  const paying = (amount: string) =>
    ({ type: "tool_call", id: "1", name: "pay", args: { input: amount } }) as const;
  const messages = [user("Pay."), assistant([paying("1"), paying("1000")])];
  const run = agent.invoke(messages, { decisions: { 1: { type: "approve" } } });
  await expect(run).rejects.toMatchObject({
    code: "invalid_options",
    message: expect.stringContaining('the id "1"') as string,
  });
});

test("a resumed run that a hook ends before its open calls can be resumed once more", async () => {
  const model = answers([call("1", "weather", '{"city": "Oslo"}'), ["Done."]]);
  const pause: Middleware = { aroundTool: waiting };
  const { state } = await createAgent({ model, tools: [weather], middleware: [pause] }).invoke("Go.");
  const stop: Middleware = { beforeStep: () => ({ end: true }) };
  const stopped = await createAgent({ model, tools: [weather], middleware: [stop] }).invoke({
    resume: state,
  });
  expect(stopped.state.status).toBe("paused");
  const { messages } = await createAgent({ model, tools: [weather] }).invoke({ resume: stopped.state });
  expect(inShort(messages).slice(2)).toEqual(["tool#1 success | Oslo", "assistant | Done."]);
});

test("new messages cannot follow tool calls without a result", async () => {
  const pause: Middleware = {
    async *aroundTool() {
      yield { type: "paused" };
    },
  };
  const model = answers([call("1", "weather", '{"city": "Oslo"}'), ["Done."]]);
  const { state } = await createAgent({ model, tools: [weather], middleware: [pause] }).invoke("Go.");
  const agent = createAgent({ model, tools: [weather] });
  const question = { role: "user" as const, content: "And?" };
  await expect(agent.invoke({ resume: state, messages: [question] })).rejects.toMatchObject({
    code: "invalid_options",
    message: expect.stringContaining('"weather"') as string,
  });
  const answer = { role: "tool" as const, content: "Rain.", toolCallId: "1" };
  const { messages } = await agent.invoke({ resume: state, messages: [answer, question] });
  expect(messages.at(-1)).toMatchObject({ role: "assistant" });
});

test("a resumed run ends with returnDirect only if all calls of the step went to such tools", async () => {
  const pause: Middleware = {
    async *aroundTool(run, next) {
      if (run.call.name === "direct") yield { type: "paused" };
      else yield* next(run);
    },
  };
  const direct = tool({ name: "direct", run: () => "42", returnDirect: true });
  const model = answers([
    [...call("1", "weather", '{"city": "Oslo"}'), ...call("2", "direct", '{"input": ""}')],
  ]);
  const { state } = await createAgent({ model, tools: [weather, direct], middleware: [pause] }).invoke("Go.");
  expect(state.status).toBe("paused");
  const resumed = createAgent({ model: answers([["Done."]]), tools: [weather, direct] });
  const events = await collect(resumed.stream({ resume: state }));
  expect(ofType(events, "finish")).toMatchObject([{ reason: "answer" }]);
});
