import type { JsonValue } from "millrace";
import { expect } from "vitest";

/** Checks that a value has only grown: strings at their end, arrays and objects by parts, and only in the last part. */
export function expectGrowth(before: JsonValue, after: JsonValue | undefined): void {
  if (before === after) return;
  if (typeof before === "string" && typeof after === "string") {
    expect(after.startsWith(before), `${after} continues ${before}`).toBe(true);
    return;
  }
  expect(typeof after).toBe(typeof before);
  expect(Array.isArray(after)).toBe(Array.isArray(before));
  if (typeof before !== "object" || before === null) expect(after).toBe(before);
  else {
    for (const [key, part] of Object.entries(before)) {
      expect(Object.hasOwn(after as object, key), `${key} is still there`).toBe(true);
      expectGrowth(part, (after as Record<string, JsonValue>)[key]);
    }
  }
}
