import { readFileSync } from "node:fs";
import { join } from "node:path";
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

/** papers.test.ts checks that the tests exist. */
test("each LangChain feature is the same or differs for a reason, and has a test", () => {
  const rows = rowsOf("langchain-features");
  expect(new Set(rows.map(({ section }) => section)).size).toBe(6);
  const wrong = rows.filter(
    ({ cells: [, , difference = "", proof = ""] }) =>
      !/^(?:same$|same; \S|differs: \S)/.test(difference) || !/^`test\/[\w./-]+\.test\.ts`$/.test(proof),
  );
  expect(wrong).toEqual([]);
});

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
