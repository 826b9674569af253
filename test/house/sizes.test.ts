import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { entryNames } from "../../scripts/entries.js";
import { measure, measured, named } from "../../scripts/size-measure.js";
import { offSizes } from "../../scripts/size-table.js";

/**
 * The table of docs/internals/sizes.md is the ceiling of each row, with a tolerance of 2 %. If a change makes a row larger,
 * decide whether it is worth its bytes to everybody who imports it. Then `npm run size` writes the table anew.
 */
const sizes = measure(measured);

// G-package-1
test("the sizes in docs/internals/sizes.md are at most 2 % off; if not, run npm run size", async () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/internals/sizes.md"), "utf8");
  expect(offSizes(page, await sizes)).toEqual([]);
});

// G-package-1
test("every entry of the package has a row", () => {
  const rows = measured.map(({ what }) => what);
  for (const entry of entryNames) expect(rows).toContain(`\`${entry}\``);
});

const ceilings = [
  ["createObjectStore", "client", 8],
  ["createThreadClient", "client", 8],
  ...["react", "vue", "svelte", "solid"].flatMap((entry) => [
    ["useObject", entry, 8] as const,
    ["useThread", entry, 8] as const,
    ["useObject, useThread", entry, 10] as const,
  ]),
] as const;
const underCeilings = measure(ceilings.map(([names, entry]) => named(names, `millrace/${entry}`)));

// G-package-1
test.each(ceilings)(
  "{ %s } of millrace/%s has at most %i KB, minified and gzipped",
  async (names, entry, most) => {
    const { what } = named(names, `millrace/${entry}`);
    const size = (await underCeilings).find((it) => it.what === what);
    expect(size?.gzipped).toBeLessThanOrEqual(most * 1024);
  },
);
