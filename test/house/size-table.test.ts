import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { measure, measured, type Size } from "../../scripts/size-measure.js";
import { offSizes, withSizes } from "../../scripts/size-table.js";

/** The README's table of sizes, against what a bundler makes today. */

describe("the sizes in the README", () => {
  let sizes: readonly Size[];
  beforeAll(async () => {
    sizes = await Promise.all(measured.map(measure));
  }, 60_000);

  test("are at most 2 % off; if not: npm run size", () => {
    const readme = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8");
    expect(offSizes(readme, sizes)).toEqual([]);
  });
});

describe("a table of sizes", () => {
  const size: Size = { what: "`millrace/client`", minified: 10_000, gzipped: 4_000 };
  const empty = "before\n\n<!-- size: written by `npm run size` -->\n<!-- /size -->\n\nafter\n";
  const written = withSizes(empty, [size]);

  test("is written between its marks, in place of the one that was there", () => {
    expect(written).toContain("| `millrace/client` | 10,000 | 4,000 |");
    expect(written).toMatch(/^before\n\n<!--[^]*<!-- \/size -->\n\nafter\n$/);
    expect(withSizes(written, [size])).toBe(written);
    expect(withSizes(written, [])).not.toContain("10,000");
  });

  test("that is up to 2 % off is right", () => {
    expect(offSizes(written, [{ ...size, minified: 10_200, gzipped: 3_930 }])).toEqual([]);
    expect(offSizes(written.replaceAll(" |", "   |"), [size])).toEqual([]); // as Prettier aligns it
  });

  test.each([
    ["minified", { minified: 10_300 }],
    ["gzipped", { gzipped: 3_900 }],
  ])("that is more than 2 %% off is wrong: %s", (_name, change) => {
    expect(offSizes(written, [{ ...size, ...change }]).map(({ what }) => what)).toEqual([size.what]);
  });

  test("tells of all that is measured, and of nothing else", () => {
    const other: Size = { ...size, what: "`millrace/react`" };
    expect(offSizes(written, [size, other])).toEqual([{ what: other.what, size: other, told: undefined }]);
    expect(offSizes(written, []).map(({ what }) => what)).toEqual([size.what]);
  });

  test("has its marks, or it is an error", () => {
    expect(() => withSizes("no marks", [size])).toThrow("lacks the lines");
  });
});
