import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BalancedFold } from "#src/outputs/balanced-fold.js";

describe("a balanced fold", () => {
  test("equals a fold from the left at every moment", () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 40 }), (items) => {
        const fold = new BalancedFold<string>((a, b) => `${a}${b}`);
        expect(fold.value).toBeUndefined();
        for (const [i, item] of items.entries()) {
          fold.add(item);
          expect(fold.value).toBe(items.slice(0, i + 1).join(""));
        }
      }),
    );
  });

  test("copies each item log n times, with n - 1 merges", () => {
    let merges = 0;
    let copied = 0;
    const fold = new BalancedFold<readonly number[]>((a, b) => {
      merges++;
      copied += a.length + b.length;
      return [...a, ...b];
    });
    const count = 10_000;
    for (let i = 0; i < count; i++) fold.add([i]);
    expect(fold.value).toEqual(Array.from({ length: count }, (_, i) => i));
    expect(merges).toBe(count - 1);
    expect(copied).toBeLessThan(count * Math.ceil(Math.log2(count) + 2));
  });
});
