import { describe, expect, test } from "vitest";
import { type AgentOptions, type AgentResult, collect, createAgent, pipe, textOf, tool } from "millrace";
import { capture, promptStrategy, providerStrategy, serverTool, toolStrategy } from "millrace/agent";
import { anthropic } from "millrace/anthropic";
import { everyWay } from "millrace/testing";
import { z } from "zod";
import { ofType, partialsIn } from "../../agent/support/script.js";
import { block, delta, end, finish, start, stop, text, wireOf } from "../../support/anthropic-events.js";
import { responseOf } from "../../support/provider-events.js";

const search = { type: "web_search_20250305", name: "web_search" };
const found = [
  { type: "web_search_result", url: "https://a.example", title: "A", encrypted_content: "eA==" },
];

/** Blocks as the API sends them, and as it expects them back. */
const thought = { type: "thinking", thinking: "Hm.", signature: "c2ln" };
const said = { type: "text", text: "I look it up [1]." };
const call = (id: string): object => ({
  type: "server_tool_use",
  id,
  name: "web_search",
  input: { query: "Oslo" },
});
const result = (id: string): object => ({ type: "web_search_tool_result", tool_use_id: id, content: found });

/** The events of a message with these blocks. */
function message(reason: string, ...blocks: readonly object[]): string {
  const events = (blocks as readonly Record<string, string>[]).flatMap((it, at) => {
    if (it["type"] === "thinking") {
      const written = [
        delta({ type: "thinking_delta", thinking: it["thinking"] }, at),
        delta({ type: "signature_delta", signature: it["signature"] }, at),
      ];
      return [block({ type: "thinking", thinking: "", signature: "" }, at), ...written, stop(at)];
    }
    if (it["type"] === "text")
      return [block({ type: "text", text: "" }, at), text(it["text"] ?? "", at), stop(at)];
    if (it["type"]?.endsWith("_use") !== true) return [block(it, at), stop(at)];
    const input = delta({ type: "input_json_delta", partial_json: JSON.stringify(it["input"]) }, at);
    return [block({ ...it, input: {} }, at), input, stop(at)];
  });
  const container = { id: "container_1", expires_at: "2027-01-01T00:00:00Z" };
  return wireOf([start({ container }), ...events, finish(reason), end]);
}

interface Sent {
  readonly messages: readonly { readonly role: string; readonly content: readonly unknown[] }[];
  readonly tools: readonly object[];
  readonly tool_choice?: unknown;
  readonly container?: unknown;
}

/** A model with these answers, one for each request. The last one answers all later requests. */
function answering(
  answers: readonly string[],
  cut = (bytes: Uint8Array<ArrayBuffer>): readonly Uint8Array<ArrayBuffer>[] => [bytes],
): { readonly model: ReturnType<typeof anthropic>; readonly sent: Sent[] } {
  const sent: Sent[] = [];
  const fetch: typeof globalThis.fetch = async (_, init) => {
    const answer = answers[Math.min(sent.length, answers.length - 1)] ?? "";
    sent.push(JSON.parse(init?.body as string) as Sent);
    return responseOf(cut(new TextEncoder().encode(answer)));
  };
  return {
    model: anthropic({ model: "claude-sonnet-4-5", apiKey: "key", fetch, maxRetries: 0 }),
    sent,
  };
}

const tools = [serverTool({ name: "web_search", forms: { anthropic: search } })];

function run(model: AgentOptions["model"], options: Partial<AgentOptions> = {}): Promise<AgentResult> {
  return createAgent({ model, tools, ...options }).invoke("Hi");
}

describe("a turn that the model pauses", () => {
  const paused = message("pause_turn", thought, said, call("s1"));
  const again = message("pause_turn", result("s1"), call("s2"));
  const rest = message("end_turn", result("s2"), { type: "text", text: "4 degrees." });

  test("is sent back as it is, and continues, with every cut", async () => {
    const ways = [paused, again, rest].map((it) => [...everyWay(new TextEncoder().encode(it))]);
    for (let way = 0; way < (ways[0]?.length ?? 0); way++) {
      let request = 0;
      const { model, sent } = answering([paused, again, rest], () => ways[request++]?.[way] ?? []);
      const { state } = await run(model);
      const user = { role: "user", content: [{ type: "text", text: "Hi" }] };
      expect(sent.map(({ messages }) => messages)).toEqual([
        [user],
        [user, { role: "assistant", content: [thought, said, call("s1")] }],
        [user, { role: "assistant", content: [thought, said, call("s1"), result("s1"), call("s2")] }],
      ]);
      expect(sent.map(({ tools }) => tools)).toEqual([[search], [search], [search]]);
      expect(sent.map(({ container }) => container)).toEqual([undefined, "container_1", "container_1"]);
      expect(state).toMatchObject({ step: 3, status: "finished", retries: 0 });
      expect(state.messages.map(({ role }) => role)).toEqual(["user", "assistant", "assistant", "assistant"]);
      expect(textOf(state.messages.at(-1)!)).toBe("4 degrees.");
    }
  });

  test("has the finish reason pause", async () => {
    const { model } = answering([paused]);
    expect(await model.invoke("Hi")).toMatchObject({
      finishReason: "pause",
      providerFinishReason: "pause_turn",
    });
    const compacted = answering([
      message("compaction", { type: "compaction", content: "All so far." }),
    ]).model;
    expect(await compacted.invoke("Hi")).toMatchObject({ finishReason: "pause" });
  });

  describe("of a structured run", () => {
    const schema = z.object({ celsius: z.number() }).meta({ title: "Report" });
    const asCall = { type: "tool_use", id: "t1", name: "Report", input: { celsius: 4 } };
    const asText = { type: "text", text: '{"celsius": 4}' };
    const half = message("pause_turn", { type: "text", text: '{"celsius":' }, call("s1"));
    const whole = message("pause_turn", { type: "text", text: '{"celsius": 5}' }, call("s1"));

    test.each([
      ["toolStrategy()", toolStrategy(schema), message("tool_use", result("s1"), asCall)],
      ["providerStrategy()", providerStrategy(schema), message("end_turn", result("s1"), asText)],
      ["promptStrategy()", promptStrategy(schema), message("end_turn", result("s1"), asText)],
    ])("is no answer with %s", async (_, responseFormat, answer) => {
      for (const first of [paused, half, whole]) {
        const { model, sent } = answering([first, answer]);
        const agent = createAgent({ model, tools, responseFormat });
        const events = await collect(agent.stream("Hi"));
        expect(events.at(-1)).toMatchObject({ type: "finish", structuredResponse: { celsius: 4 } });
        expect(ofType(events, "structured_error")).toEqual([]);
        expect(partialsIn(events).at(-1)).toEqual({ celsius: 4 });
        expect(ofType(events, "step_end").map(({ step }) => step)).toEqual([1, 2]);
        const [before, after] = sent;
        expect(after).toEqual({ ...before, messages: after?.messages, container: "container_1" });
        expect(after?.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
      }
    });

    test.each([
      ["toolStrategy()", toolStrategy(schema)],
      ["providerStrategy()", providerStrategy(schema)],
      ["promptStrategy()", promptStrategy(schema)],
    ])("may pause inside of the answer, more than once, with %s", async (_, responseFormat) => {
      const parts = ['I look. {"cel', 'sius": ', "4}"] as const;
      const { model, sent } = answering([
        message("pause_turn", { type: "text", text: parts[0] }, call("s1")),
        message("pause_turn", result("s1"), { type: "text", text: parts[1] }, call("s2")),
        message("end_turn", result("s2"), { type: "text", text: parts[2] }),
      ]);
      const agent = createAgent({ model, tools: [], responseFormat });
      const events = await collect(agent.stream("Hi"));
      expect(events.at(-1)).toMatchObject({ type: "finish", structuredResponse: { celsius: 4 } });
      expect(ofType(events, "structured_error")).toEqual([]);
      expect(partialsIn(events).at(-1)).toEqual({ celsius: 4 });
      expect(ofType(events, "text").map(({ delta }) => delta)).toEqual(parts);
      expect(sent).toHaveLength(3);
    });

    test("is no answer for capture(), whose caller sends it back", async () => {
      const { model } = answering([paused]);
      const report = capture({ model, responseFormat: providerStrategy(schema) });
      const events = await collect(pipe(model.stream("Hi", report.callOptions), report));
      expect(events.at(-1)).toMatchObject({ type: "answer", kind: "pause", calls: [], followUp: [] });
    });
  });

  test("counts as a step, so maxSteps ends a run that always pauses, and the run can be resumed", async () => {
    const { model, sent } = answering([paused]);
    const error: unknown = await run(model, { maxSteps: 3 }).catch((error: unknown) => error);
    expect(error).toMatchObject({
      name: "AgentError",
      code: "max_steps",
      state: { step: 3, status: "running" },
    });
    expect(sent).toHaveLength(3);
    const continued = answering([rest]);
    const agent = createAgent({ model: continued.model, tools });
    const { state } = await agent.invoke({ resume: (error as { state: never }).state });
    expect(continued.sent[0]?.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(textOf(state.messages.at(-1)!)).toBe("4 degrees.");
  });

  test("runs the tools that it calls", async () => {
    const mine = { type: "tool_use", id: "t1", name: "add", input: { a: 1 } };
    const add = tool({ name: "add", schema: z.object({ a: z.int() }), run: ({ a }) => String(a + 1) });
    const { model, sent } = answering([message("pause_turn", call("s1"), mine), rest]);
    await run(model, { tools: [add] });
    expect(sent[1]?.messages.slice(1)).toEqual([
      { role: "assistant", content: [call("s1"), mine] },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text: "2" }] }],
      },
    ]);
    expect(sent[1]?.container).toBe("container_1");
  });
});

describe("the container of a message that continues", () => {
  const paused = message("pause_turn", call("s1"));
  const rest = message("end_turn", result("s1"), said);

  test.each([
    ["the caller's own", "container_9", "container_9"],
    ["one with skills, and the id", { skills: [] }, { id: "container_1", skills: [] }],
    ["one with skills and an id", { id: "container_9", skills: [] }, { id: "container_9", skills: [] }],
    ["none, if the caller says so", undefined, undefined],
  ])("is %s", async (_, container, expected) => {
    const { model, sent } = answering([paused, rest]);
    await run(model, { callOptions: { extra: { container } } });
    expect(sent[1]?.container).toEqual(expected);
  });

  test("is not that of an earlier turn", async () => {
    const { model, sent } = answering([message("end_turn", said)]);
    const agent = createAgent({ model });
    const { state } = await agent.invoke("Hi");
    await agent.invoke({ resume: state, messages: "And now?" });
    expect(sent.map(({ container }) => container)).toEqual([undefined, undefined]);
  });
});
