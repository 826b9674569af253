import { describe, expect, test } from "vitest";
import { from, mergeChunk, mergeChunks, pipe, toAssistantMessage } from "millrace";
import { decodeSse } from "millrace/models";
import { decodeGemini, type GeminiPayload } from "millrace/gemini";
import { operatorLaws } from "millrace/testing";
import { chunksOf, finish, messageOf, parts, text } from "./support.js";

// G-stream-1
describe("parts become blocks:", () => {
  test("consecutive texts are one block, consecutive thoughts another", async () => {
    const message = await messageOf(
      parts({ text: "Let me ", thought: true }, { text: "see.", thought: true }, { text: "It " }),
      text("is 4."),
      finish(),
    );
    expect(message.content).toEqual([
      { type: "reasoning", reasoning: "Let me see." },
      { type: "text", text: "It is 4." },
    ]);
    expect(message).toMatchObject({
      id: "r1",
      model: "test-1",
      finishReason: "stop",
      providerFinishReason: "STOP",
    });
  });

  test("a signature stays with its part, and nothing is appended to that", async () => {
    const { content } = await messageOf(
      text("A"),
      parts({ text: "B", thoughtSignature: "s1" }),
      text("C"),
      parts({ text: "", thoughtSignature: "s2" }),
      parts({ text: "", thoughtSignature: "s3" }),
      finish(),
    );
    expect(content).toEqual([
      { type: "text", text: "AB", metadata: { thoughtSignature: "s1" } },
      { type: "text", text: "C", metadata: { thoughtSignature: "s2" } },
      { type: "text", text: "", metadata: { thoughtSignature: "s3" } },
    ]);
  });

  test("calls arrive complete, with their ids and signatures", async () => {
    const chunks = await chunksOf([
      parts({ text: "I look." }),
      parts(
        { functionCall: { name: "weather", args: { city: "Oslo" }, id: "c1" }, thoughtSignature: "s" },
        { functionCall: { name: "weather", args: { city: "Rom" } } },
        { functionCall: { name: "time" } },
      ),
      finish(),
    ]);
    expect(chunks[1]?.content).toEqual([
      {
        type: "tool_call_chunk",
        index: 1,
        id: "c1",
        name: "weather",
        args: '{"city":"Oslo"}',
        metadata: { thoughtSignature: "s", id: "c1" },
      },
      { type: "tool_call_chunk", index: 2, name: "weather", args: '{"city":"Rom"}' },
      { type: "tool_call_chunk", index: 3, name: "time", args: "{}" },
    ]);
    const message = toAssistantMessage(chunks.reduce(mergeChunk));
    expect(message.finishReason).toBe("tool_calls");
    expect(message.content.slice(1)).toMatchObject([
      { type: "tool_call", id: "c1", args: { city: "Oslo" } },
      { type: "tool_call", id: "r1_2", args: { city: "Rom" } },
      { type: "tool_call", id: "r1_3", args: {} },
    ]);
  });

  test("executed code and its result", async () => {
    const { content } = await messageOf(
      parts({ executableCode: { language: "PYTHON", code: "print(4)" } }),
      parts({ codeExecutionResult: { outcome: "OUTCOME_OK", output: "4\n" } }),
      parts({ executableCode: { id: "x", language: "PYTHON", code: "1/0" }, thoughtSignature: "s" }),
      parts({ codeExecutionResult: { id: "x", outcome: "OUTCOME_FAILED", output: "ZeroDivisionError" } }),
      parts({ toolCall: { id: "t", toolType: "GOOGLE_SEARCH_WEB", args: { q: "a" } } }),
      parts({ toolResponse: { id: "t", toolType: "GOOGLE_SEARCH_WEB", response: { hits: 1 } } }),
      finish(),
    );
    expect(content).toEqual([
      {
        type: "server_tool_call",
        id: "server_call_0",
        name: "code_execution",
        args: { language: "PYTHON", code: "print(4)" },
        metadata: { part: "executableCode" },
      },
      {
        type: "server_tool_result",
        toolCallId: "server_call_0",
        status: "success",
        output: { outcome: "OUTCOME_OK", output: "4\n" },
        metadata: { part: "codeExecutionResult" },
      },
      {
        type: "server_tool_call",
        id: "x",
        name: "code_execution",
        args: { language: "PYTHON", code: "1/0" },
        metadata: { part: "executableCode", id: "x", thoughtSignature: "s" },
      },
      {
        type: "server_tool_result",
        toolCallId: "x",
        status: "error",
        output: { id: "x", outcome: "OUTCOME_FAILED", output: "ZeroDivisionError" },
        metadata: { part: "codeExecutionResult", id: "x" },
      },
      {
        type: "server_tool_call",
        id: "t",
        name: "GOOGLE_SEARCH_WEB",
        args: { q: "a" },
        metadata: { part: "toolCall", id: "t" },
      },
      {
        type: "server_tool_result",
        toolCallId: "t",
        status: "success",
        output: { id: "t", toolType: "GOOGLE_SEARCH_WEB", response: { hits: 1 } },
        metadata: { part: "toolResponse", id: "t" },
      },
    ]);
  });

  test("images and files arrive complete, speech in pieces", async () => {
    const { content } = await messageOf(
      parts({ inlineData: { mimeType: "image/png", data: "AAAA" }, thoughtSignature: "s" }),
      parts({ inlineData: { mimeType: "audio/L16;rate=24000", data: "AA==" } }),
      parts({ inlineData: { mimeType: "audio/L16;rate=24000", data: "AQI=" } }),
      parts({ fileData: { mimeType: "video/mp4", fileUri: "https://x/1" } }),
      parts({ inlineData: { mimeType: "application/pdf", data: "AAAA", displayName: "a.pdf" } }),
      parts({ inlineData: { mimeType: "image/png", data: "BBBB" }, thought: true }),
      finish(),
    );
    expect(content).toEqual([
      { type: "image", mimeType: "image/png", data: "AAAA", metadata: { thoughtSignature: "s" } },
      { type: "audio", mimeType: "audio/L16;rate=24000", data: "AAEC" },
      { type: "video", mimeType: "video/mp4", url: "https://x/1" },
      { type: "file", mimeType: "application/pdf", data: "AAAA", filename: "a.pdf" },
      { type: "image", mimeType: "image/png", data: "BBBB", metadata: { thought: true } },
    ]);
  });

  test("an unknown part is kept unchanged", async () => {
    const part = { hologram: { data: 1 }, thoughtSignature: "s" };
    expect((await messageOf(parts(part, {}, null, 7), finish())).content).toEqual([
      { type: "non_standard", value: part },
    ]);
  });
});

describe("arguments that arrive as patches", () => {
  const call = (functionCall: object): object => parts({ functionCall });
  const patch = (jsonPath: string, stringValue: string, willContinue?: true): object => ({
    jsonPath,
    stringValue,
    willContinue,
  });
  const begin = call({ name: "f", id: "c", willContinue: true });

  test("grow as JSON text, and a part without willContinue ends the call", async () => {
    const chunks = await chunksOf([
      parts({ functionCall: { name: "f", willContinue: true }, thoughtSignature: "s" }),
      call({ partialArgs: [patch("$.city", "Os", true)], willContinue: true }),
      call({ willContinue: true }),
      call({
        partialArgs: [patch("$.city", "lo"), { jsonPath: "$.days", numberValue: 3 }],
        willContinue: true,
      }),
      call({
        partialArgs: [
          { jsonPath: "$.sure", boolValue: true },
          { jsonPath: "$.x", nullValue: "NULL_VALUE" },
          { jsonPath: "$.y" },
        ],
        willContinue: true,
      }),
      call({}),
      finish(),
    ]);
    expect(chunks.flatMap(({ content }) => content)).toEqual([
      { type: "tool_call_chunk", index: 0, name: "f", metadata: { thoughtSignature: "s" } },
      { type: "tool_call_chunk", index: 0, args: '{"city":"Os' },
      { type: "tool_call_chunk", index: 0, args: 'lo","days":3' },
      { type: "tool_call_chunk", index: 0, args: ',"sure":true,"x":null' },
      { type: "tool_call_chunk", index: 0, args: "}" },
    ]);
  });

  test("can end with a patch or without one", async () => {
    const message = await messageOf(
      begin,
      call({ partialArgs: [patch("$.a", "x")] }),
      call({ name: "g", willContinue: true }),
      call({}),
      finish(),
    );
    expect(message.content).toMatchObject([
      { type: "tool_call", id: "c", name: "f", args: { a: "x" } },
      { type: "tool_call", name: "g", args: {} },
    ]);
  });

  test("end with the next call or the end of the answer, if their own end is missing", async () => {
    const message = await messageOf(
      begin,
      call({ partialArgs: [patch("$.a", "x", true)], willContinue: true }),
      call({ name: "g", willContinue: true, partialArgs: [patch("$.b", "y", true)] }),
      finish(),
    );
    expect(message.content).toMatchObject([
      { type: "tool_call", name: "f", args: { a: "x" } },
      { type: "tool_call", name: "g", args: { b: "y" } },
    ]);
    expect(message.finishReason).toBe("tool_calls");
  });

  test("can repeat the name and the id", async () => {
    const message = await messageOf(
      begin,
      call({ name: "f", id: "c", willContinue: true, partialArgs: [patch("$.a", "x")] }),
      call({ id: "c", args: { a: "x" } }),
      finish(),
    );
    expect(message.content).toMatchObject([{ type: "tool_call", id: "c", name: "f", args: { a: "x" } }]);
  });

  test("that are truncated at the token limit make the call invalid", async () => {
    const message = await messageOf(
      begin,
      call({ partialArgs: [patch("$.a", "x")], willContinue: true }),
      finish("MAX_TOKENS"),
    );
    expect(message.content).toMatchObject([
      {
        type: "invalid_tool_call",
        args: '{"a":"x"',
        error: expect.stringContaining("token limit") as string,
      },
    ]);
  });

  test("that contradict each other make the call invalid, with all of them in its text", async () => {
    const wrong = patch("$.list.name", "b");
    const message = await messageOf(
      begin,
      call({ partialArgs: [patch("$.list[0].name", "a"), wrong], willContinue: true }),
      call({}),
      finish(),
    );
    expect(message.content).toMatchObject([
      {
        type: "invalid_tool_call",
        args: `{"list":[{"name":"a"\n${JSON.stringify(wrong)}`,
        error: expect.stringMatching(/not valid JSON/) as string,
      },
    ]);
  });

  test.each([7, [7]])("make the call invalid if they may be lost: %j", async (partialArgs) => {
    const message = await messageOf(
      begin,
      call({ partialArgs: [patch("$.a", "x")], willContinue: true }),
      call({ partialArgs, willContinue: true }),
      call({}),
      finish(),
    );
    expect(message.content).toMatchObject([{ type: "invalid_tool_call" }]);
  });

  test("without a call are an invalid call; an end without a call is ignored", async () => {
    const message = await messageOf(call({}), call({ partialArgs: [patch("$.a", "x")] }), finish());
    expect(message.content).toMatchObject([{ type: "invalid_tool_call", args: '{"a":"x"}' }]);
  });

  test("keep a signature that arrives with the end", async () => {
    const message = await messageOf(
      begin,
      call({ partialArgs: [patch("$.a", "x")] }),
      parts({ functionCall: {}, thoughtSignature: "s" }),
      finish(),
    );
    expect(message.content).toMatchObject([{ type: "tool_call", metadata: { thoughtSignature: "s" } }]);
  });
});

describe("finish reasons", () => {
  test.each([
    ["STOP", "stop"],
    ["MAX_TOKENS", "length"],
    ["SAFETY", "content_filter"],
    ["RECITATION", "content_filter"],
    ["IMAGE_SAFETY", "content_filter"],
    ["LANGUAGE", "other"],
    ["SOMETHING_NEW", "other"],
  ])("%s is %s", async (word, expected) => {
    const message = await messageOf(text("a"), finish(word, { finishMessage: "why" }));
    expect([message.finishReason, message.providerFinishReason]).toEqual([expected, word]);
    expect(message.metadata).toEqual({ finishMessage: "why" });
  });

  test("MALFORMED_FUNCTION_CALL is an error with the explanation", async () => {
    const fields = { finishMessage: "Malformed function call: print(1)" };
    await expect(messageOf(text("a"), finish("MALFORMED_FUNCTION_CALL", fields))).rejects.toMatchObject({
      code: "provider",
      message: expect.stringContaining(fields.finishMessage) as string,
    });
  });

  test("FINISH_REASON_UNSPECIFIED does not end the message", async () => {
    await expect(messageOf(finish("FINISH_REASON_UNSPECIFIED"), text("a"))).rejects.toMatchObject({
      code: "cut",
    });
  });

  test("a blocked prompt has the finish reason content_filter", async () => {
    const promptFeedback = {
      blockReason: "PROHIBITED_CONTENT",
      blockReasonMessage: "No.",
      safetyRatings: [],
    };
    expect(await messageOf({ promptFeedback, usageMetadata: { promptTokenCount: 4 } })).toEqual({
      role: "assistant",
      content: [],
      finishReason: "content_filter",
      providerFinishReason: "PROHIBITED_CONTENT",
      refusal: "No.",
      usage: { inputTokens: 4 },
      metadata: { promptFeedback },
    });
  });
});

describe("other fields of a response", () => {
  test("counts are cumulative; thoughts are output, and tool results are input", async () => {
    const chunks = await chunksOf([
      { ...text("a"), usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 1, totalTokenCount: 10 } },
      { ...text("b"), usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 1, totalTokenCount: 10 } },
      {
        ...finish(),
        usageMetadata: {
          promptTokenCount: 9,
          toolUsePromptTokenCount: 2,
          candidatesTokenCount: 23,
          thoughtsTokenCount: 302,
          cachedContentTokenCount: 5,
          totalTokenCount: 336,
          promptTokensDetails: [
            { modality: "TEXT", tokenCount: 2 },
            { modality: "AUDIO", tokenCount: 7 },
          ],
          candidatesTokensDetails: [{ modality: "AUDIO", tokenCount: 3 }],
          trafficType: "ON_DEMAND",
        },
      },
    ]);
    expect(chunks.map(({ usage }) => usage?.totalTokens)).toEqual([10, undefined, 336]);
    const { usage, metadata } = toAssistantMessage(chunks.reduce(mergeChunk));
    expect(usage).toEqual({
      inputTokens: 11,
      outputTokens: 325,
      totalTokens: 336,
      details: { cacheReadTokens: 5, reasoningTokens: 302, inputAudioTokens: 7, outputAudioTokens: 3 },
    });
    expect(metadata).toEqual({ trafficType: "ON_DEMAND" });
  });

  test("id, model and usage wait for a chunk with content, or are yielded after the end", async () => {
    const chunks = await chunksOf([
      { ...text(""), usageMetadata: { promptTokenCount: 1 } },
      text("a"),
      finish(),
      { usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2 } },
    ]);
    expect(chunks).toEqual([
      {
        content: [{ type: "text", index: 0, text: "a" }],
        id: "r1",
        model: "test-1",
        usage: { inputTokens: 1 },
      },
      { content: [], finishReason: "stop", providerFinishReason: "STOP" },
      { content: [], usage: { inputTokens: 1, outputTokens: 2 } },
    ]);
  });

  test("safety ratings are metadata, yielded when they change", async () => {
    const rated = (probability: string): object => ({
      candidates: [{ content: { parts: [{ text: "a" }] }, safetyRatings: [{ probability }] }],
      createTime: "t",
    });
    const chunks = await chunksOf([rated("LOW"), rated("LOW"), rated("HIGH"), finish()]);
    expect(chunks.map(({ metadata }) => metadata)).toEqual([
      { createTime: "t", safetyRatings: [{ probability: "LOW" }] },
      undefined,
      { safetyRatings: [{ probability: "HIGH" }] },
      undefined,
    ]);
  });

  test("token log probabilities are yielded with their tokens, and are concatenated", async () => {
    const logs = (token: string): object => ({ logprobsResult: { chosenCandidates: [{ token }] } });
    const chunks = await chunksOf([
      { candidates: [{ content: { parts: [{ text: "a" }] }, ...logs("a") }] },
      finish("STOP", { ...logs("b"), avgLogprobs: -1 }),
    ]);
    expect(chunks.map(({ metadataDelta }) => metadataDelta)).toEqual([
      { chosenCandidates: [{ token: "a" }] },
      { chosenCandidates: [{ token: "b" }] },
    ]);
    expect(toAssistantMessage(...chunks).metadata).toEqual({
      avgLogprobs: -1,
      chosenCandidates: [{ token: "a" }, { token: "b" }],
    });
  });

  test("only the first candidate is read", async () => {
    const message = await messageOf(
      {
        candidates: [
          { index: 1, content: { parts: [{ text: "no" }] } },
          { index: 0, content: { parts: [{ text: "yes" }] } },
        ],
      },
      { candidates: [{ index: 1, finishReason: "SAFETY" }] },
      finish(),
    );
    expect(message.content).toEqual([{ type: "text", text: "yes" }]);
    expect(message.finishReason).toBe("stop");
  });
});

describe("an invalid or incomplete stream has a typed error:", () => {
  const error = { code: 503, message: "The model is overloaded.", status: "UNAVAILABLE" };
  const sse = (data: string, event?: string): object => ({ data, event });

  test.each([
    ["an error", { error }],
    ["an error in an array", [{ error }]],
    ["an error event", sse(JSON.stringify({ error }))],
    ["an error event with an array", sse(JSON.stringify([{ error }]))],
    ["an error event by name", sse(JSON.stringify(error), "error")],
  ])("%s", async (_, payload) => {
    await expect(messageOf(text("a"), payload)).rejects.toMatchObject({
      code: "provider",
      message: expect.stringContaining(error.message) as string,
      providerCode: "UNAVAILABLE",
      status: 503,
      retryable: true,
    });
  });

  test.each([
    ["nothing", [], "cut", true],
    ["no finish reason", [text("a")], "cut", true],
    ["only usage", [{ usageMetadata: { promptTokenCount: 1 } }], "cut", true],
    ["an incomplete event", [sse('{"candidates": [{"con')], "cut", true],
    ["a stream of another provider", [{ choices: [{ delta: { content: "a" } }] }], "protocol", false],
    ["text that is not JSON", [sse("hello")], "protocol", false],
    ["a text", ["hello"], "protocol", false],
    ["a list of texts", [["hello"]], "protocol", false],
    ["JSON that is not an object", [sse("[1]")], "protocol", false],
  ])("%s", async (_, payloads, code, retryable) => {
    await expect(messageOf(...payloads)).rejects.toMatchObject({ name: "ModelError", code, retryable });
  });

  test("the end marker of some gateways is ignored", async () => {
    expect((await messageOf(text("a"), finish(), sse("[DONE]"))).finishReason).toBe("stop");
  });
});

test("a field __proto__ of a part is a field like any other", async () => {
  const part: unknown = JSON.parse('{"text": "a", "__proto__": {"polluted": 1}, "x": 2}');
  const { content } = await messageOf(parts(part), finish());
  const { metadata } = content[0] as { readonly metadata: object };
  expect(JSON.stringify(metadata)).toContain('"__proto__":{"polluted":1}');
  expect(Object.getPrototypeOf(metadata)).toBe(Object.prototype);
});

test("fields of unexpected types are ignored", async () => {
  const odd = {
    candidates: [null, 7, { content: null }, { index: 0, content: { parts: "a" } }],
    usageMetadata: 1,
  };
  const message = await messageOf(
    odd,
    {
      candidates: [
        {
          content: { parts: [{ functionCall: { name: 7, args: [1], partialArgs: [1] } }, { text: 3 }] },
          groundingMetadata: { groundingChunks: [1], groundingSupports: [{}] },
          citationMetadata: 4,
        },
      ],
    },
    finish(),
  );
  expect(message.finishReason).toBe("stop");
});

describe("the decoder keeps the laws of an operator:", () => {
  const inputs = [text("a"), text("b"), finish()] as GeminiPayload[];
  for (const law of operatorLaws(decodeGemini, { inputs })) test.concurrent(law.name, () => law.check());
});

test("decodes the events of decodeSse for mergeChunks", async () => {
  const wire = `data: ${JSON.stringify(text("Hé"))}\r\n\r\ndata: ${JSON.stringify(finish())}`;
  const texts: unknown[] = [];
  for await (const { content } of pipe(from([wire]), decodeSse(), decodeGemini(), mergeChunks()))
    texts.push(content);
  expect(texts).toEqual([[{ type: "text", text: "Hé" }], [{ type: "text", text: "Hé" }]]);
});
