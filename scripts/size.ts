/**
 * `npm run size`: measures what a page pays for each entry, and writes the table of the README. `-- --check` writes nothing,
 * and fails if the table is far off. Reads the sources, so that no build is needed.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { format, resolveConfig } from "prettier";
import { measure, measured } from "./size-measure.js";
import { offSizes, withSizes } from "./size-table.js";

const file = "README.md";
const markdown = readFileSync(file, "utf8");
const sizes = await Promise.all(measured.map(measure));
if (process.argv.includes("--check")) {
  for (const { what, size, told } of offSizes(markdown, sizes)) {
    console.log(
      `${what}: ${size.minified} bytes, ${size.gzipped} gzipped; ${file} says ${told ?? "nothing"}. Run: npm run size`,
    );
    process.exitCode = 1;
  }
} else {
  const options = { ...(await resolveConfig(file)), filepath: file };
  writeFileSync(file, await format(withSizes(markdown, sizes), options));
  for (const { what, minified, gzipped } of sizes) {
    console.log(`${what}: ${minified} bytes, ${gzipped} gzipped`);
  }
}
