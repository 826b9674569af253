import { collect, from, pipe } from "millrace";
import { record } from "millrace/models";
import { manualClock } from "millrace/testing";
import { expect, test } from "vitest";
import { recordedChunks } from "../../src/server/recorded-chunks.js";

const lines = (...payloads: object[]): string =>
  payloads.map((payload) => JSON.stringify(payload)).join("\n");

async function chunksOf(text: string): Promise<string[]> {
  const { chunks, total } = await recordedChunks(text);
  const all = await collect(chunks);
  expect(total).toBe(all.join("").length);
  return all;
}

test.each<[provider: string, text: string]>([
  [
    "OpenAI's Chat Completions",
    lines(
      { choices: [{ index: 0, delta: { content: '{"a":' } }] },
      { choices: [{ index: 0, delta: { content: "1}" }, finish_reason: "stop" }] },
    ),
  ],
  [
    "Gemini",
    lines(
      { candidates: [{ content: { parts: [{ text: '{"a":' }] } }] },
      { candidates: [{ content: { parts: [{ text: "1}" }] }, finishReason: "STOP" }] },
    ),
  ],
  [
    "Ollama",
    lines(
      { message: { content: '{"a":' }, done: false },
      { message: { content: "1}" }, done: true, done_reason: "stop" },
    ),
  ],
])("reads payloads of %s", async (_, text) => {
  expect(await chunksOf(text)).toEqual(['{"a":', "1}"]);
});

test("reads the arguments of a tool call", async () => {
  const call = (index: number, args: string, more: object = {}): object => ({
    choices: [
      {
        index: 0,
        delta: { tool_calls: [{ index, function: { arguments: args, ...more }, id: `call-${index}` }] },
      },
    ],
  });
  const text = lines(
    { choices: [{ index: 0, delta: { content: "Let me see." } }] },
    call(0, "", { name: "weather" }),
    call(0, '{"city":'),
    call(0, '"Rome"}'),
    call(1, '{"city":"Oslo"}', { name: "weather" }),
    { choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] },
  );
  expect(await chunksOf(text)).toEqual(['{"city":', '"Rome"}']);
});

test("reads a transcript of record()", async () => {
  const transcript: string[] = [];
  const chunk = (text: string): object => ({ content: [{ type: "text", text }] });
  const clock = manualClock();
  await collect(
    pipe(
      from([chunk("[1,"), chunk("2]")]),
      record((line) => transcript.push(line), { clock }),
    ),
  );
  expect(await chunksOf(transcript.join("\n"))).toEqual(["[1,", "2]"]);
});

test("yields the chunks of a failed stream, then its error", async () => {
  const { chunks } = await recordedChunks(lines({ choices: [{ index: 0, delta: { content: '{"a":' } }] }));
  const played: string[] = [];
  await expect(
    (async () => {
      for await (const chunk of chunks) played.push(chunk);
    })(),
  ).rejects.toMatchObject({ code: "cut" });
  expect(played).toEqual(['{"a":']);
});

test.each([
  ["text that is not JSON", "hello"],
  ["an object that is not a payload", '{"hello": 1}'],
  ["nothing", ""],
  [
    "a transcript that is incomplete",
    '{"millrace":"transcript","version":1}\n{"t":0,"value":{"content":[]}}',
  ],
])("rejects %s", async (_, text) => {
  await expect(recordedChunks(text)).rejects.toMatchObject({ name: "RequestError", code: "invalid_input" });
});
