/** `npm run size`: builds the package, measures its entries in a page, and writes the table of docs/internals/sizes.md. */
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
