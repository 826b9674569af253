import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { typeCheck } from "../support/type-check.js";

/** Mistakes that the compiler finds, with the words that it has to show in at most three lines. */
const mistakes: readonly (readonly [what: string, code: string, words: string])[] = [
  ["snapshots as patches", "toEventStream(pipe(from(['']), parser.stream))", ".patches"],
  ["partial values as patches", "toEventStream(call.partials)", ".patches"],
  ["a call as patches", "toEventStream(call)", ".patches"],
  ["the events of an agent as patches", "toEventStream(agent.stream(''))", ".patches"],
  ["partial values in a store", "createPatchStore().connect(call)", ".patches"],
  ["a parser as a stage", "pipe(from(['']), parser)", "parser.stream"],
  ["a parser as a stage among others", "pipe(from(['']), textParser(), take(1))", "parser.stream"],
];

const accepted: readonly string[] = [
  "toEventStream(pipe(from(['']), parser.patches))",
  "toEventStream(call.patches)",
  "toEventStream(agent.patches(''))",
  "toEventStream(undefined, { log: memoryLog(), id: '' })",
  "toEventStream(Math.random() > 1 ? call.patches : undefined)",
  "createPatchStore().connect(call.patches)",
  "createPatchStore().connect(new URL('http://localhost'))",
  "pipe(from(['']), parser.stream, take(1))",
];

const head = `
import { createAgent, from, jsonParser, pipe, streamObject, take, textParser } from "millrace";
import { createPatchStore } from "millrace/client";
import { memoryLog, toEventStream } from "millrace/serve";
import { scriptedModel } from "millrace/testing";
import { z } from "zod";
const schema = z.object({ title: z.string(), steps: z.array(z.string()) });
const model = scriptedModel([]);
const parser = jsonParser(schema);
const call = streamObject({ model, schema, prompt: "" });
const agent = createAgent({ model, responseFormat: schema });
`;

describe("the compiler", () => {
  let found: ReadonlyMap<string, string>;
  beforeAll(async () => {
    found = await complaints([...mistakes.map(([, code]) => code), ...accepted]);
  }, 120_000);

  test.each(mistakes)("refuses %s, and says what to write", (_what, code, words) => {
    const complaint = found.get(code);
    expect(complaint).toContain(words);
    expect(complaint?.split("\n").length).toBeLessThanOrEqual(3);
  });

  test.each(accepted)("accepts %s", (code) => {
    expect(found.get(code)).toBeUndefined();
  });
});

/** Compiles each line of code, and returns the first complaint about it. */
async function complaints(codes: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const temp = join(import.meta.dirname, "../../temp");
  mkdirSync(temp, { recursive: true });
  const folder = mkdtempSync(join(temp, "mistakes-"));
  const file = join(folder, "mistakes.ts");
  writeFileSync(file, `${head}${codes.map((code) => `void ${code};`).join("\n")}\n`);
  const all = await typeCheck(folder, [file]);
  rmSync(folder, { recursive: true });
  const before = head.split("\n").length;
  const found = new Map<string, string>();
  for (const { line, message } of all.get(file) ?? []) {
    const code = codes[line - before] ?? `line ${line}`;
    if (!found.has(code)) found.set(code, message);
  }
  return found;
}
