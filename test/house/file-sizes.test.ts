import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";

const source = join(import.meta.dirname, "../../src");
const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) =>
  // Lists of public names.
  /(?<!\bindex)(?<!\.d)\.tsx?$/.test(file),
);

/** State machines that read character by character, where splitting the switch would not help. */
const scanners: readonly string[] = [
  "json/repair/lenient-scanner.ts",
  "json/repair/lenient-strings.ts",
  "json/scan/scanner.ts",
  "xml/scan/scanner.ts",
];

describe("a source file", () => {
  test("has at most 12 KB, a scanner 20 KB", () => {
    const limit = (file: string): number => (scanners.includes(file) ? 20 : 12) * 1024;
    expect(files.filter((file) => statSync(join(source, file)).size > limit(file))).toEqual([]);
  });

  test("has a name in kebab-case", () => {
    expect(files.filter((file) => !/^[a-z][a-z0-9]*(-[a-z0-9]+)*\.tsx?$/.test(basename(file)))).toEqual([]);
  });
});
