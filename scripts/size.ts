/**
 * `npm run size`: measures the size of each entry in a page and writes the table of docs/internals/sizes.md. It reads the sources: no
 * build is needed.
 */
import { readFileSync } from "node:fs";
import { measure, measured } from "./size-measure.js";
import { withSizes } from "./size-table.js";
import { writeFormatted } from "./write-formatted.js";

const file = "docs/internals/sizes.md";
const sizes = await measure(measured);
writeFormatted(file, withSizes(readFileSync(file, "utf8"), sizes));
for (const { what, minified, gzipped } of sizes) {
  console.log(`${what}: ${minified} bytes, ${gzipped} gzipped`);
}
