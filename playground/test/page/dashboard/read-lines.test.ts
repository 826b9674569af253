import { from, pipe } from "millrace";
import { expect, test } from "vitest";
import { type LinesRead, noLines, readLines } from "../../../src/page/dashboard/read-lines.js";
import { dashboardComponents, dashboardText } from "../../../src/page/input/dashboard-sample.js";
import { fromSpecStream } from "millrace/ui";

const lines = [
  "Here:",
  '{"op":"add","path":"/root","value":"a"}',
  '{"op":"add","path":"/elements/a","value":{"type":"Text",}}',
  '{"op":"replace","path":"/none/a","value":1}',
  '{"op":"add","path":"/elements/b","value":{"type":"Text"}}',
].join("\n");

test("reads whole lines, and drops those that are not JSON or do not fit", () => {
  const wanted = {
    value: { root: "a", elements: { b: { type: "Text" } } },
    length: lines.length,
    lines: 4,
    dropped: 2,
  };
  for (const size of [1, 7, 1_000]) {
    let read: LinesRead = noLines;
    for (let end = size; end < lines.length; end += size) read = readLines(read, lines.slice(0, end), false);
    expect(read.value).not.toHaveProperty("elements.b");
    expect(readLines(read, lines, true)).toEqual(wanted);
  }
});

test("the sample has one line that is repaired and one that is taken back", async () => {
  const repairs: string[] = [];
  const refused: string[] = [];
  const parser = fromSpecStream({
    catalogue: { components: dashboardComponents as never },
    onRepair: ({ kind }) => repairs.push(kind),
    onLineError: ({ code, path }) => refused.push(`${code} ${path ?? ""}`),
  });
  let spec: unknown;
  for await (const next of pipe(from([dashboardText]), parser.snapshots)) spec = next;
  const { elements } = spec as { elements: Record<string, { type: string; children: string[] }> };
  expect(new Set(Object.values(elements).map(({ type }) => type))).toEqual(
    new Set(Object.keys(dashboardComponents)),
  );
  expect(
    Object.values(elements)
      .flatMap(({ children }) => children)
      .toSorted(),
  ).toEqual(
    Object.keys(elements)
      .filter((name) => name !== "page")
      .toSorted(),
  );
  expect([repairs, refused]).toEqual([
    ["unquoted_key", "quote", "trailing_comma"],
    ["schema /elements/days"],
  ]);
});
