import { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AgentEvent, type AgentOptions, providerStrategy, tool, toolStrategy } from "millrace";
import { apis } from "./apis.js";
import { converse, type ModelAnswer, type ModelPace } from "./conversation.js";
import { calls, says } from "./examples/example.js";
import { productRating, weather } from "./schemas.js";
import { linesOf } from "./transcript.js";

/** A mistake in a call of a tool, of which the model is told, and the run goes on. */
interface Mistake {
  readonly name: string;
  readonly tool?: AgentOptions["tools"];
  readonly call: ModelAnswer;
  /** The error, as the program sees it. */
  readonly error: object;
  readonly lines: readonly string[];
}

const mistakes: readonly Mistake[] = [
  {
    name: "a tool that there is not",
    call: calls("c1", "forecast", {}),
    error: { name: "AgentError", code: "unknown_tool" },
    lines: ["c1 = forecast({})", 'c1 failed: There is no tool "forecast"; the tools are "weather".'],
  },
  {
    name: "arguments that the schema does not take",
    call: calls("c1", "weather", { town: "Oslo" }),
    error: { name: "ToolError", code: "invalid_input", issues: [{ pointer: "/city" }] },
    lines: [
      'c1 = weather({"town":"Oslo"})',
      'c1 failed: The arguments of "weather" do not satisfy the schema. /city: Invalid input: expected string, received undefined',
    ],
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
    lines: ['c1 = weather({"input":"Oslo"})', 'c1 failed: The tool "weather" failed: cannot open [path]'],
  },
  {
    name: "a tool that hangs, and listens to nothing",
    tool: [tool({ name: "weather", timeout: 15, run: () => new Promise(() => {}) })],
    call: calls("c1", "weather", { input: "Oslo" }),
    error: { name: "ToolError", code: "timeout" },
    lines: ['c1 = weather({"input":"Oslo"})', 'c1 failed: "weather" took longer than 15 ms and was stopped.'],
  },
];

/** An answer that cannot be taken: the run ends with an error that says why, and has what had arrived. */
interface Cut {
  readonly name: string;
  readonly answer: ModelAnswer;
  readonly pace?: ModelPace;
  readonly error: object;
  /** What was shown of the response. */
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
    error: { name: "AgentError", code: "truncated", value: undefined },
  },
  {
    name: "by a lost connection",
    answer: { content: rating },
    pace: { chunkSize: 3, latency: 2, truncateAfterChunks: 7 },
    error: { name: "ModelError", code: "cut", partial: { role: "assistant" } },
    shown: { rating: 5 },
  },
];

describe.each(apis)("in the words of $name,", (api) => {
  const mock = new LLMock({ port: 0 });
  beforeAll(() => mock.start());
  afterAll(() => mock.stop());

  test.each(mistakes)(
    "the model is told of $name, and the run goes on",
    async ({ call, error, lines, ...it }) => {
      const tools = it.tool ?? [weather];
      const ran = await converse(mock, api, { tools }, "How warm is it?", [call, says("I do not know.")]);
      expect(ran.error).toBeUndefined();
      expect(ran.events.filter(({ type }) => type === "tool_error")).toMatchObject([{ id: "c1", error }]);
      const told = ["user: How warm is it?", ...lines];
      expect(linesOf(ran.state?.messages ?? [])).toEqual([...told, "assistant: I do not know."]);
      expect(ran.received[1]).toHaveLength(told.length);
    },
  );

  test.each(cuts)("a text that is cut $name is an error with what had arrived", async (cut) => {
    const options = { responseFormat: providerStrategy(productRating) };
    const ran = await converse(mock, api, options, "Rate it.", [cut.answer], cut.pace);
    expect(ran.error).toMatchObject(cut.error);
    expect(ran.received).toHaveLength(1);
    expect(lastShown(ran.events) ?? {}).toMatchObject(cut.shown ?? {});
  });

  // G-agent-10
  test("a run whose connection is lost in a later step goes on from the state of the step before", async () => {
    const options = { tools: [weather], responseFormat: toolStrategy(productRating) };
    const [first, second] = [
      calls("c1", "weather", { city: "Oslo" }),
      calls("c2", "ProductRating", { rating: 1, comment: "Cold and dark" }),
    ];
    const ran = await converse(mock, api, options, "Rate it.", [first], { chunkSize: 4 });
    expect(ran.error).toMatchObject({ name: "ModelError", code: "http" });
    const known = ran.events.findLast((event) => event.type === "step_end")?.state;
    if (known === undefined) throw new Error("no step has ended");
    const stored = JSON.parse(JSON.stringify(known)) as typeof known;
    const resumed = await converse(mock, api, options, { resume: stored }, [second]);
    expect(resumed.state).toMatchObject({ step: 2, status: "finished", response: { value: { rating: 1 } } });
    expect(resumed.received[0]).toEqual([
      "user: Rate it.",
      'c1 = weather({"city":"Oslo"})',
      "c1: Oslo: -4 °C",
    ]);
  });

  test("an answer without anything in it is told so, or is the answer where none was asked for", async () => {
    const nothing = says("");
    const answered = await converse(mock, api, {}, "Hi", [nothing]);
    expect(answered.events.at(-1)).toMatchObject({ type: "finish", reason: "answer", finishReason: "stop" });
    const asked = await converse(mock, api, { responseFormat: toolStrategy(productRating) }, "Hi", [
      nothing,
      calls("c1", "ProductRating", { rating: 5, comment: "" }),
    ]);
    expect(asked.error).toBeUndefined();
    expect(asked.events.filter(({ type }) => type === "structured_error")).toMatchObject([
      { error: { code: "no_response" } },
    ]);
    expect(asked.received[1]?.join()).toMatch(/^user: Hi.*Answer by calling the tool "ProductRating"\.$/);
  });

  test("the tools that a model calls again and again are run as often as it may be asked", async () => {
    const again = Array.from({ length: 4 }, (_, n) => calls(`c${n}`, "weather", { city: "Oslo" }));
    const ran = await converse(mock, api, { tools: [weather], maxSteps: 3 }, "Hi", again);
    expect(ran.error).toMatchObject({ code: "max_steps" });
    expect(ran.received).toHaveLength(3);
    expect(ran.state?.messages).toHaveLength(7);
  });
});

/** The structured response as the events have shown it last, before it was given up. */
function lastShown(events: readonly AgentEvent[]): unknown {
  const shown = events.flatMap((event) => (event.type === "structured_patch" ? (event.partial ?? []) : []));
  return shown.at(-1);
}
