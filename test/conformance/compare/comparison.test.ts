import { readFileSync } from "node:fs";
import { join } from "node:path";
import { JsonParser } from "millrace/json";
import { describe, expect, test } from "vitest";
import { formatProperties } from "./format-properties.js";
import { readers } from "./json-readers.js";
import { loadPeer } from "../../support/peers.js";
import { type TableRow, tableRows } from "../../house/support/markdown-tables.js";
import { packageFacts } from "./package-facts.js";
import { readerProperties } from "./reader-properties.js";
import { sameAppSection } from "./same-app/section.js";
import { stackProperties } from "./stack-properties.js";
import { answeringAiSdk } from "./streaming-models.js";

/**
 * Each cell of the comparison is checked with the installed version of the library. The test fails if a cell, ours or
 * another's, is no longer true, or if a figure differs from the benchmark.
 */

const rows = tableRows(
  readFileSync(join(import.meta.dirname, "../../../docs/learn/comparison.md"), "utf8"),
).filter(({ section }) => section !== sameAppSection); // same-app.test.ts

type FindOut = (library: never) => Promise<string> | string;

/** The checks for the cells of a row, by the heading of its table. */
const properties: Readonly<Record<string, Readonly<Record<string, FindOut>>>> = {
  "Streaming JSON parsers": readerProperties,
  "Libraries that call models": readerProperties,
  "Structured answers of models": stackProperties,
  "XML, lists and chunks": formatProperties,
  "Where others are better": packageFacts,
};

for (const [section, finders] of Object.entries(properties)) {
  describe(section, () => {
    const ofSection = rows.filter((row) => row.section === section);

    for (const row of ofSection) {
      test(labelOf(row), async () => {
        const findOut = finders[labelOf(row)];
        expect(findOut, "nothing finds out the cells of this row").toBeDefined();
        const [, ...libraries] = row.head;
        const cells: string[] = [];
        for (const library of libraries) cells.push(await findOut!(library as never));
        expect(sizesAside(cells, row)).toEqual(row.cells.slice(1));
      });
    }
  });
}

test("every checked row is on the page", () => {
  for (const finders of new Set(Object.values(properties))) {
    const sections = Object.keys(properties).filter((section) => properties[section] === finders);
    const labels = rows.filter(({ section }) => sections.includes(section)).map(labelOf);
    expect(Object.keys(finders).filter((label) => !labels.includes(label))).toEqual([]);
  }
});

test("every table of the page has checks", () => {
  expect(rows.filter(({ section }) => !(section in properties))).toEqual([]);
  expect(new Set(rows.flatMap(({ head }) => head.slice(1)))).toEqual(new Set(Object.keys(readers)));
});

test("the AI SDK reads to the end when its stream is left, and stops at its abortSignal", async () => {
  const { Output, streamText } = await loadPeer("ai");
  const leave = async (abort: boolean): Promise<number> => {
    let read = 0;
    async function* source(): AsyncGenerator<string> {
      yield '{"v": ["a"';
      for (read = 1; read < 50; read++) {
        await new Promise(setImmediate);
        yield ', "b"';
      }
    }
    const controller = new AbortController();
    const { partialOutputStream } = streamText({
      model: answeringAiSdk(source()),
      prompt: "?",
      output: Output.json(),
      abortSignal: controller.signal,
      onError: () => {},
    });
    for await (const _ of partialOutputStream) break;
    if (abort) controller.abort();
    for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate);
    return read;
  };
  expect(await leave(false)).toBe(50);
  expect(await leave(true)).toBeLessThan(10);
});

test("partial-json has an option to hide growing numbers", async () => {
  const { Allow, parse } = await import("partial-json");
  expect(parse('{"v": 12', Allow.ALL & ~Allow.NUM)).toEqual({});
});

test("JsonParser rejects a text longer than maxLength", () => {
  const parser = new JsonParser({ maxLength: 10 });
  expect(() => {
    parser.write('["0123456789"]');
  }).toThrow(expect.objectContaining({ code: "max_length" }));
});

test("stream-json yields tokens of an incomplete document, and no value", async () => {
  const { jsonParser } = await import("stream-json/core/parser.js");
  const tokens = jsonParser()('[{"a": 1}, {"a": ');
  expect(tokens).toMatchObject({
    values: expect.arrayContaining([{ name: "keyValue", value: "a" }]) as unknown,
  });
});

/** The first cell without code marks. */
function labelOf({ cells: [label = ""] }: TableRow): string {
  return label.replaceAll("`", "");
}

/** A size may differ from the page by 5 %, because compilers differ. */
function sizesAside(cells: readonly string[], row: TableRow): readonly string[] {
  if (!labelOf(row).startsWith("KB ")) return cells;
  return cells.map((cell, index) => {
    const onPage = row.cells[index + 1] ?? "";
    return Math.abs(Number(cell) / Number(onPage) - 1) <= 0.05 ? onPage : cell;
  });
}
