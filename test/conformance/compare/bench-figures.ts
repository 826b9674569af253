import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tableRows } from "../../house/support/markdown-tables.js";

const folder = join(import.meta.dirname, "../../../docs/internals/benchmarks");

/**
 * A figure of a benchmark table, without its range. `–` if the benchmark has none.
 *
 * @param column the heading of the column
 */
export function benchFigure(bench: string, section: string, row: string | undefined, column: string): string {
  const rows = tableRows(readFileSync(join(folder, `${bench}.md`), "utf8"));
  const found = rows.filter((it) => it.section === section && it.head.includes(column));
  if (found.length === 0)
    throw new Error(`There is no column "${column}" under "${section}" in ${bench}.md.`);
  const cells = found.find((it) => it.cells[0] === row);
  const cell = cells?.cells[cells.head.indexOf(column)] ?? "";
  return /^[\d.,]+/.exec(cell)?.[0] ?? "–";
}
