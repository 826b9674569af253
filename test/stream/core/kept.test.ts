import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { bundledPrograms } from "../../support/bundled-programs.js";

test("a queue and an inlet stay alive after a collection, and few more", () => {
  const [program = ""] = bundledPrograms(fileURLToPath(new URL("support/streams-left.ts", import.meta.url)));
  const output = execFileSync(process.execPath, [program], { encoding: "utf8" });
  for (const left of JSON.parse(output) as number[]) {
    expect(left).toBeGreaterThanOrEqual(1);
    expect(left).toBeLessThan(15);
  }
});
