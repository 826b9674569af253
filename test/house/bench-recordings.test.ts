import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { recordedDocuments, recordedInput, recordingsFolder } from "../../bench/json/recordings.js";

const folder = mkdtempSync(join(tmpdir(), "millrace-recordings-"));
afterAll(() => rmSync(folder, { recursive: true }));

const start = { type: "content_block_start", index: 0 };
const block = (delta: object): object => ({ type: "content_block_delta", index: 0, delta });
const part = (item_id: string, delta: string): object => ({
  type: "response.output_text.delta",
  item_id,
  delta,
});
const choice = (delta: object): object => ({ choices: [{ delta }] });
const call = (index: number, args: string): object =>
  choice({ tool_calls: [{ index, function: { arguments: args } }] });

test("every text and every tool call that is JSON is put together from its deltas, and nothing else is", () => {
  write("a/messages.jsonl", [
    start,
    block({ text: "No JSON" }),
    start,
    block({ partial_json: '{"a": ' }),
    { type: "ping" },
    block({ partial_json: "1}" }),
    start,
    block({ text: "[2" }),
    block({ text: "]" }),
  ]);
  write("b/responses.jsonl", [part("x", '{"b"'), part("y", "42"), part("x", ":2}")]);
  write("c/chat.jsonl", [
    { choices: [] },
    choice({ content: '{"cut": ' }),
    call(0, '{"c"'),
    call(1, "{}"),
    call(0, ":3}"),
  ]);
  write("notes.md", ["{}"]);
  expect(recordedDocuments(folder)).toEqual(['{"a": 1}', "[2]", '{"b":2}', '{"c":3}', "{}"]);
});

test("they are the elements of one document, again and again until it has its size", () => {
  const text = recordedInput(folder)?.(100) ?? "";
  expect(text.length).toBeGreaterThanOrEqual(100);
  expect(text.length).toBeLessThan(120);
  expect((JSON.parse(text) as unknown[]).slice(0, 7)).toEqual([
    { a: 1 },
    [2],
    { b: 2 },
    { c: 3 },
    {},
    { a: 1 },
    [2],
  ]);
});

test("without recordings there is no such document", () => {
  expect(recordedInput(join(folder, "nowhere"))).toBeUndefined();
});

const real = recordedDocuments(recordingsFolder);
if (real.length === 0) console.log(`Skipped: there are no recordings in ${recordingsFolder}`);
test.skipIf(real.length === 0)("the recorded streams have documents of several providers", () => {
  expect(real.length).toBeGreaterThan(10);
  expect(recordedInput()?.(8192).length).toBeGreaterThanOrEqual(8192);
});

function write(file: string, payloads: readonly unknown[]): void {
  mkdirSync(join(folder, file, ".."), { recursive: true });
  writeFileSync(join(folder, file), payloads.map((it) => `${JSON.stringify(it)}\n`).join(""));
}
