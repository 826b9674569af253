import { describe, expect, test } from "vitest";
import { from, last, mergeChunk, mergeChunks, pipe, toAssistantMessage } from "millrace";
import { decodeNdjson } from "millrace/models";
import { decodeOllama, type OllamaPayload } from "millrace/ollama";
import { everyCut, fixedSizes, operatorLaws, randomPartitions } from "millrace/testing";
import { chunksOf, done, messageOf, says, text } from "./support.js";

const created_at = "2026-01-01T00:00:00Z";
const weather = { function: { index: 0, name: "weather", arguments: { city: "Oslo", days: [1] } } };

/** A response of Ollama 0.12 with thoughts, a text and two calls. */
const answer = [
  says({ content: "", thinking: "Let me" }, { created_at }),
  says({ content: "", thinking: " see é😀." }, { created_at }),
  says({ content: "I " }, { created_at }),
  says({ content: "look." }, { created_at }),
  says({ content: "", tool_calls: [weather] }, { created_at }),
  says(
    { content: "", tool_calls: [{ id: "c2", function: { name: "time", arguments: {} } }] },
    { created_at },
  ),
  done({
    created_at,
    total_duration: 9_000,
    load_duration: 1_000,
    prompt_eval_count: 26,
    prompt_eval_duration: 3_000,
    eval_count: 259,
    eval_duration: 5_000,
  }),
];

const message = {
  role: "assistant",
  model: "test-1",
  content: [
    { type: "reasoning", reasoning: "Let me see é😀." },
    { type: "text", text: "I look." },
    { type: "tool_call", id: "call_2", name: "weather", args: { city: "Oslo", days: [1] } },
    { type: "tool_call", id: "c2", name: "time", args: {} },
  ],
  finishReason: "tool_calls",
  providerFinishReason: "stop",
  usage: { inputTokens: 26, outputTokens: 259, totalTokens: 285 },
  metadata: {
    created_at,
    total_duration: 9_000,
    load_duration: 1_000,
    prompt_eval_duration: 3_000,
    eval_duration: 5_000,
  },
};

// G-stream-1
describe("a response of Ollama", () => {
  const wire = new TextEncoder().encode(answer.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const read = (pieces: readonly Uint8Array[]) =>
    last(pipe(from(pieces), decodeNdjson(), decodeOllama(), mergeChunks()));

  test("has thoughts, text, calls, counts and durations", async () => {
    expect(await messageOf(...answer)).toEqual(message);
    expect(toAssistantMessage((await chunksOf(answer)).reduce(mergeChunk))).toEqual(message);
  });

  test("is the same for random splits, and for pieces of any size", async () => {
    for (const pieces of randomPartitions(wire, { seed: 7, count: 20 }))
      expect(await read(pieces)).toEqual(message);
    for (const pieces of fixedSizes(wire, [1, 7, 64, 1_460])) expect(await read(pieces)).toEqual(message);
  });

  test("is the same for a split at every byte", async () => {
    const short = new TextEncoder().encode(
      [answer[1], answer[4], done()].map((line) => `${JSON.stringify(line)}\r\n`).join(""),
    );
    const whole = await read([short]);
    expect(whole?.content).toHaveLength(2);
    for (const pieces of everyCut(short)) expect(await read(pieces)).toEqual(whole);
  });

  test("has one chunk for each line with content, and its id and model once", async () => {
    expect(await chunksOf([says({ content: "" }), text("a"), text("b"), done()])).toEqual([
      { content: [{ type: "text", index: 0, text: "a" }], model: "test-1" },
      { content: [{ type: "text", index: 0, text: "b" }] },
      { content: [], finishReason: "stop", providerFinishReason: "stop" },
    ]);
  });

  test("has a block for each change between thoughts and text", async () => {
    const { content } = await messageOf(
      text("a"),
      says({ thinking: "b", content: "c" }),
      says({ reasoning_content: "d" }),
      done(),
    );
    expect(content).toEqual([
      { type: "text", text: "a" },
      { type: "reasoning", reasoning: "b" },
      { type: "text", text: "c" },
      { type: "reasoning", reasoning: "d" },
    ]);
  });

  test("has a text after a call as a block of its own", async () => {
    const call = says({ content: "", tool_calls: [weather] });
    const { content } = await messageOf(text("a"), call, text("b"), done());
    expect(content.map(({ type }) => type)).toEqual(["text", "tool_call", "text"]);
  });

  test("has images, log probabilities, and the remote host", async () => {
    const { content, metadata } = await messageOf(
      says(
        { images: ["AAAA", 7] },
        { remote_model: "big", remote_host: "https://ollama.com", logprobs: [{ token: "a" }] },
      ),
      done({ logprobs: [{ token: "b" }] }),
    );
    expect(content).toEqual([{ type: "image", data: "AAAA" }]);
    expect(metadata).toEqual({
      remote_model: "big",
      remote_host: "https://ollama.com",
      logprobs: [{ token: "a" }, { token: "b" }],
    });
  });

  test("has an invalid call if the arguments are not an object", async () => {
    const { content } = await messageOf(
      says({
        tool_calls: [{ function: { name: "f", arguments: '{"a":' } }, { function: { name: "g" } }, {}, 7],
      }),
      done(),
    );
    expect(content).toMatchObject([
      { type: "invalid_tool_call", name: "f", args: '{"a":' },
      { type: "tool_call", name: "g", args: {} },
    ]);
  });
});

describe("finish reasons", () => {
  test.each([
    ["stop", "stop"],
    ["length", "length"],
    ["load", "other"],
    [undefined, "stop"],
  ])("%s is %s", async (word, expected) => {
    const { finishReason, providerFinishReason } = await messageOf(text("a"), done({ done_reason: word }));
    expect([finishReason, providerFinishReason]).toEqual([expected, word]);
  });

  test("at the token limit, a text is truncated and a complete call is complete", async () => {
    const { content, finishReason } = await messageOf(
      says({ tool_calls: [weather] }),
      done({ done_reason: "length" }),
    );
    expect([content[0]?.type, finishReason]).toEqual(["tool_call", "length"]);
  });
});

describe("an invalid or incomplete stream has a typed error:", () => {
  test.each([
    [
      "an error line",
      { error: "llama runner process no longer running: -1" },
      "llama runner process no longer running: -1",
    ],
    ["an error object", { error: { message: "busy" } }, "busy"],
  ])("%s", async (_, line, expected) => {
    await expect(messageOf(text("a"), line)).rejects.toMatchObject({
      code: "provider",
      message: expect.stringContaining(expected) as string,
    });
  });

  test.each([
    ["nothing", [], "cut"],
    ["an incomplete response", [text("a")], "cut"],
    ["lines of another provider", [{ choices: [] }], "protocol"],
    ["a number", [7], "protocol"],
    ["a list", [[text("a")]], "protocol"],
  ])("%s", async (_, lines, code) => {
    await expect(messageOf(...lines)).rejects.toMatchObject({
      name: "ModelError",
      code,
      retryable: code === "cut",
    });
  });
});

test("stops reading at the end, and closes the source", async () => {
  let closed = false;
  let asked = false;
  async function* lines(): AsyncGenerator<OllamaPayload> {
    try {
      yield text("a");
      yield done();
      asked = true;
      yield text("b");
    } finally {
      closed = true;
    }
  }
  const message = await last(pipe(lines(), decodeOllama(), mergeChunks()));
  expect([message?.content, closed, asked]).toEqual([[{ type: "text", text: "a" }], true, false]);
});

describe("the decoder keeps the laws of an operator:", () => {
  const inputs = [text("a"), text("b"), done()];
  for (const law of operatorLaws(decodeOllama, { inputs })) test.concurrent(law.name, () => law.check());
});
