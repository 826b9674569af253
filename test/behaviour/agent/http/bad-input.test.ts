import { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AgentEvent, type AgentOptions, tool } from "millrace";
import { providerStrategy, toolStrategy } from "millrace/agent";
import { partialsIn } from "../../../agent/support/script.js";
import { apis } from "./apis.js";
import { converse, type ModelAnswer, type ModelPace } from "./conversation.js";
import { calls, type Line, says } from "./examples/example.js";
import { productRating, weather } from "./schemas.js";
import { linesOf } from "./transcript.js";

/** A wrong tool call. The model gets an error message, and the run continues. */
interface Mistake {
  readonly name: string;
  readonly tool?: AgentOptions["tools"];
  readonly call: ModelAnswer;
  /** The error of the event. */
  readonly error: object;
  readonly lines: readonly Line[];
}

const mistakes: readonly Mistake[] = [
  {
    name: "a tool that does not exist",
    call: calls("c1", "forecast", {}),
    error: { name: "AgentError", code: "unknown_tool" },
    lines: ["c1 = forecast({})", /^c1 failed: .*"forecast".*"weather"/],
  },
  {
    name: "arguments that do not match the schema",
    call: calls("c1", "weather", { town: "Oslo" }),
    error: { name: "ToolError", code: "invalid_input", issues: [{ pointer: "/city" }] },
    lines: ['c1 = weather({"town":"Oslo"})', /^c1 failed: .*"weather".* \/city: .*string/],
  },
  {
    name: "a tool that throws",
    tool: [
      tool({
        name: "weather",
        run: () => {
          throw new Error("cannot open /srv/app/secret.json\n    at read (/srv/app/read.js:3:5)");
        },
      }),
    ],
    call: calls("c1", "weather", { input: "Oslo" }),
    error: { name: "Error" },
    lines: ['c1 = weather({"input":"Oslo"})', /^c1 failed: .*"weather".*: cannot open \[path\]$/],
  },
  {
    name: "a tool that hangs and ignores its signal",
    tool: [tool({ name: "weather", timeout: 15, run: () => new Promise(() => {}) })],
    call: calls("c1", "weather", { input: "Oslo" }),
    error: { name: "ToolError", code: "timeout" },
    lines: ['c1 = weather({"input":"Oslo"})', /^c1 failed: .*"weather".* 15 ms/],
  },
];

/** An incomplete answer. The run ends with an error that has the part that arrived. */
interface Cut {
  readonly name: string;
  readonly answer: ModelAnswer;
  readonly pace?: ModelPace;
  readonly error: object;
  /** The last partial response. */
  readonly shown?: object;
}

const rating = '{"rating":5,"comment":"Good';

const cuts: readonly Cut[] = [
  {
    name: "at the token limit",
    answer: { content: rating, finishReason: "length" },
    error: {
      name: "AgentError",
      code: "truncated",
      finishReason: "length",
      value: { rating: 5, comment: "Good" },
    },
    shown: { rating: 5, comment: "Good" },
  },
  {
    name: "at the token limit before its first token",
    answer: { content: "", finishReason: "length" },
    error: { name: "AgentError", code: "truncated" },
  },
  {
    name: "by a lost connection",
    answer: { content: rating },
    pace: { chunkSize: 3, latency: 2, truncateAfterChunks: 8 },
    error: { name: "ModelError", code: "cut", partial: { role: "assistant" } },
    shown: { rating: 5 },
  },
];

describe.each(apis)("with the API of $name,", (api) => {
  const mock = new LLMock({ port: 0 });
  beforeAll(() => mock.start());
  afterAll(() => mock.stop());

  test.each(mistakes)(
    "after $name, the model gets an error message and the run continues",
    async ({ call, error, lines, ...it }) => {
      const tools = it.tool ?? [weather];
      const ran = await converse(mock, api, { tools }, "How warm is it?", [call, says("I do not know.")]);
      expect(ran.error).toBeUndefined();
      expect(ran.events.filter(({ type }) => type === "tool_error")).toMatchObject([{ id: "c1", error }]);
      expect(linesOf(ran.state?.messages ?? [])).toEqual([
        "user: How warm is it?",
        ...lines.map((line): unknown => (typeof line === "string" ? line : expect.stringMatching(line))),
        "assistant: I do not know.",
      ]);
      expect(ran.received[1]).toHaveLength(1 + lines.length);
    },
  );

  test.each(cuts)("a text that is cut $name is an error with the part that arrived", async (cut) => {
    const options = { responseFormat: providerStrategy(productRating), maxRetries: 0 };
    const ran = await converse(mock, api, options, "Rate it.", [cut.answer], cut.pace);
    expect(ran.error).toMatchObject(cut.error);
    expect(ran.received).toHaveLength(1);
    expect(lastShown(ran.events) ?? {}).toMatchObject(cut.shown ?? {});
  });

  // G-agent-10
  test("a run whose connection is lost resumes from the state of the step before", async () => {
    const options = { tools: [weather], responseFormat: toolStrategy(productRating) };
    const [first, second] = [
      calls("c1", "weather", { city: "Oslo" }),
      calls("c2", "ProductRating", { rating: 1, comment: "Cold and dark" }),
    ];
    const ran = await converse(mock, api, options, "Rate it.", [first], { chunkSize: 4 });
    expect(ran.error).toMatchObject({ name: "ModelError", code: "http" });
    const known = ran.events.findLast((event) => event.type === "step_end")?.state;
    if (known === undefined) throw new Error("no step_end event");
    const stored = JSON.parse(JSON.stringify(known)) as typeof known;
    const resumed = await converse(mock, api, options, { resume: stored }, [second]);
    expect(resumed.state).toMatchObject({ step: 2, status: "finished", response: { value: { rating: 1 } } });
    expect(resumed.received[0]).toEqual([
      "user: Rate it.",
      'c1 = weather({"city":"Oslo"})',
      "c1: Oslo: -4 °C",
    ]);
  });

  test("an empty answer is asked for again, or is the answer of an agent without a response format", async () => {
    const empty = says("");
    const answered = await converse(mock, api, {}, "Hi", [empty]);
    expect(answered.events.at(-1)).toMatchObject({ type: "finish", reason: "answer", finishReason: "stop" });
    const asked = await converse(mock, api, { responseFormat: toolStrategy(productRating) }, "Hi", [
      empty,
      calls("c1", "ProductRating", { rating: 5, comment: "" }),
    ]);
    expect(asked.error).toBeUndefined();
    expect(asked.events.filter(({ type }) => type === "structured_error")).toMatchObject([
      { error: { code: "no_response" } },
    ]);
    expect(asked.received[1]?.join()).toMatch(/^user: Hi.*tool "ProductRating"/);
  });

  test("a model that calls tools without end is stopped at maxSteps", async () => {
    const again = Array.from({ length: 4 }, (_, n) => calls(`c${n}`, "weather", { city: "Oslo" }));
    const ran = await converse(mock, api, { tools: [weather], maxSteps: 3 }, "Hi", again);
    expect(ran.error).toMatchObject({ code: "max_steps" });
    expect(ran.received).toHaveLength(3);
    expect(ran.state?.messages).toHaveLength(7);
  });
});

/** The last partial response of the events, before it was reset. */
function lastShown(events: readonly AgentEvent[]): unknown {
  return partialsIn(events).at(-1);
}
