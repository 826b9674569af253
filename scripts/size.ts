/** `npm run size`: measures what a page pays for each entry, and writes the table of the README. Reads the sources, so needs no build. */
import { readFileSync, writeFileSync } from "node:fs";
import { format, resolveConfig } from "prettier";
import { measure, measured } from "./size-measure.js";
import { withSizes } from "./size-table.js";

const file = "README.md";
const sizes = await Promise.all(measured.map(measure));
const options = { ...(await resolveConfig(file)), filepath: file };
writeFileSync(file, await format(withSizes(readFileSync(file, "utf8"), sizes), options));
for (const { what, minified, gzipped } of sizes) {
  console.log(`${what}: ${minified} bytes, ${gzipped} gzipped`);
}
