import { describe, expect, test } from "vitest";
import { docblockExamples, markdownExamples } from "../../scripts/markdown-examples.js";

describe("the examples of a Markdown text", () => {
  test("are its ts blocks, with the line of the first code", () => {
    expect(markdownExamples("# A\n\n```ts\nlet a = 1;\n\na++;\n```\n\n```js\nno();\n```\n")).toEqual([
      { line: 4, code: "let a = 1;\n\na++;", run: true, prints: undefined },
    ]);
  });

  test("are compiled only if their fence says so", () => {
    expect(markdownExamples("```ts no-run\nawait fetch(url);\n```")).toMatchObject([{ run: false }]);
  });

  test("have the text block after them as their output", () => {
    expect(markdownExamples("```ts\nx();\n```\n\n```text prints\n1\n2\n```\n")).toMatchObject([
      { prints: "1\n2" },
    ]);
    expect(markdownExamples("```ts\nx();\n```\n\n```text\nnot output\n```\n")).toMatchObject([
      { prints: undefined },
    ]);
  });

  test("lose the indentation of a list item", () => {
    expect(markdownExamples("- so:\n\n  ```ts\n  if (a) {\n    b();\n  }\n  ```\n")).toMatchObject([
      { line: 4, code: "if (a) {\n  b();\n}" },
    ]);
  });

  test("can contain a shorter fence inside a longer one", () => {
    expect(markdownExamples("````ts\nconst md = `\n```js\n`;\n````\n")).toMatchObject([
      { code: "const md = `\n```js\n`;" },
    ]);
  });

  test("are rejected if a mark is misspelt or an output has no example", () => {
    expect(() => markdownExamples("```ts norun\n```")).toThrow(/^Line 1: .*"no-run"/);
    expect(() => markdownExamples("```text prints\n1\n```")).toThrow("Line 1");
    expect(() => markdownExamples("```ts\n1;\n```\nand then\n```text prints\n1\n```")).toThrow("Line 5");
    expect(() => markdownExamples("```ts no-run\n1;\n```\n```text prints\n1\n```")).toThrow("Line 4");
  });
});

test("the examples of a source are those in its docblocks", () => {
  const source = [
    "const fence = `",
    "```ts",
    "not.anExample();",
    "```",
    "`;",
    "  /**",
    "   * Does it.",
    "   *",
    "   * @example",
    "   * ```ts",
    "   * if (a) {",
    "   *   b();",
    "   * }",
    "   * ```",
    "   */",
    "  it() {}",
  ].join("\n");
  expect(docblockExamples(source)).toEqual([
    { line: 11, code: "if (a) {\n  b();\n}", run: true, prints: undefined },
  ]);
});
