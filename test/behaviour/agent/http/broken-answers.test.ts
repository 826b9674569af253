import { describe, expect, test } from "vitest";
import { type AgentEvent, type AgentOptions, type ChatModel, createAgent } from "millrace";
import { providerStrategy, toolStrategy } from "millrace/agent";
import { anthropic } from "millrace/anthropic";
import { partialsIn } from "../../../agent/support/script.js";
import * as claude from "../../../models/anthropic/support.js";
import { modelAt, serving } from "../../../models/support/models.js";
import {
  type Answer,
  begin,
  content,
  delta,
  finish,
  type TestServer,
} from "../../../models/support/server.js";
import { eventsOf } from "./conversation.js";
import { productRating, weather } from "./schemas.js";
import { linesOf } from "./transcript.js";

/** Broken answers, which a mock cannot make, as payloads of the API. */
interface Words {
  readonly name: string;
  create(server: TestServer): ChatModel;
  /** A call with this text as arguments. Without a finish reason, the connection is lost. */
  call(name: string, args: string, end?: "length" | "tool_calls" | "error"): Answer;
  text(text: string): Answer;
  refusal(why: string): Answer;
  /** A text that the content filter of the provider stopped. */
  withheld(text: string): Answer;
}

const stopReasons = { length: "max_tokens", tool_calls: "tool_use", error: "error" };

const words: readonly Words[] = [
  {
    name: "OpenAI",
    create: (server) => modelAt(server),
    call: (name, args, end) =>
      answering(
        delta({ tool_calls: [{ index: 0, id: "c1", function: { name, arguments: "" } }] }),
        delta({ tool_calls: [{ index: 0, function: { arguments: args } }] }),
        ...(end === undefined ? [] : [finish(end)]),
      ),
    text: (text) => answering(content(text), finish()),
    refusal: (why) => answering(delta({ refusal: why }), finish()),
    withheld: (text) => answering(content(text), finish("content_filter")),
  },
  {
    name: "Anthropic",
    create: ({ url }) =>
      anthropic({ model: "claude-test", baseURL: url.replace(/\/v1$/, ""), apiKey: "key", maxRetries: 0 }),
    call: (name, args, end) =>
      answering(
        claude.start(),
        claude.block({ type: "tool_use", id: "c1", name, input: {} }),
        claude.delta({ type: "input_json_delta", partial_json: args }),
        ...(end === undefined ? [] : [claude.stop(), claude.finish(stopReasons[end]), claude.end]),
      ),
    text: (text) =>
      answering(
        claude.start(),
        claude.block({ type: "text", text: "" }),
        claude.text(text),
        claude.stop(),
        claude.finish(),
        claude.end,
      ),
    refusal: (why) =>
      answering(
        claude.start(),
        claude.finish("refusal", { delta: { stop_reason: "refusal", stop_details: { explanation: why } } }),
        claude.end,
      ),
    withheld: (text) =>
      answering(
        claude.start(),
        claude.block({ type: "text", text: "" }),
        claude.text(text),
        claude.stop(),
        claude.finish("refusal"),
        claude.end,
      ),
  },
];

const cut = '{"rating":5,"comment":"Good';
const asTool = { responseFormat: toolStrategy(productRating) };

describe.each(words)("with the API of $name,", (api) => {
  const run = async (
    options: Omit<AgentOptions, "model">,
    ...answers: readonly Answer[]
  ): Promise<Awaited<ReturnType<typeof eventsOf>> & { readonly server: TestServer }> => {
    const server = await serving(...answers);
    return {
      server,
      ...(await eventsOf(createAgent({ ...options, model: api.create(server) }).stream("Hi"))),
    };
  };

  test("arguments that are not JSON never reach the tool: the model gets an error, and the run continues", async () => {
    const broken = api.call("weather", '{"city": Oslo}', "tool_calls");
    const { events, error } = await run({ tools: [weather] }, broken, api.text("I do not know."));
    expect(error).toBeUndefined();
    expect(typesOf(events)).not.toContain("tool_start");
    expect(events.find(({ type }) => type === "tool_error")).toMatchObject({
      error: { name: "ToolError", code: "invalid_input" },
    });
    const finished = events.at(-1);
    expect(finished?.type === "finish" && linesOf(finished.state.messages)).toEqual([
      "user: Hi",
      'c1 = weather?({"city": Oslo})',
      expect.stringMatching(/^c1 failed: .*\/city.*line 1, column 10/),
      "assistant: I do not know.",
    ]);
  });

  test("a tool call that is cut at the token limit never runs: the model gets the reason", async () => {
    const { events, error } = await run(
      { tools: [weather] },
      api.call("weather", '{"city": "Os', "length"),
      api.text("Sorry."),
    );
    expect(error).toBeUndefined();
    expect(typesOf(events)).not.toContain("tool_start");
    const failed = events.find((event) => event.type === "tool_error");
    expect(JSON.stringify(failed?.message)).toContain("token limit");
  });

  test.each([{ tools: [weather] }, { tools: [weather], ...asTool }])(
    "an answer that the provider ends with an error is a ModelError with the partial message, and its call does not run",
    async (options) => {
      const failing = api.call("weather", '{"city": "Oslo"}', "error");
      const { events, error, server } = await run(options, failing);
      expect(error).toMatchObject({
        name: "ModelError",
        code: "provider",
        retryable: true,
        partial: { content: [{ type: "tool_call_chunk", name: "weather", args: '{"city": "Oslo"}' }] },
      });
      expect(typesOf(events)).not.toContain("tool_start");
      expect(server.requests).toHaveLength(1);
    },
  );

  test("a structured response that is cut at the token limit ends the run; the error has the known part", async () => {
    const { error, server } = await run(asTool, api.call("ProductRating", cut, "length"));
    expect(error).toMatchObject({
      name: "AgentError",
      code: "truncated",
      finishReason: "length",
      value: { rating: 5, comment: "Good" },
      state: { step: 1 },
    });
    expect(server.requests).toHaveLength(1);
  });

  test("a connection that is lost in a structured response is a ModelError with the partial message", async () => {
    const { events, error } = await run({ ...asTool, maxRetries: 0 }, api.call("ProductRating", cut));
    expect(error).toMatchObject({
      name: "ModelError",
      code: "cut",
      partial: { content: [{ type: "tool_call_chunk", name: "ProductRating", args: cut }] },
    });
    expect(partialsIn(events).at(-1)).toEqual({
      rating: 5,
      comment: "Good",
    });
  });

  test.each([asTool, { responseFormat: providerStrategy(productRating) }])(
    "a model that declines to answer is not asked again",
    async (options) => {
      const { error, server } = await run(options, api.refusal("I must not."));
      expect(error).toMatchObject({ name: "AgentError", code: "refused", state: { step: 1 } });
      expect((error as Error).message).toContain("I must not.");
      expect(server.requests).toHaveLength(1);
    },
  );

  test("an answer that the provider withholds ends the run; the error has the known part", async () => {
    const { error, server } = await run(
      { responseFormat: providerStrategy(productRating) },
      api.withheld(cut),
    );
    expect(error).toMatchObject({
      name: "AgentError",
      code: "content_filter",
      value: { rating: 5, comment: "Good" },
    });
    expect(server.requests).toHaveLength(1);
  });

  test("an empty stream is a ModelError", async () => {
    const { events, error } = await run(asTool, answering());
    expect(typesOf(events)).toEqual(["step"]);
    expect(error).toMatchObject({ name: "ModelError", code: "cut" });
  });
});

/** These payloads and the end of the body. Without a finish reason, this is a lost connection. */
function answering(...payloads: readonly unknown[]): Answer {
  return (response) => {
    begin(response, ...payloads);
    response.end();
  };
}

function typesOf(events: readonly AgentEvent[]): AgentEvent["type"][] {
  return events.map(({ type }) => type);
}
