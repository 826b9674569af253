import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { entryNames } from "../../scripts/entries.js";
import { measure, measured } from "../../scripts/size-measure.js";
import { offSizes } from "../../scripts/size-table.js";

/**
 * The README's table of sizes is the ceiling of each row, with a tolerance of 2 %. If a change makes a row larger,
 * decide whether it is worth its bytes to everybody who imports it. Then `npm run size` writes the table anew.
 */
const sizes = Promise.all(measured.map(measure));

// G-package-1
test("the sizes in the README are at most 2 % off; if not, run npm run size", async () => {
  const readme = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8");
  expect(offSizes(readme, await sizes)).toEqual([]);
});

// G-package-1
test("every entry of the package has a row", () => {
  const rows = measured.map(({ what }) => what);
  for (const entry of entryNames) expect(rows).toContain(`\`${entry}\``);
});

// G-package-1
test.each(["client", "react", "vue", "svelte", "solid"])(
  "millrace/%s has at most 8 KB, minified and gzipped",
  async (entry) => {
    const row = (await sizes).find(({ what }) => what === `\`millrace/${entry}\``);
    expect(row?.gzipped).toBeLessThanOrEqual(8 * 1024);
  },
);
