import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { publicOptions } from "../../scripts/public-options.js";

/** docs/reference/options.md lists each option of the types. */

const options = publicOptions();

test("docs/reference/options.md lists every public option, and no other; if not, run npm run options", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/reference/options.md"), "utf8");
  const listed = [...page.matchAll(/^- \*\*`(\w+)`\*\* in `(\w+)`: /gm)].map(
    ([, name, owner]) => `${name} ${owner}`,
  );
  expect(options.length).toBeGreaterThan(100);
  expect(listed).toEqual(options.map(({ name, owner }) => `${name} ${owner}`));
});

test("no option has its unit in its name", () => {
  expect(options.filter(({ name }) => /(?:Ms|Millis|Milliseconds|Seconds)$/.test(name))).toEqual([]);
});

test("every count of retries is called maxRetries", () => {
  const retries = options.filter(({ name }) => /^(?:retries|times|attempts|maxAttempts)$/.test(name));
  expect(retries).toEqual([]);
});

/** Options that the caller sets, without a default. */
const notALimit = new Set(["maxTokens", "maxMessages", "maxPerRun"]);

test("docs/reference/threats.md lists every limit of the options, and only options", () => {
  const names = new Set(options.map(({ name }) => name));
  const page = readFileSync(join(import.meta.dirname, "../../docs/reference/threats.md"), "utf8");
  const table = page.slice(page.indexOf("\n## Limits"));
  const listed = [...table.matchAll(/^\|[^|]*\| *`(\w+)(?:\.\w+)?` *\|/gm)].map(([, name = ""]) => name);
  expect(listed.length).toBeGreaterThan(25);
  expect(listed.filter((name) => !names.has(name))).toEqual([]);
  const limits = [...names].filter((name) => /^max[A-Z]/.test(name) && !notALimit.has(name));
  expect(limits.filter((name) => !listed.includes(name))).toEqual([]);
});
