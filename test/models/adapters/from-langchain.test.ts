import { describe, expect, test } from "vitest";
import {
  type AssistantMessage,
  collect,
  from,
  last,
  mergeChunks,
  pipe,
  take,
  textOf,
  toolCallsOf,
} from "millrace";
import { fromLangChain, type LangChainChunk } from "millrace/models";
import { spySource } from "millrace/testing";
import { loadLangChain } from "../support/untyped-peers.js";

const { AIMessage, AIMessageChunk, FakeListChatModel, FakeStreamingChatModel } = await loadLangChain();

/** The merged message of LangChain chunks with these fields. */
async function merged(...fields: readonly (object | string)[]): Promise<AssistantMessage> {
  const message = await last(
    pipe(fromLangChain(from(fields.map((one) => new AIMessageChunk(one)))), mergeChunks()),
  );
  if (message === undefined) throw new Error("no chunk");
  return message;
}

describe("the stream of a chat model", () => {
  test("of strings is the text", async () => {
    const model = new FakeListChatModel({ responses: ["Hello there"] });
    const message = await last(pipe(fromLangChain(await model.stream("Hi")), mergeChunks()));
    expect(message).toMatchObject({ role: "assistant", content: [{ type: "text", text: "Hello there" }] });
  });

  test("of chunks yields the chunks", async () => {
    const chunks = ["Hel", "lo"].map((content) => new AIMessageChunk({ content }));
    const model = new FakeStreamingChatModel({ chunks, sleep: 0 });
    const read = await collect(fromLangChain(await model.stream("Hi")));
    expect(read.map(textOf).filter((text) => text !== "")).toEqual(["Hel", "lo"]);
  });

  test("is read incrementally, with its metadata", async () => {
    const chunks = ["Hel", "lo"].map(
      (content) => new AIMessageChunk({ content, response_metadata: { model_name: "m-1", region: "eu" } }),
    );
    chunks.push(new AIMessageChunk({ content: "", response_metadata: { finish_reason: "length" } }));
    const read = await collect(fromLangChain(from(chunks)));
    const [first, second] = read;
    expect(first?.content).toEqual([{ type: "text", index: 0, text: "Hel" }]);
    expect(first).toMatchObject({ model: "m-1", metadata: { region: "eu" } });
    expect(second).toEqual({ content: [{ type: "text", index: 0, text: "lo" }] });
    expect(await last(pipe(from(read), mergeChunks()))).toMatchObject({
      content: [{ type: "text", text: "Hello" }],
      finishReason: "length",
      providerFinishReason: "length",
    });
  });

  test("has the log probabilities of all tokens at the end", async () => {
    const chunks = ["a", "b"].map(
      (content) =>
        new AIMessageChunk({
          content,
          response_metadata: { logprobs: { content: [{ token: content }], refusal: null } },
        }),
    );
    const message = await last(pipe(fromLangChain(from(chunks)), mergeChunks()));
    expect(message?.metadata).toEqual({ logprobs: [{ token: "a" }, { token: "b" }] });
  });

  test("is closed when the reader leaves", async () => {
    const source = spySource<LangChainChunk>([{ content: "a" }, { content: "b" }]);
    await collect(pipe(fromLangChain(source), take(1)));
    expect(source.returns).toBe(1);
  });

  test("fails with its own error", async () => {
    const error = new Error("of LangChain");
    const source = spySource<LangChainChunk>([{ content: "a" }], { then: { error } });
    expect(await collect(fromLangChain(source)).catch((reason: unknown) => reason)).toBe(error);
  });

  test.each([["text"], [null], [{ type: "text-delta" }], [[{ content: "a" }, {}]]])(
    "of %j are rejected",
    async (item) => {
      const stream = fromLangChain(from([item as unknown as LangChainChunk]));
      const error: unknown = await collect(stream).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ name: "ModelError", code: "protocol" });
    },
  );
});

describe("tool calls", () => {
  test("are merged from their chunks", async () => {
    const chunk = (index: number, fields: object): object => ({
      content: "",
      tool_call_chunks: [{ type: "tool_call_chunk", index, ...fields }],
    });
    const message = await merged(
      chunk(1, { id: "a", name: "look", args: '{"at":' }),
      chunk(1, { args: '"x"}' }),
      chunk(2, { id: "b", name: "wait", args: "" }),
      chunk(1, { id: "c", name: "look", args: "{}" }),
    );
    expect(toolCallsOf(message)).toEqual([
      { id: "a", name: "look", args: { at: "x" } },
      { id: "b", name: "wait", args: {} },
      { id: "c", name: "look", args: {} },
    ]);
  });

  test("that arrive complete stay separate, even two with one name and no ids", async () => {
    const call = { name: "look", args: { at: "x" } };
    const whole = new AIMessage({ content: "", tool_calls: [call, call, { ...call, id: "c" }] });
    const message = await last(pipe(fromLangChain(from([whole])), mergeChunks()));
    expect(message && toolCallsOf(message)).toMatchObject([call, call, { ...call, id: "c" }]);
    expect(new Set(message && toolCallsOf(message).map(({ id }) => id)).size).toBe(3);
  });

  test("that are invalid keep their text", async () => {
    const broken = { name: "look", args: '{"at":', id: "a", error: "cut" };
    const whole = new AIMessage({ content: "", tool_calls: [], invalid_tool_calls: [broken] });
    const message = await last(pipe(fromLangChain(from([whole])), mergeChunks()));
    expect(message?.content).toMatchObject([{ type: "invalid_tool_call", id: "a", args: '{"at":' }]);
  });

  test.each([7, [7]])("are invalid if a piece of them may be lost: %j", async (damaged) => {
    const message = await merged(
      { content: "", tool_call_chunks: [{ index: 0, id: "a", name: "f", args: '{"a": 7' }] },
      { content: "", tool_call_chunks: damaged },
      { content: "", tool_call_chunks: [{ index: 0, args: "}" }] },
    );
    expect(message?.content).toMatchObject([{ type: "invalid_tool_call", args: '{"a": 7}' }]);
  });

  test("are not duplicated if the content repeats them", async () => {
    const message = await merged(
      {
        content: [{ type: "tool_use", index: 1, id: "a", name: "look", input: "" }],
        tool_call_chunks: [{ index: 1, id: "a", name: "look", args: "" }],
      },
      {
        content: [{ type: "input_json_delta", index: 1, input: '{"b":1}' }],
        tool_call_chunks: [{ index: 1, args: '{"b":1}' }],
      },
    );
    expect(message.content).toEqual([{ type: "tool_call", id: "a", name: "look", args: { b: 1 } }]);
  });

  test("are read from the content if only it has them", async () => {
    const chunk = (fields: object): LangChainChunk => ({
      content: [{ type: "tool_call_chunk", index: "lc_tool_1", ...fields }],
    });
    const chunks = [
      chunk({ id: "a", name: "look", args: '{"b"' }),
      chunk({ args: ":1}" }),
      chunk({ index: "lc_tool_2", id: "b", name: "wait", args: "{}" }),
    ];
    const message = await last(pipe(fromLangChain(from(chunks)), mergeChunks()));
    expect(message && toolCallsOf(message)).toEqual([
      { id: "a", name: "look", args: { b: 1 } },
      { id: "b", name: "wait", args: {} },
    ]);
  });

  test("do not trigger LangChain's lazy parsing", async () => {
    const chunk = {
      content: "",
      tool_call_chunks: [{ index: 0, id: "a", name: "look", args: "{}" }],
      get tool_calls(): never {
        throw new Error("parsed");
      },
    };
    expect(await collect(fromLangChain(from([chunk])))).toHaveLength(1);
  });
});

describe("usage", () => {
  test("is added up, like in LangChain", async () => {
    const counts = [
      { input_tokens: 10, output_tokens: 1, total_tokens: 11, input_token_details: { cache_read: 4 } },
      {
        input_tokens: 0,
        output_tokens: 6,
        total_tokens: 6,
        input_token_details: { cache_read: 0, cache_creation: 2, audio: 1 },
        output_token_details: { reasoning: 3, audio: 1 },
      },
    ];
    const chunks = counts.map((usage_metadata) => new AIMessageChunk({ content: "a", usage_metadata }));
    const ours = await last(pipe(fromLangChain(from(chunks)), mergeChunks()));
    const [first, second] = chunks as [(typeof chunks)[0], (typeof chunks)[0]];
    expect(first.concat(second).usage_metadata).toMatchObject({ input_tokens: 10, output_tokens: 7 });
    expect(ours?.usage).toEqual({
      inputTokens: 10,
      outputTokens: 7,
      totalTokens: 17,
      details: {
        cacheReadTokens: 4,
        cacheWriteTokens: 2,
        inputAudioTokens: 1,
        reasoningTokens: 3,
        outputAudioTokens: 1,
      },
    });
  });
});

describe("content blocks", () => {
  test("separate texts and reasoning by index", async () => {
    const message = await merged(
      { content: [{ type: "thinking", index: 0, thinking: "H" }] },
      { content: [{ type: "thinking", index: 0, thinking: "m" }] },
      { content: [{ type: "thinking", index: 0, thinking: "", signature: "s" }] },
      { content: [{ type: "text", index: 1, text: "A" }] },
      { content: [{ type: "text", index: 1, text: "B" }] },
      { content: [{ type: "text", index: 2, text: "C" }] },
      { content: [{ type: "reasoning", index: "lc_rs", reasoning: "again" }] },
      { content: [{ type: "redacted_thinking", index: 4, data: "xyz" }] },
    );
    expect(message.content).toEqual([
      { type: "reasoning", reasoning: "Hm", metadata: { signature: "s" } },
      { type: "text", text: "AB" },
      { type: "text", text: "C" },
      { type: "reasoning", reasoning: "again" },
      { type: "reasoning", reasoning: "", metadata: { data: "xyz" } },
    ]);
  });

  test.each([
    [
      "LangChain's",
      "annotations",
      { type: "citation", url: "u", title: "t", citedText: "c", startIndex: 1, endIndex: 2, source: "s" },
      { url: "u", title: "t", citedText: "c", startIndex: 1, endIndex: 2, metadata: { source: "s" } },
    ],
    [
      "OpenAI's",
      "annotations",
      { type: "url_citation", url: "u", title: "t", start_index: 1, end_index: 2 },
      { url: "u", title: "t", startIndex: 1, endIndex: 2 },
    ],
    [
      "Anthropic's",
      "citations",
      { type: "char_location", cited_text: "c", document_title: "t", document_index: 0 },
      { title: "t", citedText: "c", metadata: { document_index: 0 } },
    ],
  ])("keep %s citations", async (_, key, theirs, ours) => {
    const message = await merged({ content: [{ type: "text", text: "a", [key]: [theirs] }] });
    expect(message.content).toEqual([
      { type: "text", text: "a", annotations: [{ type: "citation", ...ours }] },
    ]);
  });

  test("keep unknown annotations and unknown blocks", async () => {
    const message = await merged({
      content: [
        { type: "text", text: "a", annotations: [{ type: "file_path", file_id: "f" }] },
        { type: "hologram", depth: 3 },
        { type: "non_standard", value: { a: 1 } },
      ],
    });
    expect(message.content).toEqual([
      {
        type: "text",
        text: "a",
        annotations: [{ type: "non_standard_annotation", value: { type: "file_path", file_id: "f" } }],
      },
      { type: "non_standard", value: { type: "hologram", depth: 3 } },
      { type: "non_standard", value: { a: 1 } },
    ]);
  });

  test("are media, as base64 or bytes", async () => {
    const message = await merged({
      content: [
        { type: "image", mimeType: "image/png", data: new Uint8Array([0, 0, 255]) },
        { type: "image", source_type: "base64", mime_type: "image/png", data: "AAAA" },
        { type: "audio", index: 3, mimeType: "audio/wav", data: "AAAA" },
        { type: "image_url", image_url: { url: "https://example.com/a.png" } },
        { type: "file", fileId: "f", metadata: { filename: "a.pdf" } },
      ],
    });
    expect(message.content).toMatchObject([
      { type: "image", mimeType: "image/png", data: "AAD/" },
      { type: "image", mimeType: "image/png", data: "AAAA" },
      { type: "audio", mimeType: "audio/wav", data: "AAAA" },
      { type: "image", url: "https://example.com/a.png" },
      { type: "file", fileId: "f", metadata: { filename: "a.pdf" } },
    ]);
  });

  test("are calls of the provider's tools, and their results", async () => {
    const message = await merged({
      content: [
        { type: "server_tool_call", id: "s1", name: "web", args: { q: "x" } },
        { type: "server_tool_call_result", toolCallId: "s1", status: "success", output: { hits: 1 } },
        { type: "server_tool_call", id: "s2", name: "web", args: {} },
      ],
    });
    expect(message.content).toEqual([
      { type: "server_tool_call", id: "s1", name: "web", args: { q: "x" } },
      { type: "server_tool_result", toolCallId: "s1", status: "success", output: { hits: 1 } },
      { type: "server_tool_call", id: "s2", name: "web", args: {} },
    ]);
  });
});

describe("beside the content", () => {
  test("reasoning_content becomes reasoning", async () => {
    const message = await merged(
      { content: "", additional_kwargs: { reasoning_content: "H" } },
      { content: "", additional_kwargs: { reasoning_content: "m" } },
      { content: "Yes", additional_kwargs: { reasoning_content: "" } },
    );
    expect(message.content).toEqual([
      { type: "reasoning", reasoning: "Hm" },
      { type: "text", text: "Yes" },
    ]);
    const summary = [{ type: "summary_text", text: "S" }];
    expect((await merged({ content: "", additional_kwargs: { reasoning: { summary } } })).content).toEqual([
      { type: "reasoning", reasoning: "S" },
    ]);
  });

  test("reasoning that the content repeats is read once", async () => {
    const chunk = (text: string): object => ({
      content: [{ type: "reasoning", reasoning: text, index: 0 }],
      additional_kwargs: {
        reasoning: { type: "reasoning", summary: [{ type: "summary_text", text, index: 0 }] },
      },
    });
    const message = await merged(chunk("H"), chunk("m"), { content: [{ type: "text", text: "Yes" }] });
    expect(message.content).toEqual([
      { type: "reasoning", reasoning: "Hm" },
      { type: "text", text: "Yes" },
    ]);
  });

  test("a refusal is recognized at any position", async () => {
    expect(
      await merged(
        { content: "", additional_kwargs: { refusal: "I " } },
        { content: [{ type: "refusal", refusal: "can't." }] },
      ),
    ).toMatchObject({ refusal: "I can't.", content: [] });
  });

  test.each([
    [{ finish_reason: "stop" }, {}, "stop"],
    [{ stop_reason: "max_tokens" }, {}, "length"],
    [{}, { stop_reason: "tool_use" }, "tool_calls"],
    [{ finishReason: "SAFETY" }, {}, "content_filter"],
    [{ finish_reason: "model_length" }, {}, "length"],
    [{ stop_reason: "model_context_window_exceeded" }, {}, "length"],
    [{ incomplete_details: { reason: "max_output_tokens" } }, {}, "length"],
    [{ incomplete_details: { reason: "content_filter" } }, {}, "content_filter"],
    [{ stopReason: "max_tokens" }, {}, "length"],
    [{ messageStop: { stopReason: "guardrail_intervened" } }, {}, "content_filter"],
    [{ finish_reason: "something" }, {}, "other"],
  ])("the finish reason of %j and %j is %s", async (response_metadata, additional_kwargs, reason) => {
    const message = await merged({ content: "a", response_metadata, additional_kwargs });
    expect(message.finishReason).toBe(reason);
    expect(message.metadata).toBeUndefined();
  });

  test.each([
    ["completed", {}, "stop"],
    ["completed", { tool_calls: [{ id: "1", name: "f", args: {} }] }, "tool_calls"],
    ["incomplete", {}, "other"],
    ["in_progress", {}, undefined],
  ])(
    "the status %s of OpenAI's Responses API with %j is the finish reason %s",
    async (status, fields, reason) => {
      const message = await merged({ content: "a", response_metadata: { status }, ...fields });
      expect(message.finishReason).toBe(reason);
      expect(message.providerFinishReason).toBe(reason && status);
    },
  );

  test("the status failed of OpenAI's Responses API is an error", async () => {
    const failing = merged({ content: "a", response_metadata: { status: "failed" } });
    await expect(failing).rejects.toMatchObject({ code: "provider", providerCode: "failed" });
  });

  test("the first id is kept, and other fields are metadata, yielded once", async () => {
    const fields = { response_metadata: { model_provider: "p" }, additional_kwargs: { thread: "t" } };
    const stream = [1, 2].map((n) => new AIMessageChunk({ content: "a", id: `id-${n}`, ...fields }));
    const [first, second] = await collect(fromLangChain(from(stream)));
    expect(first).toMatchObject({ id: "id-1", metadata: { model_provider: "p", thread: "t" } });
    expect(second?.metadata).toBeUndefined();
    const message = await last(pipe(fromLangChain(from(stream)), mergeChunks()));
    expect(message && textOf(message)).toBe("aa");
    expect(message?.id).toBe("id-1");
  });

  test("an empty chunk yields nothing", async () => {
    expect(await collect(fromLangChain(from([new AIMessageChunk("")])))).toEqual([]);
  });
});
