import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tableRows } from "../../house/support/markdown-tables.js";
import { compareApps } from "./same-app/compare-apps.js";
import { sameAppSection } from "./same-app/section.js";

/** The table of the same app in docs/learn/comparison.md, which `npm run compare:apps` writes. */

test("the same app behaves as the comparison says", { timeout: 600_000 }, async () => {
  const page = readFileSync(join(import.meta.dirname, "../../../docs/learn/comparison.md"), "utf8");
  const shown = tableRows(page).filter(({ section }) => section === sameAppSection);
  const rows = await compareApps(3);
  const near = (cell: string, told: string, tolerance: number): boolean => {
    const [figure, known] = [cell, told].map((text) => Number(text.replaceAll(",", ""))) as [number, number];
    return tolerance === Infinity ? known > 0 : Math.abs(figure - known) <= tolerance * known;
  };
  const found = rows.map(({ label, cells, tolerance }, index) => [
    label,
    ...cells.map((cell, column) => {
      const told = shown[index]?.cells[column + 1] ?? "";
      return tolerance !== undefined && near(cell, told, tolerance) ? told : cell;
    }),
  ]);
  expect(found).toEqual(shown.map(({ cells }) => cells));
});
