import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { codeSpans, type TableRow, tableRows } from "./support/markdown-tables.js";
import { exportedNames, membersOf } from "./support/public-names.js";

/** The migration pages have our names in the second column of their tables. Each of them must exist. */

const root = join(import.meta.dirname, "../..");

const pages = ["langchain", "langchain-names", "langchain-features", "ai-sdk"];

test.each(pages)("migration/%s names only what we export", (page) => {
  const rows = rowsOf(page);
  expect(rows.length).toBeGreaterThan(20);
  const wrong = rows.flatMap(({ cells: [theirs = "", ours = ""] }) => {
    const spans = codeSpans(ours);
    if (spans.length === 0) return ours === "none" ? [] : [`${theirs}: ${ours}`];
    return spans.filter((span) => !isOurs(span));
  });
  expect(wrong).toEqual([]);
});

test("each LangChain feature is the same or differs for a reason, and has a test", () => {
  const rows = rowsOf("langchain-features");
  expect(new Set(rows.map(({ section }) => section)).size).toBe(6);
  const wrong = rows.filter(
    ({ cells: [, , difference = "", proof = ""] }) =>
      !/^(?:same$|same; \S|differs: \S)/.test(difference) || !/^`test\/[\w./-]+\.test\.ts`$/.test(proof),
  );
  expect(wrong).toEqual([]);
});

/**
 * `npm test` runs all of these tests. A row of a function or a member needs a test with its name; a row of a type, or of
 * none of ours, one with a name in the row.
 */
test("each LangChain feature occurs in its test", () => {
  const unproved = rowsOf("langchain-features").flatMap(({ cells }) => {
    const [theirs = "", ours = "", difference = "", proof = ""] = cells;
    const text = testAt(codeSpans(proof)[0] ?? "");
    const names = codeSpans(ours);
    const values = names.filter((span) => /^[a-z]/.test(span));
    const features = values.length > 0 ? values : [...names, ...codeSpans(theirs), ...codeSpans(difference)];
    return /\btest[.(]/.test(text) && features.some((span) => wordsOf(span).test(text)) ? [] : [theirs];
  });
  expect(unproved).toEqual([]);
});

/** The text of a test and of the files that it imports from beside it. */
function testAt(path: string): string {
  const text = readFileSync(join(root, path), "utf8");
  const imports = [...text.matchAll(/from "(\.[^"]+)\.js"/g)].map(([, it = ""]) => `${it}.ts`);
  const beside = imports.map((it) => readFileSync(join(root, dirname(path), it), "utf8"));
  return [text, ...beside].join("\n");
}

/** `parser.patches`, `tool()`, `handle_errors=False` and `onError: false`, as tests write them. */
function wordsOf(span: string): RegExp {
  const [, name = span] = /(?:^|\.)(\w+)(?:\(\)|[=:].*)?$/.exec(span) ?? [];
  const ours = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return new RegExp(`\\b(?:${name}|${ours.replace(/s$/, "")})`);
}

/** The types of the values that the pages name. */
const receivers: Readonly<Record<string, readonly string[]>> = {
  agent: ["Agent"],
  block: ["BlockBase"],
  message: ["MessageBase", "AssistantFields", "AssistantMessage"],
  parser: ["OutputParser", "JsonOutputParser", "JsonViews"],
  prompt: ["Template"],
  runtime: ["ToolRuntime"],
};

function rowsOf(page: string): TableRow[] {
  return tableRows(readFileSync(join(root, `docs/learn/migration/${page}.md`), "utf8"));
}

function isOurs(span: string): boolean {
  const [, receiver, name = ""] = /^(?:(\w+)\.)?(\w+)(?:\(\))?$/.exec(span) ?? [];
  if (receiver === undefined) return exportedNames.has(name);
  return membersOf(...(receivers[receiver] ?? [])).has(name);
}
