/**
 * `npm run size`: measures the size of each entry in a page and writes the table of docs/internals/sizes.md. It reads the sources: no
 * build is needed.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { format, resolveConfig } from "prettier";
import { measure, measured } from "./size-measure.js";
import { withSizes } from "./size-table.js";

const file = "docs/internals/sizes.md";
const sizes = await Promise.all(measured.map(measure));
const options = { ...(await resolveConfig(file)), filepath: file };
writeFileSync(file, await format(withSizes(readFileSync(file, "utf8"), sizes), options));
for (const { what, minified, gzipped } of sizes) {
  console.log(`${what}: ${minified} bytes, ${gzipped} gzipped`);
}
