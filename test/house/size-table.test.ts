import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { measure, measured } from "../../scripts/size-measure.js";
import { offSizes } from "../../scripts/size-table.js";

test("the sizes in the README are at most 2 % off; if not, run npm run size", async () => {
  const readme = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8");
  expect(offSizes(readme, await Promise.all(measured.map(measure)))).toEqual([]);
}, 60_000);
