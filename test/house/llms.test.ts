import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { addLlmsText, llmsFile, llmsText } from "../../scripts/llms-text.js";
import { linksOf } from "./site-links.js";

const root = join(import.meta.dirname, "../..");
const text = llmsText(root);

describe("llms.txt", () => {
  test("is up to date: npm run llms", () => {
    expect(readFileSync(join(root, llmsFile), "utf8")).toBe(text);
  });

  test("describes each page in one sentence", () => {
    const lines = text
      .split("\n")
      .filter((line) => line.startsWith("- ") && !line.includes("](internals/benchmarks/"));
    expect(lines.length).toBeGreaterThan(40);
    expect(lines.filter((line) => !/^- \[[^\]]+\]\(\S+\.md\): [A-Z`].*[.!?]$/.test(line))).toEqual([]);
  });

  test("links to files of the site", () => {
    const site = mkdtempSync(join(tmpdir(), "millrace-llms-"));
    try {
      addLlmsText(root, site);
      expect(readFileSync(join(site, "llms.txt"), "utf8")).toBe(text);
      expect(linksOf(text).filter((link) => !existsSync(join(site, link)))).toEqual([]);
    } finally {
      rmSync(site, { recursive: true });
    }
  });
});
