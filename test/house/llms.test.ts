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

  test("says what each page is about, in a line that a search engine shows whole", () => {
    const lines = text.split("\n").filter((line) => line.startsWith("- "));
    const about = lines.map((line) => /^- \[[^\]]+\]\(\S+\.md\): ([A-Z].*\.)$/.exec(line)?.[1] ?? line);
    expect(about.length).toBeGreaterThan(70);
    expect(about.filter((line) => !/^[A-Z]/.test(line) || line.length < 30 || line.length > 120)).toEqual([]);
    expect(new Set(about).size).toBe(about.length);
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
