import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/**
 * The models that the README, the docs, the templates and the help of the command name, as of November 2026. Providers
 * retire models after a year or two. To replace one, change it here, and then in the places that this test prints.
 */
const current: ReadonlySet<string> = new Set([
  "gpt-6.1-terra",
  "claude-sonnet-5-5",
  "claude-opus-5-5",
  "claude-haiku-4-5",
  "gemini-3.8-flash",
]);

/** Tables of abilities name models of all ages, and reports name those that were measured. */
const others = /^src\/models\/|^docs\/(?:api|exports|internals)\//;

test("the papers name current models", () => {
  const root = join(import.meta.dirname, "../..");
  const listed = execFileSync("git", ["ls-files", "README*.md", "docs", "templates", "src", "playground"], {
    cwd: root,
    encoding: "utf8",
  });
  const files = listed
    .split("\n")
    .filter((file) => /\.(?:md|ts|tsx|vue|svelte|json)$/.test(file) && !others.test(file));
  expect(files.length).toBeGreaterThan(300);
  const wrong = files.flatMap((file) => {
    const names = readFileSync(join(root, file), "utf8").matchAll(
      /\b(?:gpt-\d[\d.]*(?:-[a-z]+)*|claude-(?:opus|sonnet|haiku)-\d(?:-\d)?|gemini-\d[\d.]*-[a-z-]+)\b/g,
    );
    return [...names].flatMap(([name]) => (current.has(name) ? [] : [`${file}: ${name}`]));
  });
  expect(wrong).toEqual([]);
});
