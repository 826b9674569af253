import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jsonText } from "#src/text/json-text.js";
import { runs } from "../json/support/runs.js";

/** Brackets inside each other. */
function nested(depth: number): unknown {
  return JSON.parse("[".repeat(depth) + "]".repeat(depth));
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

describe("the text", () => {
  test("is that of JSON.stringify(), for any value that it can write", () => {
    const anything = fc.anything({
      withBoxedValues: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withSparseArray: true,
      withTypedArray: true,
    });
    fc.assert(
      fc.property(anything, (value) => {
        const expected: string | undefined = JSON.stringify(value);
        const { text, problem } = jsonText(value);
        expect(problem === undefined ? text : undefined).toBe(expected);
      }),
      { numRuns: runs },
    );
  });

  test("has the values of toJSON(), with the key of the member", () => {
    const keyed = { toJSON: (key: string) => ({ key }) };
    const value = {
      a: keyed,
      b: [keyed],
      date: new Date(0),
      none: { toJSON: () => undefined },
      f: keyed.toJSON,
    };
    expect(jsonText(value).text).toBe(JSON.stringify(value));
    expect(jsonText(keyed).text).toBe(JSON.stringify(keyed));
  });

  test("needs no stack: any depth is written", () => {
    const deep = nested(50_000);
    expect(() => JSON.stringify(deep)).toThrow(RangeError);
    const { text, problem } = jsonText(deep);
    expect(problem).toBeUndefined();
    expect(text).toBe("[".repeat(50_000) + "]".repeat(50_000));
  });
});

describe("a problem comes with the text before it:", () => {
  const cycle: { a: unknown[] } = { a: [1, {}] };
  (cycle.a[1] as { b: unknown }).b = cycle;
  const thrower = {
    a: 1,
    get b() {
      throw new Error("no");
    },
  };
  const hostile: Readonly<Record<string, readonly [value: unknown, before: string]>> = {
    "a cycle": [cycle, '{"a":[1,{'],
    "a bigint": [[1, { n: 1n }], "[1,{"],
    "a getter that throws": [thrower, '{"a":1'],
    "a revoked proxy": [[1, revoked()], "[1"],
    "a revoked proxy alone": [revoked(), ""],
    "nothing that JSON has": [undefined, ""],
    "a symbol": [Symbol("s"), ""],
  };

  test.each(Object.entries(hostile))("%s", (_name, [value, before]) => {
    const { text, problem } = jsonText(value);
    expect(problem).toBeTypeOf("string");
    expect(text).toBe(before);
  });

  test("the place of a cycle is in it", () => {
    expect(jsonText(cycle).problem).toContain("/a/1/b");
  });

  test("what was thrown is its cause", () => {
    const error = new Error("no");
    const { cause } = jsonText({
      toJSON: () => {
        throw error;
      },
    });
    expect(cause).toBe(error);
  });
});

describe("the limits", () => {
  test("maxLength bounds the text, and the work", () => {
    // 2^40 values, of which each is an object twice.
    let wide: unknown = 1;
    for (let i = 0; i < 40; i++) wide = [wide, wide];
    const { text, problem } = jsonText(wide, { maxLength: 100 });
    expect(text).toHaveLength(100);
    expect(problem).toBeTypeOf("string");
    expect(jsonText("x".repeat(1_000), { maxLength: 10 }).text).toBe(`"${"x".repeat(9)}`);
  });

  test("maxDepth bounds the depth", () => {
    const enough = jsonText(nested(10), { maxDepth: 10 });
    expect(enough).toMatchObject({ text: "[".repeat(10) + "]".repeat(10), problem: undefined });
    const tooDeep = jsonText(nested(11), { maxDepth: 10 });
    expect(tooDeep.text).toBe("[".repeat(10));
    expect(tooDeep.problem).toBeTypeOf("string");
  });

  test("an endless value ends at a limit", () => {
    class Endless {
      readonly next: unknown;
      constructor() {
        Object.defineProperty(this, "next", { enumerable: true, get: () => new Endless() });
      }
    }
    const endless = new Endless();
    expect(jsonText(endless, { maxDepth: 1_000 }).problem).toBeTypeOf("string");
    expect(jsonText(endless, { maxLength: 1_000 }).text).toHaveLength(1_000);
  });
});

test("members can be left out", () => {
  const omit = (key: string): boolean => key === "data";
  expect(jsonText({ data: 1, a: [{ data: 2, b: 3 }] }, { omit }).text).toBe('{"a":[{"b":3}]}');
});
