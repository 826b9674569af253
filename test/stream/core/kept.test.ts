import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

test("a queue and an inlet stay alive after a collection, and few more", () => {
  const program = fileURLToPath(new URL("support/streams-left.ts", import.meta.url));
  const output = execFileSync(process.execPath, ["--import", "tsx", program], { encoding: "utf8" });
  for (const left of JSON.parse(output) as number[]) {
    expect(left).toBeGreaterThanOrEqual(1);
    expect(left).toBeLessThan(15);
  }
});
