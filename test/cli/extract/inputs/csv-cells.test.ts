import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { collect, from, pipe } from "millrace";
import { everyWay } from "millrace/testing";
import { expect, test } from "vitest";
import { csvCells } from "#src/cli/extract/inputs/csv-cells.js";

async function read(...chunks: readonly string[]): Promise<(readonly string[])[]> {
  return (await collect(pipe(from(chunks), csvCells("a.csv", ",")))).map(({ cells }) => cells);
}

test.each([
  [
    "a,b\n1,2\n",
    [
      ["a", "b"],
      ["1", "2"],
    ],
  ],
  [
    "a,b\r\n1,",
    [
      ["a", "b"],
      ["1", ""],
    ],
  ],
  ['"a ""b""","c\nd,e"\r"f"', [['a "b"', "c\nd,e"], ["f"]]],
  ['5" pipe, x\n\n\n""\n', [['5" pipe', " x"], [""]]],
  ["", []],
])("%j is read in every way to cut it", async (text, expected) => {
  for (const pieces of everyWay(text)) expect(await read(...pieces)).toEqual(expected);
});

test("each row has the line on which it begins", async () => {
  const rows = await collect(pipe(from(['a\r\n"b\r\nc"\r\n\r\nd']), csvCells("a.csv", ",")));
  expect(rows.map(({ line }) => line)).toEqual([1, 2, 5]);
});

test("text after a closing quote, and a quote without an end, are errors with their line", async () => {
  await expect(read('a\n"b"c\n')).rejects.toThrow(/line 2/);
  await expect(read('a\nb\n"c\n')).rejects.toThrow(/line 3/);
});

test("rows are those of csv-parse", async () => {
  const cell = fc.stringMatching(/^[ab" ,\r\n]{0,4}$/);
  const quote = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const tables = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(tables, fc.constantFrom("\n", "\r\n"), async (table, end) => {
      const text = table.map((row) => row.map(quote).join(",")).join(end);
      expect(await read(text)).toEqual(parse(text, { relax_column_count: true, record_delimiter: end }));
    }),
    { numRuns: 300 },
  );
});
