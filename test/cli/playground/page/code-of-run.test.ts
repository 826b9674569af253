import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { afterAll, expect, it } from "vitest";
import { codeOf } from "#src/cli/playground/page/code/code-of-run.js";
import { schemaFrom, typeText } from "#src/cli/playground/page/code/schema-text.js";
import { samples } from "#src/cli/playground/page/input/samples.js";
import { firstInput, withAnswer, withFormat, withSample } from "#src/cli/playground/page/input/use-input.js";

const root = join(import.meta.dirname, "../../../..");
mkdirSync(join(root, "temp"), { recursive: true });
const folder = mkdtempSync(join(root, "temp/code-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

it("writes apps that compile, for each sample, a model, and a run without a schema", () => {
  const inputs = [
    ...samples.map(({ name }) => withSample(firstInput(), name)),
    withAnswer({ ...firstInput(), kind: "model" as const }, "spec"),
    withFormat(firstInput(), "spec", ""),
    { ...firstInput(), kind: "model" as const, model: "anthropic:claude-sonnet-4-5", prompt: 'Say "hi".' },
  ];
  const value = {
    title: "Tea",
    "odd key": 1,
    list: [{ a: 1, b: [true] }],
    empty: [],
    none: null,
    deep: { x: "y" },
  };
  const files = inputs.flatMap((input, i) => {
    mkdirSync(join(folder, String(i)));
    return codeOf(input, value).map(({ name, code }) => {
      const path = join(folder, String(i), name);
      writeFileSync(path, code);
      return path;
    });
  });
  const configFile = ts.readConfigFile(join(root, "tsconfig.json"), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(configFile.config, ts.sys, root);
  const program = ts.createProgram(files, {
    ...options,
    noEmit: true,
    incremental: false,
    isolatedDeclarations: false,
    declaration: false,
    jsx: ts.JsxEmit.ReactJSX,
    skipLibCheck: true,
  });
  const problems = files.flatMap((file) => [
    ...program.getSyntacticDiagnostics(program.getSourceFile(file)),
    ...program.getSemanticDiagnostics(program.getSourceFile(file)),
  ]);
  expect(problems.map(({ file, messageText }) => [file?.fileName, messageText])).toEqual([]);
});

it("writes the type of a schema", () => {
  const schema = schemaFrom({ name: "A", tags: ["x"], "no name": { on: true, n: null } });
  expect(typeText(schema)).toBe(
    '{\n  name: string;\n  tags: string[];\n  "no name": {\n    on: boolean;\n    n: null;\n  };\n}',
  );
  expect(typeText({ type: ["number", "null"] })).toBe("number | null");
  expect(typeText({ type: "array", items: { enum: ["a", 1] } })).toBe('("a" | 1)[]');
  expect(typeText({ anyOf: [] })).toBe("unknown");
});

it.each([
  { type: "object", properties: { a: null, b: true } },
  { properties: null },
  { type: "array", items: null },
])("writes code for a schema with parts that are no schemas: %j", (schema) => {
  const input = withFormat(firstInput(), "json", JSON.stringify(schema));
  expect(codeOf(input, undefined)).toHaveLength(3);
});
