import type { JsonValue } from "millrace";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CountedPackage, countedPackage } from "../../support/counted-steps.js";

let counted: CountedPackage;

beforeAll(async () => {
  counted = await countedPackage();
});

afterAll(() => {
  counted.close();
});

/** How many steps the test takes in a document that has the other value. */
function stepsOfTest(there: JsonValue, value: JsonValue): number {
  const { applyPatch } = counted.millrace;
  let caught: unknown;
  const steps = counted.stepsOf(() => {
    try {
      applyPatch({ a: there }, [{ op: "test", path: "/a", value }]);
    } catch (error) {
      caught = error;
    }
  });
  expect(caught).toMatchObject({ code: "test_failed" });
  return steps;
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const members = (count: number): [string, number][] => numbers(count).map((i) => [`k${i}`, i]);

// G-json-1
describe("a test costs what its value is long, not what the document is long:", () => {
  test.each<[string, (count: number) => JsonValue, JsonValue]>([
    ["a list that is longer", numbers, [0]],
    ["an object that has more members", (count) => Object.fromEntries(members(count)), { k0: 1 }],
    ["an object without the member", (count) => Object.fromEntries(members(count)), { x: 0 }],
    ["a list where an object is expected", numbers, { 0: 0 }],
    ["an object where a list is expected", (count) => Object.fromEntries(members(count)), [0]],
    ["a list inside a list", (count) => [numbers(count)], [[0]]],
  ])("%s", (_, valueOf, value) => {
    const [short, long] = [10, 10_000].map((count) => stepsOfTest(valueOf(count), value));
    expect(short).toBeGreaterThan(10);
    expect(long).toBe(short);
  });

  test("a comparison stops at the first difference", () => {
    const [first, last] = [0, 9_999].map((at) => stepsOfTest(numbers(10_000), numbers(10_000).with(at, -1)));
    expect(last).toBeGreaterThan(10_000);
    expect(first).toBeLessThan(200);
    const lists = numbers(10_000).map((i) => [i]);
    expect(stepsOfTest(lists, lists.with(0, [-1]))).toBeLessThan(200);
  });
});
