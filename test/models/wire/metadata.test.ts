import { describe, expect, test } from "vitest";
import { collect, from, last, mergeChunks, type Operator, pipe, type MessageChunk } from "millrace";
import { decodeAnthropic } from "millrace/anthropic";
import { decodeGemini } from "millrace/gemini";
import { decodeOllama } from "millrace/ollama";
import { decodeOpenAIChat, decodeOpenAIResponses } from "millrace/openai";
import { delta, finish } from "../support/server.js";

const start = { type: "message_start", message: {} };
const stop = [{ type: "message_delta", delta: { stop_reason: "end_turn" } }, { type: "message_stop" }];

function begin(content_block: object): object {
  return { type: "content_block_start", index: 0, content_block };
}

function change(fields: object): object {
  return { type: "content_block_delta", index: 0, delta: { type: "unknown_delta", ...fields } };
}

function part(fields: object): object {
  return { candidates: [{ content: { parts: [{ text: "a", ...fields }] } }] };
}

function times<T>(count: number, item: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => item(i));
}

function fields(count: number): object {
  return Object.fromEntries(times(count, (i) => [`k${i}`, i]));
}

type Decoder = () => Operator<unknown, MessageChunk>;
const chat = decodeOpenAIChat as Decoder;
const anthropic = decodeAnthropic as Decoder;
const gemini = decodeGemini as Decoder;

describe("a decoder of bytes or text that are not decoded", () => {
  test.each<[string, Decoder]>([
    ["chat", chat],
    ["responses", decodeOpenAIResponses as Decoder],
    ["anthropic", anthropic],
    ["gemini", gemini],
    ["ollama", decodeOllama as Decoder],
  ])("says what to put before it: %s", async (_, decode) => {
    for (const item of ["data: {}\n\n", new Uint8Array([100])])
      await expect(collect(pipe(from([item]), decode()))).rejects.toThrow(
        /got: (?:text|bytes)\. Put decodeSse/,
      );
  });
});

describe("an answer with too many unknown fields is an error", () => {
  test.each<[string, Decoder, (count: number) => unknown[]]>([
    ["in one payload", chat, (n) => [delta({ content: "a" }, fields(n)), finish()]],
    ["in one delta", chat, (n) => [delta({ content: "a", ...fields(n) }), finish()]],
    [
      "in many payloads",
      chat,
      (n) => [...times(n, (i) => delta({ content: "a" }, { [`k${i}`]: i })), finish()],
    ],
    ["in lists", chat, (n) => [...times(n, (i) => delta({ content: "a", [`k${i}`]: [i] })), finish()]],
    ["in events", anthropic, (n) => [start, ...times(n, (i) => ({ type: `x${i}` })), ...stop]],
    [
      "in the counts",
      anthropic,
      (n) => [start, ...times(n, (i) => ({ type: "message_delta", usage: { [`k${i}`]: i } })), ...stop],
    ],
    [
      "in deltas of a text",
      anthropic,
      (n) => [start, begin({ type: "text" }), ...times(n, (i) => change({ [`k${i}`]: i })), ...stop],
    ],
    [
      "in deltas of an unknown block",
      anthropic,
      (n) => [start, begin({ type: "x" }), ...times(n - 1, (i) => change({ [`k${i}`]: i })), ...stop],
    ],
    ["in parts", gemini, (n) => times(n, (i) => part({ [`k${i}`]: i }))],
  ])("%s", async (_, decode, payloads) => {
    const read = (count: number): Promise<unknown> => collect(pipe(from(payloads(count)), decode()));
    await read(200).catch((error: unknown) => {
      expect(error).toMatchObject({ code: "cut" }); // the parts of Gemini have no finish reason
    });
    await expect(read(10_000)).rejects.toMatchObject({
      name: "ModelError",
      code: "protocol",
      message: "The answer has more than 256 unknown fields.",
    });
  });
});

test.each<[string, Decoder, (i: number) => unknown]>([
  ["payloads", chat, (i) => ({ choices: [], [`k${i}`]: i })],
  ["events", anthropic, (i) => ({ type: `x${i}` })],
  ["lists", gemini, (i) => ({ candidates: [{ logprobsResult: { [`k${i}`]: [i] } }] })],
])("unknown fields are counted before there is content: %s", async (_, decode, payload) => {
  let read = 0;
  const payloads = (function* () {
    while (read < 1_000) yield payload(read++);
  })();
  await expect(collect(pipe(from(payloads), decode()))).rejects.toMatchObject({
    code: "protocol",
    message: "The answer has more than 256 unknown fields.",
  });
  expect(read).toBe(257);
});

test("the lists of lines without content are joined in order", async () => {
  const lines = [
    ...times(3, (i) => ({ message: { content: "" }, logprobs: [i] })),
    { message: { content: "a" }, logprobs: [3] },
    { message: {}, logprobs: [4], done: true },
  ];
  const before = JSON.stringify(lines);
  const message = await last(pipe(from(lines), (decodeOllama as Decoder)(), mergeChunks()));
  expect(message?.metadata).toEqual({ logprobs: [0, 1, 2, 3, 4] });
  expect(JSON.stringify(lines)).toBe(before);
});
