import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { expect, test } from "vitest";
import { entryNames } from "../../scripts/entries.js";
import { measure, measured, named } from "../../scripts/size-measure.js";
import { offSizes } from "../../scripts/size-table.js";

const root = join(import.meta.dirname, "../..");

/**
 * The table of docs/internals/sizes.md is the ceiling of each row, with a tolerance of 2 %. If a change makes a row larger,
 * decide whether it is worth its bytes to everybody who imports it. Then `npm run size` writes the table anew.
 */
const sizes = measure(measured);

// G-package-1
test("the sizes in docs/internals/sizes.md are at most 2 % off; if not, run npm run size", async () => {
  const page = readFileSync(join(root, "docs/internals/sizes.md"), "utf8");
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

test("what is not imported is not in the bundle", async () => {
  const imports = ["zod", "jsonSchema", "zod, jsonSchema"].map((names) => named(names, "millrace/schema"));
  const [one = 0, validator = 0, both = 0] = (await measure(imports)).map(({ gzipped }) => gzipped);
  // A schema of Zod needs at most 14.5 KB, and neither the validator nor the other libraries' code.
  expect(one).toBeLessThan(14.5 * 1_024);
  expect(both).toBeGreaterThan(one + 5_000);
  expect(both).toBeGreaterThan(validator + 3_000);
});

/** Vite bundles with Rolldown. What a page loads at once is its entry, and the files that this imports. */
test.each([
  ["textParser", 13],
  ["xmlParser", 27],
])(
  "a page of Vite with { %s } loads at most %i KB, without what dynamic imports load",
  async (name, most) => {
    const page = join(root, "page.js");
    const bundle = await rolldown({
      input: page,
      platform: "browser",
      external: /^(?:zod|node:)/,
      plugins: [
        {
          name: "page",
          load: (id) => (id === page ? `export { ${name} } from "millrace";` : null),
          resolveId: (id) => (id === page ? id : null),
        },
      ],
    });
    const { output } = await bundle.generate({ minify: true });
    await bundle.close();
    const chunks = new Map(output.map((file) => [file.fileName, file]));
    const loaded = new Set([output[0].fileName]);
    let size = 0;
    for (const file of loaded) {
      const chunk = chunks.get(file);
      if (chunk?.type !== "chunk") continue;
      size += gzipSync(chunk.code, { level: 9 }).length;
      for (const imported of chunk.imports) loaded.add(imported);
    }
    expect(size).toBeGreaterThan(1024);
    expect(size).toBeLessThan(most * 1024);
  },
);
