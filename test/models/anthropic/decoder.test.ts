import { describe, expect, test } from "vitest";
import { collect, from, pipe, textOf } from "millrace";
import { decodeSse } from "millrace/models";
import { type AnthropicPayload, decodeAnthropic } from "millrace/anthropic";
import { everyWay, operatorLaws } from "millrace/testing";
import {
  block,
  chunksOf,
  delta,
  end,
  errorOf,
  finish,
  helloEvents,
  messageOf,
  start,
  stop,
  text,
  wireOf,
} from "./support.js";

// G-stream-1
describe("decodeAnthropic keeps the law", () => {
  const inputs = [
    start(),
    block({ type: "text", text: "" }),
    text("a"),
    stop(),
    block({ type: "tool_use", id: "1", name: "f", input: {} }, 1),
    stop(1),
    finish(),
    end,
  ] as AnthropicPayload[];
  for (const law of operatorLaws(decodeAnthropic, { inputs })) test.concurrent(law.name, () => law.check());
});

describe("decodeAnthropic", () => {
  test("yields one chunk for each event with content", async () => {
    const usage = { input_tokens: 3, cache_read_input_tokens: 2, output_tokens: 1, service_tier: "standard" };
    expect(
      await chunksOf([
        start({ usage, container: null, stop_reason: null }),
        { type: "ping" },
        block({ type: "text", text: "" }),
        text("Hel"),
        text(""),
        text("lo"),
        stop(),
        finish("stop_sequence", { delta: { stop_reason: "stop_sequence", stop_sequence: "!" } }),
        end,
      ]),
    ).toEqual([
      {
        content: [{ type: "text", index: 0, text: "Hel" }],
        id: "msg_1",
        model: "claude-test",
        usage: { inputTokens: 5, outputTokens: 1, totalTokens: 6, details: { cacheReadTokens: 2 } },
        metadata: { service_tier: "standard" },
      },
      { content: [{ type: "text", index: 0, text: "lo" }] },
      {
        content: [],
        finishReason: "stop",
        providerFinishReason: "stop_sequence",
        metadata: { stop_sequence: "!" },
        usage: { inputTokens: 5, outputTokens: 5, totalTokens: 10, details: { cacheReadTokens: 2 } },
      },
    ]);
  });

  test("reads server-sent events, split at any byte", async () => {
    const events = [
      start(),
      block({ type: "text", text: "" }),
      text("Grüße"),
      stop(),
      block({ type: "tool_use", id: "1", name: "f", input: {} }, 1),
      delta({ type: "input_json_delta", partial_json: '{"a":"ü"}' }, 1),
      stop(1),
      finish("tool_use"),
      end,
    ];
    const whole = await chunksOf(events);
    for (const pieces of everyWay(new TextEncoder().encode(wireOf(events)), { count: 30 })) {
      expect(await collect(pipe(from(pieces), decodeSse(), decodeAnthropic()))).toEqual(whole);
    }
  });

  test("keeps reasoning with its signature, and redacted reasoning", async () => {
    const message = await messageOf(
      start(),
      block({ type: "thinking", thinking: "", signature: "" }),
      delta({ type: "thinking_delta", thinking: "Two and " }),
      delta({ type: "thinking_delta", thinking: "two." }),
      delta({ type: "signature_delta", signature: "c2ln" }),
      stop(),
      block({ type: "redacted_thinking", data: "ZGF0YQ" }, 1),
      stop(1),
      block({ type: "thinking", thinking: "", signature: "" }, 2),
      delta({ type: "signature_delta", signature: "b21pdHRlZA" }, 2),
      stop(2),
      block({ type: "text", text: "4" }, 3),
      stop(3),
      finish(),
      end,
    );
    expect(message.content).toEqual([
      { type: "reasoning", reasoning: "Two and two.", metadata: { signature: "c2ln" } },
      { type: "reasoning", reasoning: "", metadata: { type: "redacted_thinking", data: "ZGF0YQ" } },
      { type: "reasoning", reasoning: "", metadata: { signature: "b21pdHRlZA" } },
      { type: "text", text: "4" },
    ]);
  });

  test("converts citations of every kind to annotations", async () => {
    const page = {
      type: "page_location",
      cited_text: "Sea is grey.",
      document_index: 0,
      document_title: "Colours",
      start_page_number: 1,
      end_page_number: 2,
      file_id: null,
    };
    const search = {
      type: "search_result_location",
      cited_text: "Grey",
      source: "https://example.com/a",
      title: null,
      search_result_index: 0,
      start_block_index: 0,
      end_block_index: 1,
    };
    const unknown = { type: "dream_location", where: 1 };
    const message = await messageOf(
      start(),
      block({ type: "text", text: "", citations: [page] }),
      text("Grey."),
      delta({ type: "citations_delta", citation: search }),
      delta({ type: "citations_delta", citation: unknown }),
      stop(),
      finish(),
    );
    expect(message.content).toEqual([
      {
        type: "text",
        text: "Grey.",
        annotations: [
          {
            type: "citation",
            title: "Colours",
            citedText: "Sea is grey.",
            metadata: {
              type: "page_location",
              document_index: 0,
              start_page_number: 1,
              end_page_number: 2,
              file_id: null,
            },
          },
          {
            type: "citation",
            url: "https://example.com/a",
            citedText: "Grey",
            metadata: {
              type: "search_result_location",
              source: "https://example.com/a",
              search_result_index: 0,
              start_block_index: 0,
              end_block_index: 1,
            },
          },
          { type: "non_standard_annotation", value: unknown },
        ],
      },
    ]);
  });

  test("ends the arguments of a call with its block, so that its tool can start at once", async () => {
    const chunks = await chunksOf([
      start(),
      block({ type: "tool_use", id: "t1", name: "f", input: {}, caller: { type: "direct" } }),
      delta({ type: "input_json_delta", partial_json: "" }),
      stop(),
      block({ type: "tool_use", id: "t2", name: "g", input: { whole: true } }, 1),
      stop(1),
      finish("tool_use"),
    ]);
    expect(chunks.flatMap(({ content }) => content)).toEqual([
      { type: "tool_call_chunk", index: 0, id: "t1", name: "f", metadata: { caller: { type: "direct" } } },
      { type: "tool_call_chunk", index: 0, args: "{}" },
      { type: "tool_call_chunk", index: 1, id: "t2", name: "g" },
      { type: "tool_call_chunk", index: 1, args: '{"whole":true}' },
    ]);
  });

  test("yields calls of server tools, their results, and their errors", async () => {
    const message = await messageOf(
      start(),
      block({ type: "server_tool_use", id: "s1", name: "web_search", input: {} }),
      delta({ type: "input_json_delta", partial_json: '{"query":"sea"}' }),
      stop(),
      block(
        { type: "web_search_tool_result", tool_use_id: "s1", content: [{ type: "web_search_result" }] },
        1,
      ),
      stop(1),
      block({ type: "mcp_tool_use", id: "m1", name: "ask", server_name: "sea", input: {} }, 2),
      stop(2),
      block({ type: "mcp_tool_result", tool_use_id: "m1", is_error: true, content: "no" }, 3),
      stop(3),
      block(
        {
          type: "bash_code_execution_tool_result",
          tool_use_id: "b",
          content: { type: "bash_code_execution_tool_result_error" },
        },
        4,
      ),
      finish("pause_turn"),
    );
    expect(message).toMatchObject({ finishReason: "pause", providerFinishReason: "pause_turn" });
    expect(message.content).toEqual([
      {
        type: "server_tool_call",
        id: "s1",
        name: "web_search",
        args: { query: "sea" },
        metadata: { type: "server_tool_use" },
      },
      {
        type: "server_tool_result",
        toolCallId: "s1",
        status: "success",
        output: [{ type: "web_search_result" }],
        metadata: { type: "web_search_tool_result" },
      },
      {
        type: "server_tool_call",
        id: "m1",
        name: "ask",
        args: {},
        metadata: { type: "mcp_tool_use", server_name: "sea" },
      },
      {
        type: "server_tool_result",
        toolCallId: "m1",
        status: "error",
        output: "no",
        metadata: { type: "mcp_tool_result", is_error: true },
      },
      {
        type: "server_tool_result",
        toolCallId: "b",
        status: "error",
        output: { type: "bash_code_execution_tool_result_error" },
        metadata: { type: "bash_code_execution_tool_result" },
      },
    ]);
  });

  test("keeps unknown blocks, deltas, fields and events", async () => {
    const message = await messageOf(
      start({ diagnostics: { a: 1 } }),
      block({ type: "compaction", content: null }),
      delta({ type: "compaction_delta", content: "All so far.", encrypted_content: "eA" }),
      stop(),
      block({ type: "container_upload", file_id: "file_1" }, 1),
      stop(1),
      block({ type: "text", text: "", mood: "calm" }, 2),
      text("Hi", 2),
      delta({ type: "mood_delta", mood: "er", colour: "grey" }, 2),
      stop(2),
      { type: "weather_update", sky: "blue" },
      finish("compaction", { context_management: { applied_edits: [] } }),
      end,
    );
    expect(message.content).toEqual([
      {
        type: "non_standard",
        value: { type: "compaction", content: "All so far.", encrypted_content: "eA" },
      },
      { type: "non_standard", value: { type: "container_upload", file_id: "file_1" } },
      { type: "text", text: "Hi", metadata: { anthropic: { mood: "calmer", colour: "grey" } } },
    ]);
    expect(message.metadata).toEqual({
      diagnostics: { a: 1 },
      context_management: { applied_edits: [] },
      weather_update: { sky: "blue" },
    });
    expect(message).toMatchObject({ finishReason: "pause", providerFinishReason: "compaction" });
  });

  test("keeps deltas of an unexpected type", async () => {
    const message = await messageOf(
      start(),
      block({ type: "thinking", thinking: "" }),
      delta({ type: "x_delta", x: "1" }),
      delta({ type: "x_delta", x: "2" }),
      stop(),
      block({ type: "tool_use", id: "1", name: "f", input: {} }, 1),
      delta({ type: "y_delta", y: 1 }, 1),
      stop(1),
      block({ type: "redacted_thinking", data: "d" }, 2),
      delta({ type: "z_delta", z: 1 }, 2),
      stop(2),
      finish(),
    );
    expect(message.content).toEqual([
      { type: "reasoning", reasoning: "", metadata: { anthropic: { x: "12" } } },
      { type: "tool_call", id: "1", name: "f", args: {}, metadata: { anthropic: { y: 1 } } },
      { type: "reasoning", reasoning: "", metadata: { type: "redacted_thinking", data: "d" } },
      { type: "non_standard", value: { type: "content_block_delta", delta: { type: "z_delta", z: 1 } } },
    ]);
  });

  test.each([
    ["end_turn", "stop"],
    ["stop_sequence", "stop"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["tool_use", "tool_calls"],
    ["refusal", "content_filter"],
    ["something_new", "other"],
  ])("maps the stop reason %s to %s", async (word, reason) => {
    expect(await messageOf(start(), finish(word))).toMatchObject({
      finishReason: reason,
      providerFinishReason: word,
    });
  });

  test("yields the refusal of the model", async () => {
    const stop_details = { type: "refusal", category: "bio", explanation: "Not this." };
    const event = finish("refusal", { delta: { stop_reason: "refusal", stop_details } });
    const message = await messageOf(start(), event, event); // each event repeats it
    expect(message).toMatchObject({ refusal: "Not this.", metadata: { stop_details } });
  });

  test("counts all input tokens, and keeps counts that a later event omits", async () => {
    const message = await messageOf(
      start({
        usage: {
          input_tokens: 10,
          cache_creation_input_tokens: 20,
          cache_read_input_tokens: 30,
          output_tokens: 1,
        },
      }),
      finish("end_turn", {
        usage: {
          input_tokens: null,
          output_tokens: 7,
          output_tokens_details: { thinking_tokens: 4 },
          server_tool_use: { web_search_requests: 2 },
        },
      }),
    );
    expect(message.usage).toEqual({
      inputTokens: 60,
      outputTokens: 7,
      totalTokens: 67,
      details: { cacheReadTokens: 30, cacheWriteTokens: 20, reasoningTokens: 4 },
    });
    expect(message.metadata).toEqual({ server_tool_use: { web_search_requests: 2 } });
  });

  test("merges several messages, and sums their usage", async () => {
    const message = await messageOf(
      ...helloEvents,
      start({ id: "msg_2" }),
      block({ type: "text", text: "!" }),
      stop(),
      finish("max_tokens"),
      end,
    );
    expect(message.content.map((block) => block.type === "text" && block.text)).toEqual(["Hello", "!"]);
    expect(message).toMatchObject({
      id: "msg_1",
      finishReason: "length",
      usage: { inputTokens: 6, outputTokens: 10 },
    });
  });

  test("counts the usage of a message once if it starts twice", async () => {
    const message = await messageOf(
      start(),
      start({ usage: { input_tokens: 4, output_tokens: 1 } }),
      finish(),
    );
    expect(message.usage).toMatchObject({ inputTokens: 4, outputTokens: 5 });
  });

  test("reads a call in the start event once if the message starts twice", async () => {
    const call = { type: "tool_use", id: "t", name: "f", input: { a: 1 } };
    const begun = start({ content: [call], stop_reason: "tool_use" });
    const { content } = await messageOf(begun, begun, end);
    expect(content).toMatchObject([{ type: "tool_call", id: "t", args: { a: 1 } }]);
  });

  test("reads blocks in the start event, and later deltas for them", async () => {
    const call = { type: "tool_use", id: "t", name: "f", input: { a: 1 } };
    const begun = start({ content: [{ type: "text", text: "Hm" }, call], stop_reason: "tool_use" });
    expect(await messageOf(begun, end)).toMatchObject({
      content: [
        { type: "text", text: "Hm" },
        { type: "tool_call", id: "t", args: { a: 1 } },
      ],
      finishReason: "tool_calls",
    });
    const more = await messageOf(
      start({ content: [{ type: "text", text: "a" }] }),
      block({ type: "text", text: "b" }),
      finish(),
    );
    expect(more.content).toHaveLength(2);
  });

  test("keeps arguments that precede the start of their call for it", async () => {
    const message = await messageOf(
      start({ content: [] }),
      delta({ type: "input_json_delta", partial_json: '{"a"' }, 0),
      delta({ type: "input_json_delta", partial_json: ":1" }, 0),
      block({ type: "tool_use", id: "t", name: "f", input: {} }, 0),
      delta({ type: "input_json_delta", partial_json: "}" }, 0),
      { type: "content_block_stop", index: 0 },
      finish("tool_use"),
      end,
    );
    expect(message.content).toEqual([{ type: "tool_call", id: "t", name: "f", args: { a: 1 } }]);
  });

  test("accepts missing start and stop events, and missing fields", async () => {
    const message = await messageOf(
      { type: "message_start" },
      text("Hi"),
      delta({ type: "thinking_delta", thinking: "hm" }, 1),
      delta({ type: "input_json_delta", partial_json: "{}" }, 2),
      { type: "content_block_start" },
      { type: "content_block_stop" },
      { type: "content_block_stop", index: 9 },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: null },
    );
    expect(message.content).toMatchObject([
      { type: "text", text: "Hi" },
      { type: "reasoning", reasoning: "hm" },
      { type: "invalid_tool_call", args: "{}" },
      { type: "non_standard", value: {} },
    ]);
  });

  test.each([7, { type: 7, partial_json: "0" }])(
    "makes a call invalid if a piece of it may be lost: %j",
    async (damaged) => {
      const message = await messageOf(
        block({ type: "tool_use", id: "1", name: "f", input: {} }),
        delta({ type: "input_json_delta", partial_json: '{"a": 7' }),
        { type: "content_block_delta", index: 0, delta: damaged },
        delta({ type: "input_json_delta", partial_json: "}" }),
        stop(),
        finish(),
      );
      expect(message.content).toMatchObject([{ type: "invalid_tool_call", args: '{"a": 7}' }]);
    },
  );

  test("keeps a block without a stop event when another with the same index follows", async () => {
    const message = await messageOf(
      block({ type: "container_upload", file_id: "a" }),
      block({ type: "tool_use", id: "1", name: "f", input: ["not", "an object"] }),
      block({ type: "text", text: "Hi" }),
      finish(),
    );
    expect(message.content).toMatchObject([
      { type: "non_standard" },
      { type: "invalid_tool_call", args: '["not","an object"]' },
      { type: "text", text: "Hi" },
    ]);
  });

  test("yields empty blocks", async () => {
    const message = await messageOf(start(), block({ type: "text", text: "" }), stop(), finish(), end);
    expect(message.content).toEqual([{ type: "text", text: "" }]);
  });

  test("accepts the end marker of some gateways, and closes the source", async () => {
    let closed = 0;
    async function* endless(): AsyncGenerator<AnthropicPayload> {
      try {
        yield* [...(helloEvents as AnthropicPayload[]), "[DONE]"];
        for (;;) yield { type: "ping" };
      } finally {
        closed++;
      }
    }
    expect((await collect(pipe(endless(), decodeAnthropic()))).map(textOf).join("")).toBe("Hello");
    expect(closed).toBe(1);
  });
});

// G-models-9
test("a field __proto__ of an unknown block is a field like any other", async () => {
  const fields = JSON.parse('{"type": "new_delta", "__proto__": {"polluted": 1}, "toString": "a"}') as object;
  const chunks = await chunksOf([
    start(),
    block({ type: "new_block" }),
    { type: "content_block_delta", index: 0, delta: fields },
    stop(),
    finish(),
    end,
  ]);
  expect(JSON.stringify(chunks)).toContain('"__proto__":{"polluted":1},"toString":"a"');
});

describe("decodeAnthropic ends with an error", () => {
  test.each([
    ["that is temporary", "overloaded_error", 529, true],
    ["of the rate limit", "rate_limit_error", 429, true],
    ["of the provider", "api_error", 500, true],
    ["that is permanent", "invalid_request_error", 400, false],
    ["of an unknown type", "odd_error", undefined, false],
  ])("for an error event %s", async (_, type, status, retryable) => {
    const event = { type: "error", error: { type, message: "Sorry" }, request_id: "req_9" };
    const error = await errorOf(start(), event);
    expect(error).toMatchObject({
      code: "provider",
      message: expect.stringContaining("Sorry") as string,
      providerCode: type,
      retryable,
      requestId: "req_9",
    });
    expect(error.status).toBe(status);
  });

  test.each([
    ["nothing", [], "cut"],
    ["only pings", [{ type: "ping" }], "cut"],
    ["only the start of a message", [start()], "cut"],
    ["only an end marker", ["[DONE]"], "protocol"],
    ["only the end of a message", [end], "protocol"],
    ["only a block", [block({ type: "text", text: "Hi" })], "cut"],
    ["the event of another provider", [{ choices: [] }], "protocol"],
    ["an error without a type", [{ error: "Bad gateway" }], "provider"],
    ["an error of a gateway", [{ message: "Bad gateway" }], "provider"],
    ["an event that is not an object", [7], "protocol"],
    ["a second message that is truncated", [...helloEvents, start()], "cut"],
  ])("for %s", async (_, events, code) => {
    expect(await errorOf(...(events as unknown[]))).toMatchObject({ code });
  });

  test("after the partial content of blocks that are otherwise yielded whole", async () => {
    const events = [
      start(),
      block({ type: "compaction", content: "a" }),
      delta({ type: "compaction_delta", content: "b" }),
    ];
    const error = { type: "error", error: { type: "api_error", message: "Sorry" } };
    for (const all of [events, [...events, error]]) {
      const seen: unknown[] = [];
      const read = async (): Promise<void> => {
        for await (const chunk of pipe(from(all as AnthropicPayload[]), decodeAnthropic()))
          seen.push(...chunk.content);
      };
      await expect(read()).rejects.toMatchObject({ name: "ModelError" });
      expect(seen).toEqual([{ type: "non_standard", value: { type: "compaction", content: "ab" } }]);
    }
  });
});
