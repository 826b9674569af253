import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";

const source = join(import.meta.dirname, "../../src");
const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) =>
  // The lists of public names are as long as there are names.
  /(?<!\bindex)(?<!\.d)\.tsx?$/.test(file),
);

/** Character by character state machines: one switch that would only be harder to follow in two files. */
const scanners: readonly string[] = [
  "json/repair/lenient-scanner.ts",
  "json/scan/scanner.ts",
  "xml/scan/scanner.ts",
];

describe("a source file does one thing, so", () => {
  test("it has at most 12 KB, a scanner 20 KB", () => {
    const limit = (file: string): number => (scanners.includes(file) ? 20 : 12) * 1024;
    expect(files.filter((file) => statSync(join(source, file)).size > limit(file))).toEqual([]);
  });

  test("it is named after that thing, in kebab-case", () => {
    expect(files.filter((file) => !/^[a-z][a-z0-9]*(-[a-z0-9]+)*\.tsx?$/.test(basename(file)))).toEqual([]);
  });
});
