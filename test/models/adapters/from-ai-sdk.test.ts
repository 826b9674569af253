import { describe, expect, test } from "vitest";
import {
  type AssistantMessage,
  collect,
  from,
  last,
  mergeChunks,
  type MessageChunk,
  ModelError,
  pipe,
  take,
} from "millrace";
import { type AiSdkPart, fromAiSdk } from "millrace/models";
import { spySource } from "millrace/testing";
import { loadAiSdk } from "../support/untyped-peers.js";

const sdk = await loadAiSdk();
(globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;

const usage = {
  inputTokens: { total: 9, noCache: 4, cacheRead: 5, cacheWrite: 1 },
  outputTokens: { total: 7, text: 5, reasoning: 2 },
};
const counted = {
  inputTokens: 9,
  outputTokens: 7,
  totalTokens: 16,
  details: { cacheReadTokens: 5, cacheWriteTokens: 1, reasoningTokens: 2 },
};
const stop = { type: "finish", finishReason: { unified: "stop", raw: "end_turn" }, usage };
const head = { type: "response-metadata", id: "r1", modelId: "m-1" };

/** The fullStream of streamText() with a model that yields these parts, one list per step. */
function fullStream(steps: readonly (readonly object[])[], options: object = {}): AsyncIterable<AiSdkPart> {
  let step = 0;
  const model = new sdk.MockLanguageModelV3({
    doStream: () =>
      Promise.resolve({ stream: sdk.simulateReadableStream({ chunks: steps[step++] as readonly object[] }) }),
  });
  return sdk.streamText({ model, prompt: "Hi", maxRetries: 0, onError: () => {}, ...options }).fullStream;
}

function merged(stream: AsyncIterable<AiSdkPart>): Promise<AssistantMessage | undefined> {
  return last(pipe(fromAiSdk(stream), mergeChunks()));
}

async function outcome(stream: AsyncIterable<AiSdkPart>) {
  const chunks: MessageChunk[] = [];
  try {
    for await (const chunk of fromAiSdk(stream)) chunks.push(chunk);
  } catch (error) {
    return { chunks, error };
  }
  return { chunks, error: undefined };
}

describe("the fullStream of streamText()", () => {
  test("yields texts, reasoning, ids, usage and the finish reason", async () => {
    const message = await merged(
      fullStream([
        [
          head,
          { type: "reasoning-start", id: "0" },
          { type: "reasoning-delta", id: "0", delta: "H" },
          { type: "reasoning-delta", id: "0", delta: "m" },
          { type: "reasoning-end", id: "0", providerMetadata: { anthropic: { signature: "s" } } },
          { type: "text-start", id: "0" },
          { type: "text-delta", id: "0", delta: "Hel" },
          { type: "text-delta", id: "0", delta: "lo" },
          { type: "text-end", id: "0" },
          { type: "text-start", id: "1" },
          { type: "text-delta", id: "1", delta: "again" },
          { type: "text-end", id: "1" },
          { ...stop, providerMetadata: { anthropic: { tier: "x" } } },
        ],
      ]),
    );
    expect(message).toEqual({
      role: "assistant",
      content: [
        { type: "reasoning", reasoning: "Hm", metadata: { anthropic: { signature: "s" } } },
        { type: "text", text: "Hello" },
        { type: "text", text: "again" },
      ],
      id: "r1",
      model: "m-1",
      finishReason: "stop",
      providerFinishReason: "end_turn",
      usage: counted,
      metadata: { anthropic: { tier: "x" } },
    });
  });

  test("yields streamed and complete tool calls", async () => {
    const tools = { look: sdk.tool({ inputSchema: sdk.jsonSchema({ type: "object" }) }) };
    const stream = fullStream(
      [
        [
          { type: "tool-input-start", id: "c1", toolName: "look" },
          { type: "tool-input-delta", id: "c1", delta: '{"a":' },
          { type: "tool-input-delta", id: "c1", delta: "1}" },
          { type: "tool-input-end", id: "c1" },
          { type: "tool-call", toolCallId: "c1", toolName: "look", input: '{"a":1}' },
          { type: "tool-call", toolCallId: "c2", toolName: "look", input: "{}" },
          { type: "finish", finishReason: { unified: "tool-calls", raw: "tool_use" }, usage },
        ],
      ],
      { tools },
    );
    const snapshots = await collect(pipe(fromAiSdk(stream), mergeChunks()));
    expect(snapshots[1]?.content[0]).toMatchObject({ type: "tool_call_chunk", args: '{"a":' });
    expect(snapshots.at(-1)).toMatchObject({
      content: [
        { type: "tool_call", id: "c1", name: "look", args: { a: 1 } },
        { type: "tool_call", id: "c2", name: "look", args: {} },
      ],
      finishReason: "tool_calls",
    });
  });

  test("keeps an invalid call with its text", async () => {
    const tools = { look: sdk.tool({ inputSchema: sdk.jsonSchema({ type: "object" }) }) };
    const message = await merged(
      fullStream([[{ type: "tool-call", toolCallId: "c", toolName: "look", input: '{"a":' }, stop]], {
        tools,
      }),
    );
    expect(message?.content[0]).toMatchObject({
      type: "invalid_tool_call",
      id: "c",
      name: "look",
      args: '{"a":',
    });
  });

  test("yields calls of the provider's tools and their results", async () => {
    const own = { toolName: "web", providerExecuted: true, dynamic: true };
    const message = await merged(
      fullStream([
        [
          { type: "tool-call", toolCallId: "s1", input: '{"q":"x"}', ...own },
          { type: "tool-result", toolCallId: "s1", result: { hits: [1] }, ...own },
          { type: "tool-call", toolCallId: "s2", input: "{}", ...own },
          { type: "tool-result", toolCallId: "s2", result: "no", isError: true, ...own },
          stop,
        ],
      ]),
    );
    expect(message?.content).toEqual([
      { type: "server_tool_call", id: "s1", name: "web", args: { q: "x" } },
      { type: "server_tool_result", toolCallId: "s1", status: "success", output: { hits: [1] } },
      { type: "server_tool_call", id: "s2", name: "web", args: {} },
      { type: "server_tool_result", toolCallId: "s2", status: "error", output: "no" },
    ]);
  });

  test("yields sources as citations of the preceding or first text", async () => {
    const source = (id: string): object => ({
      type: "source",
      sourceType: "url",
      id,
      url: `https://example.com/${id}`,
      title: id,
    });
    const document = {
      type: "source",
      sourceType: "document",
      id: "d",
      title: "Paper",
      mediaType: "application/pdf",
      filename: "p.pdf",
    };
    const words = [
      { type: "text-start", id: "0" },
      { type: "text-delta", id: "0", delta: "Yes" },
    ];
    const cited = (id: string): object => ({
      type: "citation",
      url: `https://example.com/${id}`,
      title: id,
      metadata: { id },
    });
    const end = { type: "text-end", id: "0" };
    const message = await merged(fullStream([[source("a"), ...words, source("b"), document, end, stop]]));
    expect(message?.content).toEqual([
      {
        type: "text",
        text: "Yes",
        annotations: [
          cited("a"),
          cited("b"),
          {
            type: "citation",
            title: "Paper",
            metadata: { id: "d", mediaType: "application/pdf", filename: "p.pdf" },
          },
        ],
      },
    ]);
    const alone = await merged(fullStream([[source("a"), stop]]));
    expect(alone?.content).toEqual([{ type: "text", text: "", annotations: [cited("a")] }]);
  });

  test("yields files as blocks of their type", async () => {
    const kinds = ["image/png", "audio/wav", "video/mp4", "application/pdf"];
    const files = kinds.map((mediaType) => ({ type: "file", mediaType, data: "AAAA" }));
    const message = await merged(fullStream([[...files, { ...files[1], data: "BBBB" }, stop]]));
    expect(message?.content.map(({ type }) => type)).toEqual(["image", "audio", "video", "file", "audio"]);
    expect(message?.content[0]).toEqual({ type: "image", data: "AAAA", mimeType: "image/png" });
    expect(message?.content[4]).toMatchObject({ type: "audio", data: "BBBB", mimeType: "audio/wav" });
  });

  test("is one message for several steps, with separate blocks and the sum of the usage", async () => {
    const look = sdk.tool({
      inputSchema: sdk.jsonSchema({ type: "object" }),
      execute: () => Promise.resolve({ warm: true }),
    });
    const words = (delta: string): object[] => [
      { type: "text-start", id: "0" },
      { type: "text-delta", id: "0", delta },
      { type: "text-end", id: "0" },
    ];
    const call = { type: "tool-call", toolCallId: "c", toolName: "look", input: "{}" };
    const calls = { type: "finish", finishReason: { unified: "tool-calls", raw: "tool_use" }, usage };
    const stream = fullStream(
      [
        [...words("Let me see."), call, calls],
        [...words("Warm."), stop],
      ],
      {
        tools: { look },
        stopWhen: sdk.stepCountIs(3),
      },
    );
    const chunks = await collect(fromAiSdk(stream));
    const message = await last(pipe(from(chunks), mergeChunks()));
    expect(message?.content).toMatchObject([
      { type: "text", text: "Let me see." },
      { type: "tool_call", id: "c" },
      { type: "non_standard", value: { type: "tool-result", toolCallId: "c", output: { warm: true } } },
      { type: "text", text: "Warm." },
    ]);
    expect(message?.usage).toMatchObject({
      inputTokens: 18,
      outputTokens: 14,
      details: { reasoningTokens: 4 },
    });
    expect(chunks.filter(({ usageDelta }) => usageDelta !== undefined)).toHaveLength(2);
    expect(message?.finishReason).toBe("stop");
  });

  test.each([
    ["stop", "stop"],
    ["length", "length"],
    ["content-filter", "content_filter"],
    ["tool-calls", "tool_calls"],
    ["other", "other"],
  ])("maps the finish reason %s to %s", async (unified, ours) => {
    const message = await merged(fullStream([[{ ...stop, finishReason: { unified, raw: undefined } }]]));
    expect(message).toMatchObject({ finishReason: ours, providerFinishReason: unified });
  });

  test.each([undefined, "MALFORMED_FUNCTION_CALL"])(
    "ends with an error for the finish reason error of the provider's %s",
    async (raw) => {
      const failing = merged(fullStream([[{ ...stop, finishReason: { unified: "error", raw } }]]));
      await expect(failing).rejects.toMatchObject({ code: "provider", providerCode: raw ?? "error" });
    },
  );

  test("stores the warnings of a call as metadata", async () => {
    const warnings = [{ type: "unsupported", feature: "seed" }];
    const message = await merged(fullStream([[{ type: "stream-start", warnings }, stop]]));
    expect(message?.metadata).toEqual({ warnings });
  });

  test("ends with an error part after earlier content is yielded", async () => {
    const cause = Object.assign(new Error("overloaded"), { statusCode: 529, isRetryable: true });
    const { chunks, error } = await outcome(
      fullStream([
        [
          { type: "text-start", id: "0" },
          { type: "text-delta", id: "0", delta: "Hel" },
          { type: "error", error: cause },
        ],
      ]),
    );
    expect(chunks).toEqual([{ content: [{ type: "text", index: 0, text: "Hel" }] }]);
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({ code: "provider", status: 529, retryable: true });
    expect((error as ModelError).cause).toBe(cause);
    expect((error as Error).message).toContain("overloaded");
  });

  test("ends with an AbortError when the SDK's signal is aborted", async () => {
    const controller = new AbortController();
    const stream = fullStream([[{ type: "text-start", id: "0" }, stop]], { abortSignal: controller.signal });
    controller.abort();
    expect((await outcome(stream)).error).toMatchObject({ name: "AbortError" });
  });
});

describe("other streams", () => {
  const parts = (...items: unknown[]): AsyncIterable<AiSdkPart> => from(items as AiSdkPart[]);

  test("that end without a finish part are truncated", async () => {
    const { chunks, error } = await outcome(parts({ type: "text-delta", id: "0", text: "Hel" }));
    expect(chunks).toHaveLength(1);
    expect(error).toMatchObject({ code: "cut", retryable: true });
  });

  test.each([["text"], [null], [{ content: "x" }], [7]])("of %j are invalid", async (item) => {
    expect((await outcome(parts(item))).error).toMatchObject({ name: "ModelError", code: "protocol" });
  });

  test("of free text wait for the complete call", async () => {
    const message = await merged(
      parts(
        { type: "tool-input-start", id: "c", toolName: "patch", inputEncoding: "text" },
        { type: "tool-input-delta", id: "c", delta: "*** Begin" },
        { type: "tool-call", toolCallId: "c", toolName: "patch", input: { patch: "*** Begin" } },
        { type: "finish", finishReason: "tool-calls" },
      ),
    );
    expect(message?.content).toEqual([
      { type: "tool_call", id: "c", name: "patch", args: { patch: "*** Begin" } },
    ]);
  });

  test("may reuse an id in the next step for a different block", async () => {
    const words = (text: string): object => ({ type: "text-delta", id: "0", text });
    const thought = { type: "reasoning-delta", id: "0", text: "Hm" };
    const call = (a: number): object => ({
      type: "tool-call",
      toolCallId: "call_0",
      toolName: "f",
      input: { a },
    });
    const step = { type: "start-step" };
    const finish = { type: "finish", finishReason: "stop" };
    const message = await merged(
      parts(step, thought, words("a"), words("b"), call(1), step, thought, words("c"), call(2), finish),
    );
    expect(message?.content).toEqual([
      { type: "reasoning", reasoning: "Hm" },
      { type: "text", text: "ab" },
      { type: "tool_call", id: "call_0", name: "f", args: { a: 1 } },
      { type: "reasoning", reasoning: "Hm" },
      { type: "text", text: "c" },
      { type: "tool_call", id: "call_0_5", name: "f", args: { a: 2 } },
    ]);
  });

  test("have only the final result of a tool, not the preliminary ones", async () => {
    const result = { type: "tool-result", toolCallId: "s", toolName: "web", providerExecuted: true };
    const message = await merged(
      parts(
        { ...result, output: 1, preliminary: true },
        { ...result, output: 2 },
        { type: "finish", finishReason: "stop" },
      ),
    );
    expect(message?.content).toEqual([
      { type: "server_tool_result", toolCallId: "s", status: "success", output: 2 },
    ]);
  });

  test("keep an unknown part", async () => {
    const part = { type: "hologram", data: [1] };
    const message = await merged(parts(part, { type: "finish", finishReason: "stop" }));
    expect(message?.content).toEqual([{ type: "non_standard", value: part }]);
  });

  test("are closed when the reader leaves", async () => {
    const source = spySource<AiSdkPart & object>([
      { type: "text-delta", id: "0", text: "a" } as AiSdkPart,
      { type: "text-delta", id: "0", text: "b" } as AiSdkPart,
    ]);
    await collect(pipe(fromAiSdk(source), take(1)));
    expect(source.returns).toBe(1);
  });
});
