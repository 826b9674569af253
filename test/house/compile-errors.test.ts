import { join } from "node:path";
import ts from "typescript";
import { beforeAll, describe, expect, test } from "vitest";

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
  beforeAll(() => {
    found = complaints([...mistakes.map(([, code]) => code), ...accepted]);
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
function complaints(codes: readonly string[]): ReadonlyMap<string, string> {
  const root = join(import.meta.dirname, "../..");
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), (path) => ts.sys.readFile(path)) as {
    config: object;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const file = join(root, "test/house/mistakes.ts");
  const host = ts.createCompilerHost(options);
  const getSourceFile = host.getSourceFile.bind(host);
  host.getSourceFile = (name, language) =>
    name === file
      ? ts.createSourceFile(name, `${head}${codes.map((code) => `void ${code};`).join("\n")}\n`, language)
      : getSourceFile(name, language);
  const program = ts.createProgram([file], options, host);
  const source = program.getSourceFile(file);
  const first = head.split("\n").length - 1;
  const found = new Map<string, string>();
  for (const { start = 0, messageText } of ts.getPreEmitDiagnostics(program, source)) {
    const line = source?.getLineAndCharacterOfPosition(start).line ?? 0;
    const code = codes[line - first] ?? `line ${line}`;
    if (!found.has(code)) found.set(code, ts.flattenDiagnosticMessageText(messageText, "\n"));
  }
  return found;
}
