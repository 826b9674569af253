import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { collect, from, last, mergeChunks, pipe, reasoningOf, textOf, toolCallsOf } from "millrace";
import { decodeSse } from "millrace/models";
import { decodeOpenAIChat, type OpenAIChatPayload } from "millrace/openai";
import { everyWay, operatorLaws } from "millrace/testing";
import { decodedBy } from "../../support/decoded.js";
import { content, delta, finish } from "../../support/server.js";

const { chunksOf, messageOf, errorOf } = decodedBy(decodeOpenAIChat, () => [finish()]);

/** A delta of one tool call. */
function tool(fields: object, called?: object): object {
  return delta({ tool_calls: [{ ...fields, ...(called && { function: called }) }] });
}

// G-stream-1
describe("decodeOpenAIChat keeps the law", () => {
  const inputs = [
    delta({ role: "assistant" }),
    content("a"),
    tool({ id: "1" }, { name: "f", arguments: "{}" }),
    finish(),
  ];
  for (const law of operatorLaws(decodeOpenAIChat, { inputs })) test.concurrent(law.name, () => law.check());
});

describe("decodeOpenAIChat", () => {
  test("yields one chunk for each payload with content", async () => {
    const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
    expect(
      await chunksOf([
        delta({ role: "assistant", content: "", refusal: null }, { created: 7, system_fingerprint: "fp" }),
        content("Hel"),
        content("lo"),
        finish(),
        { id: "chatcmpl-1", choices: [], usage },
        "[DONE]",
      ]),
    ).toEqual([
      {
        content: [{ type: "text", index: 0, text: "Hel" }],
        id: "chatcmpl-1",
        model: "test-1",
        metadata: { created: 7, system_fingerprint: "fp" },
      },
      { content: [{ type: "text", index: 0, text: "lo" }] },
      { content: [], finishReason: "stop", providerFinishReason: "stop" },
      { content: [], usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 } },
    ]);
  });

  test("yields the id of an answer without content or a finish reason", async () => {
    const chunks = await chunksOf([delta({ role: "assistant" }), "[DONE]"]);
    expect(chunks).toEqual([{ content: [], id: "chatcmpl-1", model: "test-1" }]);
  });

  test("yields the creation time once, even if the server changes it", async () => {
    const chunks = await chunksOf([
      { ...content("a"), created: 7 },
      { ...content("b"), created: 8 },
      finish(),
    ]);
    expect(chunks.map(({ metadata }) => metadata)).toEqual([{ created: 7 }, undefined, undefined]);
  });

  test("reads server-sent events, split at any byte", async () => {
    const payloads = [
      content("Grüße"),
      tool({ id: "1", index: 0 }, { name: "f", arguments: '{"a":"ü"}' }),
      finish(),
    ];
    const wire = `${payloads.map((payload) => `data: ${JSON.stringify(payload)}\n\n`).join("")}data: [DONE]\n\n`;
    const whole = await chunksOf(payloads);
    for (const pieces of everyWay(new TextEncoder().encode(wire), { count: 30 })) {
      expect(await collect(pipe(from(pieces), decodeSse(), decodeOpenAIChat()))).toEqual(whole);
    }
  });

  test("stops reading at the end marker, and closes the source", async () => {
    let closed = 0;
    async function* endless(): AsyncGenerator<OpenAIChatPayload> {
      try {
        yield* [content("a"), finish(), "[DONE]"];
        for (;;) yield content("never");
      } finally {
        closed++;
      }
    }
    expect((await collect(pipe(endless(), decodeOpenAIChat()))).map(textOf)).toEqual(["a", ""]);
    expect(closed).toBe(1);
  });

  test("accepts either the end marker or a finish reason as the end", async () => {
    expect(await chunksOf([content("a"), "[DONE]"])).toHaveLength(1);
    expect(await chunksOf([content("a"), finish()])).toHaveLength(2);
  });

  test("reads the first choice of several", async () => {
    const second = {
      choices: [
        { index: 1, delta: { content: "no" } },
        { index: 0, delta: { content: "yes" } },
      ],
    };
    expect(textOf(await messageOf(second))).toBe("yes");
  });

  test("tolerates nulls, absent and unknown fields everywhere", async () => {
    const nothing = [
      {
        id: null,
        model: null,
        choices: [{ index: null, delta: null, finish_reason: null }],
        usage: null,
        error: null,
      },
      {
        choices: [{ delta: { role: null, content: null, tool_calls: null, reasoning: null, refusal: null } }],
      },
      { choices: [{ delta: { tool_calls: [null, 7, {}] } }] },
      { choices: null },
      { choices: [], prompt_filter_results: [{}] },
      { choices: [null] },
      {},
      { choices: [{ text: "old" }] },
    ];
    const message = await messageOf(content("a"), ...nothing, content("b"));
    expect(textOf(message)).toBe("ab");
    expect(message.id).toBe("chatcmpl-1");
  });

  test("reads a complete message if the server sends no delta", async () => {
    const message = { role: "assistant", content: "all", tool_calls: null };
    expect(textOf(await messageOf({ choices: [{ index: 0, message, finish_reason: "stop" }] }))).toBe("all");
  });

  test("separates a refusal from the text", async () => {
    const message = await messageOf(delta({ refusal: "I can" }), delta({ refusal: "not." }));
    expect(message).toMatchObject({ content: [], refusal: "I cannot." });
  });
});

describe("reasoning is read from", () => {
  const field = { metadata: { type: "reasoning_content" } };
  test.each([
    ["reasoning_content", [{ reasoning_content: "a" }, { reasoning_content: "b", content: null }], field],
    ["reasoning", [{ reasoning: "a" }, { reasoning: "b", content: "" }], { metadata: { type: "reasoning" } }],
    [
      "two fields, if a server sends all of it twice",
      [
        { reasoning_content: "a", reasoning: "a" },
        { reasoning_content: "", reasoning: "b" },
      ],
      field,
    ],
    [
      "typed parts of the content",
      [
        { content: [{ type: "thinking", thinking: [{ type: "text", text: "a" }] }] },
        { content: [{ type: "thinking", thinking: "b" }] },
      ],
      {},
    ],
  ])("%s", async (_, deltas, metadata) => {
    const message = await messageOf(...deltas.map((fields) => delta(fields)), delta({ content: "c" }));
    expect(message.content).toEqual([
      { type: "reasoning", reasoning: "ab", ...metadata },
      { type: "text", text: "c" },
    ]);
    expect(reasoningOf(message)).toBe("ab");
  });

  test("typed content parts that mix text and reasoning", async () => {
    const parts = [
      { type: "thinking", thinking: "a" },
      { type: "text", text: "b" },
      { type: "reference" },
      null,
    ];
    expect((await messageOf(delta({ content: parts }))).content).toEqual([
      { type: "reasoning", reasoning: "a" },
      { type: "text", text: "b" },
      { type: "non_standard", value: { type: "reference" } },
    ]);
  });
});

describe("other parts of a message:", () => {
  test("speech, with its transcript", async () => {
    expect(
      (
        await messageOf(
          delta({ audio: { id: "audio_1", transcript: "Hel" } }),
          delta({ audio: { data: "QQ==" } }),
          delta({ audio: { transcript: "lo", data: "Qg==" } }),
          delta({ audio: { expires_at: 7 } }),
        )
      ).content,
    ).toEqual([
      {
        type: "audio",
        data: "QUI=",
        transcript: "Hello",
        metadata: { id: "audio_1", expires_at: 7 },
      },
    ]);
  });

  test("citations, on the text", async () => {
    const url_citation = { url: "https://a.example", title: "A", start_index: 0, end_index: 2 };
    const other = { type: "of_the_future" };
    expect(
      (
        await messageOf(
          content("ab"),
          delta({ annotations: [{ type: "url_citation", url_citation }] }),
          delta({ annotations: [other] }),
        )
      ).content,
    ).toEqual([
      {
        type: "text",
        text: "ab",
        annotations: [
          { type: "citation", url: "https://a.example", title: "A", startIndex: 0, endIndex: 2 },
          { type: "non_standard_annotation", value: other },
        ],
      },
    ]);
  });

  test("token log probabilities, which are concatenated", async () => {
    const token = (token: string): object => ({ token, logprob: -1, top_logprobs: [] });
    const choice = (fields: object, logprobs: unknown, finish_reason: string | null = null): object => ({
      choices: [{ index: 0, delta: fields, logprobs, finish_reason }],
    });
    const chunks = await chunksOf([
      choice({ content: "a" }, { content: [token("a")], refusal: null }),
      choice({ content: "b" }, { content: [token("b")], refusal: [] }),
      choice({ refusal: "c" }, { content: null, refusal: [token("c")] }),
      choice({ content: "d" }, null),
      choice({}, null, "stop"),
    ]);
    expect(chunks.map(({ metadataDelta }) => metadataDelta)).toEqual([
      { logprobs: [token("a")] },
      { logprobs: [token("b")] },
      { refusal_logprobs: [token("c")] },
      undefined,
      undefined,
    ]);
    expect((await last(pipe(from(chunks), mergeChunks())))?.metadata).toEqual({
      logprobs: [token("a"), token("b")],
      refusal_logprobs: [token("c")],
    });
  });

  test("images, in the format of OpenRouter", async () => {
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } };
    const other = { type: "of_the_future" };
    expect((await messageOf(delta({ images: [image, other] }), delta({ content: [image] }))).content).toEqual(
      [
        { type: "image", url: "data:image/png;base64,AA==" },
        { type: "non_standard", value: other },
        { type: "image", url: "data:image/png;base64,AA==" },
      ],
    );
  });

  test("a function_call, the predecessor of tool_calls", async () => {
    expect(
      (
        await messageOf(
          delta({ function_call: { name: "f", arguments: "" } }),
          delta({ function_call: { arguments: '{"a":' } }),
          delta({ function_call: { arguments: "1}" } }),
        )
      ).content,
    ).toMatchObject([{ type: "tool_call", name: "f", args: { a: 1 } }]);
  });

  test("unknown fields of a call are in its metadata", async () => {
    const extra_content = { google: { thought_signature: "SIG" } };
    const { content } = await messageOf(
      tool({ index: 0, id: "1", type: "function", extra_content }, { name: "f", arguments: "{" }),
      tool({ index: 0, extra_content: null, other: 1 }, { arguments: "}" }),
      tool({ index: 0, last: true }),
    );
    const metadata = { tool_call: { extra_content, other: 1, last: true } };
    expect(content).toEqual([{ type: "tool_call", id: "1", name: "f", args: {}, metadata }]);
    const many = Array.from({ length: 300 }, (_, i) => tool({ index: 0, [`f${i}`]: 1 }));
    expect(await errorOf(...many)).toMatchObject({ code: "protocol" });
  });

  test("unknown fields of the message, the choice and the delta are metadata", async () => {
    const { metadata } = await messageOf(
      { ...content("a"), citations: ["https://a.example"], object: "chat.completion.chunk" },
      { ...content("b"), provider: "Host", obfuscation: "xyz", citations: ["https://a.example"] },
      delta({ reasoning_details: [{ type: "reasoning.text", text: "Hm" }] }),
      { choices: [{ index: 0, delta: { content: "c" }, content_filter_results: { hate: "safe" } }] },
      delta({ content: "d", reasoning_details: [{ type: "reasoning.encrypted", data: "gAAAA" }] }),
    );
    expect(metadata).toEqual({
      citations: ["https://a.example"],
      provider: "Host",
      content_filter_results: { hate: "safe" },
      reasoning_details: [
        { type: "reasoning.text", text: "Hm" },
        { type: "reasoning.encrypted", data: "gAAAA" },
      ],
    });
  });
});

describe("tool calls are complete when a server", () => {
  const cases: readonly {
    name: string;
    payloads: readonly object[];
    calls: readonly (readonly [string, string, object])[];
  }[] = [
    {
      name: "sends id and name once, and splits the arguments",
      payloads: [
        tool({ index: 0, id: "1" }, { name: "f", arguments: "" }),
        tool({ index: 0 }, { arguments: '{"a":' }),
        tool({ index: 0 }, { arguments: "1}" }),
      ],
      calls: [["1", "f", { a: 1 }]],
    },
    {
      name: "splits a name",
      payloads: [
        tool({ index: 0, id: "1" }, { name: "get_" }),
        tool({ index: 0 }, { name: "weather", arguments: "{}" }),
      ],
      calls: [["1", "get_weather", {}]],
    },
    {
      name: "splits a name into equal halves",
      payloads: [
        tool({ index: 0, id: "1" }, { name: "do" }),
        tool({ index: 0 }, { name: "do", arguments: "{}" }),
      ],
      calls: [["1", "dodo", {}]],
    },
    {
      name: "repeats id and name with each delta",
      payloads: [
        tool({ index: 0, id: "1" }, { name: "f" }),
        tool({ index: 0, id: "1" }, { name: "f", arguments: '{"a"' }),
        tool({ index: 0, id: "1" }, { name: "f", arguments: ":1}" }),
      ],
      calls: [["1", "f", { a: 1 }]],
    },
    {
      name: "repeats the name without the id",
      payloads: [
        tool({ index: 0, id: "1" }, { name: "f", arguments: '{"a"' }),
        tool({ index: 0 }, { name: "f", arguments: ":1}" }),
      ],
      calls: [["1", "f", { a: 1 }]],
    },
    {
      name: "sends id and name as empty or null after the first",
      payloads: [
        tool({ index: 0, id: "1" }, { name: "f", arguments: null }),
        tool({ index: 0, id: "" }, { name: null, arguments: '{"a"' }),
        tool({ index: 0, id: null, type: null }, { name: "", arguments: ":1}" }),
      ],
      calls: [["1", "f", { a: 1 }]],
    },
    {
      name: "uses the same index for two calls",
      payloads: [
        tool({ index: 0, id: "1" }, { name: "f", arguments: "{}" }),
        tool({ index: 0, id: "2" }, { name: "f", arguments: '{"a"' }),
        tool({ index: 0 }, { arguments: ":1}" }),
      ],
      calls: [
        ["1", "f", {}],
        ["2", "f", { a: 1 }],
      ],
    },
    {
      name: "sends no index",
      payloads: [
        tool({ id: "1" }, { name: "f", arguments: '{"a"' }),
        tool({}, { arguments: ":1}" }),
        tool({ id: "2" }, { name: "g", arguments: "{}" }),
      ],
      calls: [
        ["1", "f", { a: 1 }],
        ["2", "g", {}],
      ],
    },
    {
      name: "sends no id",
      payloads: [
        tool({ index: 0 }, { name: "f", arguments: "{}" }),
        tool({ index: 1 }, { name: "f", arguments: '{"a":1}' }),
      ],
      calls: [
        ["chatcmpl-1_0", "f", {}],
        ["chatcmpl-1_1", "f", { a: 1 }],
      ],
    },
    {
      name: "sends neither index nor id",
      payloads: [tool({}, { name: "f", arguments: "{}" }), tool({}, { name: "g", arguments: '{"a":1}' })],
      calls: [
        ["chatcmpl-1_0", "f", {}],
        ["chatcmpl-1_1", "g", { a: 1 }],
      ],
    },
    {
      name: "sends calls of one tool without ids, one after the other",
      payloads: [
        tool({}, { name: "f", arguments: '{"a":"{\\"' }),
        tool({}, { name: "f", arguments: '{"}' }),
        tool({ index: 0, id: "" }, { name: "f", arguments: '{"a":2}' }),
        tool({}, { name: "f", arguments: '{"a":3' }),
        tool({}, { name: "f", arguments: "}" }),
        tool({}, { name: "f", arguments: " " }),
      ],
      calls: [
        ["chatcmpl-1_0", "f", { a: '{"{' }],
        ["chatcmpl-1_1", "f", { a: 2 }],
        ["chatcmpl-1_2", "f", { a: 3 }],
      ],
    },
    {
      name: "sends a call without arguments before another, without ids",
      payloads: [tool({}, { name: "no" }), tool({}, { name: "w", arguments: '{"a":1}' })],
      calls: [
        ["chatcmpl-1_0", "no", {}],
        ["chatcmpl-1_1", "w", { a: 1 }],
      ],
    },
    {
      name: "splits a name without an id",
      payloads: [
        tool({ index: 0 }, { name: "get_" }),
        tool({ index: 0 }, { name: "weather", arguments: '{"a"' }),
        tool({ index: 0 }, { arguments: ":1}" }),
      ],
      calls: [["chatcmpl-1_0", "get_weather", { a: 1 }]],
    },
    {
      name: "repeats the name before the arguments, without an id",
      payloads: [tool({}, { name: "f" }), tool({}, { name: "f", arguments: '{"a":1}' })],
      calls: [["chatcmpl-1_0", "f", { a: 1 }]],
    },
    {
      name: "counts from 1, after a text",
      payloads: [content("a"), tool({ index: 1, id: "1" }, { name: "f", arguments: "{}" })],
      calls: [["1", "f", {}]],
    },
    {
      name: "interleaves several calls",
      payloads: [
        delta({
          tool_calls: [
            { index: 0, id: "1", function: { name: "f", arguments: "{" } },
            { index: 1, id: "2", function: { name: "g", arguments: "{" } },
          ],
        }),
        delta({
          tool_calls: [
            { index: 1, function: { arguments: '"b":2}' } },
            { index: 0, function: { arguments: '"a":1}' } },
          ],
        }),
      ],
      calls: [
        ["1", "f", { a: 1 }],
        ["2", "g", { b: 2 }],
      ],
    },
    {
      name: "sends several calls at once, without ids and indexes",
      payloads: [
        delta({
          tool_calls: [
            { function: { name: "f", arguments: '{"a":1}' } },
            { function: { name: "f", arguments: '{"a":2}' } },
          ],
        }),
      ],
      calls: [
        ["chatcmpl-1_0", "f", { a: 1 }],
        ["chatcmpl-1_1", "f", { a: 2 }],
      ],
    },
    {
      name: "sends several calls without arguments at once, at the same index",
      payloads: [
        delta({
          tool_calls: [
            { index: 0, id: "", function: { name: "ping" } },
            { index: 0, id: "", function: { name: "pong" } },
          ],
        }),
        tool({ index: 0 }, { arguments: "{}" }),
      ],
      calls: [
        ["chatcmpl-1_0", "ping", {}],
        ["chatcmpl-1_1", "pong", {}],
      ],
    },
    {
      name: "sends several pieces of a call at once",
      payloads: [
        delta({
          tool_calls: [
            { index: 0, id: "1", function: { name: "f", arguments: '{"a"' } },
            { index: 0, id: "1", function: { name: "f", arguments: ":1}" } },
          ],
        }),
      ],
      calls: [["1", "f", { a: 1 }]],
    },
    {
      name: "sends the arguments as an object",
      payloads: [tool({ index: 0, id: "1" }, { name: "f", arguments: { a: 1 } })],
      calls: [["1", "f", { a: 1 }]],
    },
    {
      name: "sends no arguments",
      payloads: [
        tool({ index: 0, id: "1" }, { name: "f", arguments: "" }),
        tool({ index: 1, id: "2" }, { name: "g" }),
      ],
      calls: [
        ["1", "f", {}],
        ["2", "g", {}],
      ],
    },
  ];
  test.each(cases)("$name", async ({ payloads, calls }) => {
    const message = await messageOf(...payloads);
    expect(toolCallsOf(message).map(({ id, name, args }) => [id, name, args])).toEqual(calls);
    expect(message.content.filter(({ type }) => type === "invalid_tool_call")).toEqual([]);
  });
});

test.each([
  { choices: 7 },
  { choices: [7] },
  { choices: [{ index: 0, delta: "0" }] },
  delta({ tool_calls: 7 }),
  delta({ tool_calls: [7] }),
  delta({ tool_calls: [{ index: 0, function: 7 }] }),
])("a call is invalid if a piece of it may be lost: %j", async (damaged) => {
  const message = await messageOf(
    tool({ index: 0, id: "1" }, { name: "f", arguments: '{"a": 7' }),
    damaged,
    tool({ index: 0 }, { arguments: "}" }),
  );
  expect(message.content).toMatchObject([{ type: "invalid_tool_call", id: "1", args: '{"a": 7}' }]);
});

describe("the finish reason", () => {
  test.each([
    ["stop", "stop"],
    ["length", "length"],
    ["model_length", "length"],
    ["tool_calls", "tool_calls"],
    ["function_call", "tool_calls"],
    ["content_filter", "content_filter"],
    ["constructor", "other"],
  ])("%s is %s, and the provider's own is kept", async (word, reason) => {
    expect((await chunksOf([content("a"), finish(word)])).at(-1)).toEqual({
      content: [],
      finishReason: reason,
      providerFinishReason: word,
    });
  });

  test("is neither duplicated nor removed by a repetition, null or an empty string", async () => {
    const message = await messageOf(
      content("a"),
      finish("length"),
      finish("length"),
      finish(""),
      content("b"),
    );
    expect(message.providerFinishReason).toBe("stop");
    expect(
      (await chunksOf([content("a"), finish("")].concat("[DONE]" as never))).at(-1)?.finishReason,
    ).toBeUndefined();
  });
});

test("usage is read with its details, at any position", async () => {
  const usage = {
    prompt_tokens: 10,
    completion_tokens: 5,
    prompt_tokens_details: { cached_tokens: 4, audio_tokens: 1 },
    completion_tokens_details: { reasoning_tokens: 3, audio_tokens: 2 },
  };
  const expected = {
    inputTokens: 10,
    outputTokens: 5,
    totalTokens: 15,
    details: { cacheReadTokens: 4, reasoningTokens: 3, inputAudioTokens: 1, outputAudioTokens: 2 },
  };
  expect((await messageOf(content("a"), { choices: [], usage })).usage).toEqual(expected);
  expect((await messageOf({ ...content("a"), usage }, { ...content("b"), usage: null })).usage).toEqual(
    expected,
  );
  expect(
    (await messageOf(content("a"), { choices: [], x_groq: { usage: { total_tokens: 3 } } })).usage,
  ).toEqual({ totalTokens: 3 });
  expect(
    (await messageOf(content("a"), { choices: [], usage: { prompt_cache_hit_tokens: 1 } })).usage,
  ).toEqual({
    details: { cacheReadTokens: 1 },
  });
  expect((await messageOf(content("a"), { choices: [], usage: {} })).usage).toBeUndefined();
});

describe("an error in the stream is a ModelError", () => {
  test.each([
    [
      "of OpenAI",
      { error: { message: "Too fast", type: "requests", code: "rate_limit_exceeded" } },
      "Too fast",
      "rate_limit_exceeded",
      true,
    ],
    [
      "of OpenAI without a code",
      { error: { message: "Oh", type: "server_error", code: null } },
      "Oh",
      "server_error",
      true,
    ],
    [
      "of OpenRouter",
      { choices: [{ delta: {}, finish_reason: "error" }], error: { message: "Bad", code: 502 } },
      "Bad",
      "502",
      true,
    ],
    [
      "of OpenRouter, in its choice",
      { choices: [{ delta: {}, finish_reason: "error", error: { message: "Bad", code: 502 } }] },
      "Bad",
      "502",
      true,
    ],
    [
      "of OpenRouter, in its choice, about the request",
      { choices: [{ delta: {}, finish_reason: "error", error: { message: "No credit", code: 402 } }] },
      "No credit",
      "402",
      false,
    ],
    [
      "of the provider behind OpenRouter",
      { choices: [{ delta: {}, finish_reason: "stop", native_finish_reason: "MALFORMED_FUNCTION_CALL" }] },
      "MALFORMED_FUNCTION_CALL",
      "MALFORMED_FUNCTION_CALL",
      true,
    ],
    ["of Ollama", { error: "no such model" }, "no such model", undefined, false],
    [
      "of vLLM",
      { object: "error", message: "Too long", type: "BadRequestError", code: 400 },
      "Too long",
      "BadRequestError",
      false,
    ],
    ["of FastAPI", { detail: "Not allowed" }, "Not allowed", undefined, false],
    ["without a message", { error: { a: 1 } }, '{"a":1}', undefined, false],
  ])("%s", async (_, payload, message, providerCode, retryable) => {
    const error = await errorOf(content("a"), payload);
    expect(error).toMatchObject({ code: "provider", retryable });
    expect(error.providerCode).toBe(providerCode);
    expect(error.message).toContain(message);
  });

  test.each([
    ["the payload", {}, { error: { message: "Bad", code: 502 } }],
    ["the choice", { error: { message: "Bad", code: 502 } }, {}],
  ])("after the content that arrived with it in %s", async (_, inChoice, inPayload) => {
    const choice = { index: 0, delta: { content: "b" }, finish_reason: "error", ...inChoice };
    const payloads = [content("a"), { choices: [choice], ...inPayload }] as OpenAIChatPayload[];
    const texts: string[] = [];
    const reading = (async () => {
      for await (const chunk of pipe(from(payloads), decodeOpenAIChat())) texts.push(textOf(chunk));
    })();
    await expect(reading).rejects.toMatchObject({ code: "provider", status: 502, retryable: true });
    expect(texts).toEqual(["a", "b"]);
  });

  test("as an event named error, with or without JSON", async () => {
    expect(
      await errorOf({ event: "error", data: '{"message":"Overloaded","type":"overloaded_error"}' }),
    ).toMatchObject({
      code: "provider",
      providerCode: "overloaded_error",
      retryable: true,
    });
    expect((await errorOf({ event: "error", data: "busy" })).message).toMatch(/busy$/);
  });
});

describe("a stream is rejected", () => {
  // G-models-9
  test("that ends in the middle of the message", async () => {
    const error = await errorOf(content("a"));
    expect(error).toMatchObject({ code: "cut", retryable: true });
  });

  test("that ends before the message begins", async () => {
    expect(await errorOf()).toMatchObject({ code: "cut", retryable: true });
    expect(await errorOf({ choices: [] })).toMatchObject({ code: "cut" });
  });

  test("that ends without an answer", async () => {
    expect(await errorOf("[DONE]")).toMatchObject({ code: "protocol", retryable: false });
  });

  // G-models-9
  test("that ends inside an event", async () => {
    expect(await errorOf({ data: '{"choices":[{"delta":{"content":"Hel' })).toMatchObject({ code: "cut" });
  });

  test.each([
    ["no JSON", { data: "hello" }],
    ["broken JSON", { data: '{"choices": nope}' }],
    ["a number as JSON", { data: "7" }],
    ["a number", 7],
    ["null", null],
    ["an array", [{}]],
  ])("whose payload is %s", async (_, payload) => {
    const error = await errorOf(content("a"), payload);
    expect(error.code).toBe("protocol");
    expect(error.message).toMatch(/: ./);
  });

  test("with only the start of the received text", async () => {
    const error = await errorOf({ data: "x".repeat(10_000) });
    expect(error.excerpt).toHaveLength(301);
    expect(error.message.length).toBeLessThan(400);
  });
});

test("no event changes earlier content, whatever the server adds", async () => {
  const word = fc.constantFrom("a", "b", '"', "\u20ac");
  const own = fc.option(
    fc.oneof(word, fc.record({ note: word, list: fc.array(fc.record({ word })) }), fc.array(word)),
    { nil: undefined },
  );
  const call = fc.record({ index: fc.nat(1), function: fc.record({ arguments: word }), extra: own });
  const part = fc.oneof(
    fc.record({ type: fc.constant("text"), text: word }),
    fc.record({ type: fc.constant("other"), other: word }),
  );
  const payload = fc.record({
    id: word,
    choices: fc.tuple(
      fc.record({
        index: fc.constant(0),
        delta: fc.record(
          {
            content: fc.oneof(word, fc.array(part)),
            tool_calls: fc.array(call, { maxLength: 1 }),
            reasoning_details: fc.array(fc.record({ text: word })),
            images: fc.array(fc.record({ type: word })),
            annotations: fc.array(fc.record({ type: word, more: own })),
            own,
          },
          { requiredKeys: [] },
        ),
        own,
      }),
    ),
    own,
  });
  // Like the events of a stream, in which one word changes.
  const alike = fc
    .tuple(payload, fc.nat(), fc.array(word, { minLength: 4, maxLength: 6 }))
    .map(([first, which, words]) => {
      const count = JSON.stringify(first).match(/"(?:[ab€]|\\")"/gu)?.length ?? 1;
      return words.map((other): unknown => {
        let seen = 0;
        return JSON.parse(JSON.stringify(first), (_key, value: unknown) =>
          ["a", "b", "€", '"'].includes(value as string) && seen++ === which % count ? other : value,
        );
      });
    });
  await fc.assert(
    fc.asyncProperty(fc.array(alike, { maxLength: 4 }), async (runs) => {
      const payloads = [...runs.flat(), finish()];
      const events = payloads.map((it) => `data: ${JSON.stringify(it)}\n\n`).join("");
      const decoded = await collect(pipe(from([events]), decodeSse(), decodeOpenAIChat()));
      expect(decoded).toEqual(await chunksOf(structuredClone(payloads)));
    }),
    { numRuns: 500 },
  );
});

test("arguments that come before the name of their call wait for it", async () => {
  const piece = (fields: object): object => delta({ tool_calls: [{ index: 0, ...fields }] });
  const payloads = [
    piece({ id: "c1", function: { arguments: '{"city":' } }),
    piece({ function: { arguments: '"Oslo"' } }),
    piece({ function: { name: "weather" } }),
    piece({ function: { arguments: "}" } }),
  ];
  const call = { type: "tool_call", id: "c1", name: "weather", args: { city: "Oslo" } };
  expect((await messageOf(...payloads)).content).toEqual([call]);
  const unnamed = await messageOf(...payloads.slice(0, 2));
  expect(unnamed.content).toMatchObject([{ id: "c1", args: '{"city":"Oslo"' }]);
});
