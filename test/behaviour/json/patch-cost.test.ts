import { type JsonValue, patchLines } from "millrace";
import { type AnyPatchOperation, applyPatch } from "millrace/json";
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

// G-json-1
describe("applyPatch() does work in proportion to the value and the patch:", () => {
  const object = (count: number): JsonValue => Object.fromEntries(members(count));
  test.each<[string, (count: number) => JsonValue, readonly AnyPatchOperation[]]>([
    [
      "a large object is shared and then changed",
      object,
      [
        { op: "copy", from: "/a", path: "/b" },
        { op: "add", path: "/b/x", value: 1 },
      ],
    ],
    ["a large object is compared with an empty one", object, [{ op: "test", path: "/a", value: { k0: 0 } }]],
    [
      "the first of many elements goes",
      numbers,
      [
        { op: "remove", path: "/a/0" },
        { op: "add", path: "/a/0", value: 1 },
      ],
    ],
  ])("%s", (_, valueOf, again) => {
    const { applyPatch } = counted.millrace;
    const outcome = (count: number): [steps: number, error: unknown] => {
      const patch = Array.from({ length: count }, () => again).flat();
      const value = { a: valueOf(count) };
      let error: unknown;
      const steps = counted.stepsOf(() => {
        try {
          applyPatch(value, patch);
        } catch (caught) {
          error = caught;
        }
      });
      return [steps, error];
    };
    const [[short], [long]] = [outcome(1_000), outcome(4_000)];
    expect(long).toBeLessThan(1.5 * 4 * short);
  });

  test("ends with an error that says what was spent, what is allowed, and what to do", () => {
    const [value, patch] = [{ a: Object.fromEntries(members(4_000)) }, [] as AnyPatchOperation[]];
    for (let i = 0; i < 4_000; i++)
      patch.push({ op: "copy", from: "/a", path: "/b" }, { op: "add", path: "/b/x", value: 1 });
    expect(() => applyPatch(value, patch)).toThrow(
      expect.objectContaining({
        code: "max_work",
        message: expect.stringMatching(
          /would be \d+, and \d+ is allowed: 65536, and 64 for each of \d+/,
        ) as string,
      }) as Error,
    );
    // What moves an element over all others is not refused, as it takes little.
    expect(
      applyPatch(
        Array.from({ length: 50_000 }, (_, i) => i),
        Array.from({ length: 2_000 }, () => ({ op: "move", from: "/0", path: "/-" }) as const),
      ),
    ).toHaveLength(50_000);
  });

  test("a move that takes too much is refused whole", () => {
    const lines = ['{"op":"add","path":"","value":{"a":{},"l":[' + "0,".repeat(400_000) + "1]}}"];
    for (let i = 0; i < 4_000; i++)
      lines.push(`{"op":"move","from":"/a","path":"/l/0"}`, `{"op":"move","from":"/l/0","path":"/a"}`);
    const value = patchLines({ onLineError: () => {} }).parse(lines.join("\n")) as {
      l: JsonValue[];
      a?: JsonValue;
    };
    expect([value.a, value.l[0]]).toContainEqual({});
  });
});

// G-json-1
test("a patch in which a key is repeated costs the same at any depth", () => {
  const last = `${members(2_000)
    .map(([key, value]) => `"${key}":${value}`)
    .join()},"k0":1`;
  const [shallow = 0, deep = 0] = [300, 900].map((depth) => {
    const before = `${'{"a":'.repeat(depth)}{`;
    const steps = (text: string): number =>
      counted.stepsOf(() => {
        const parser = new counted.millrace.JsonParser();
        parser.write(before);
        parser.takePatch();
        parser.write(text);
        if (parser.takePatch().length !== 2_000) throw new Error("A repeated key needs one operation.");
      });
    return steps(`${last},"k0":1`) - steps(last);
  });
  expect(shallow).toBeGreaterThan(2_000);
  expect(deep).toBeLessThan(1.5 * shallow);
});
