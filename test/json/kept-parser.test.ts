import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { bundledPrograms } from "../support/bundled-programs.js";

test("one parser of each kind stays alive after a collection, with and without a guard", () => {
  const [program = ""] = bundledPrograms(fileURLToPath(new URL("support/parsers-left.ts", import.meta.url)));
  const output = execFileSync(process.execPath, [program], { encoding: "utf8" });
  const { kinds, left } = JSON.parse(output) as { readonly kinds: number; readonly left: number };
  expect(left).toBeGreaterThanOrEqual(kinds);
  expect(left).toBeLessThan(50);
});
