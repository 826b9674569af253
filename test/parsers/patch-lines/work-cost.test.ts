import type { JsonValue, PatchLineError } from "millrace";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type CountedPackage, countedPackage } from "../../support/counted-steps.js";
import { linesOf } from "./support/read-lines.js";

let counted: CountedPackage;

beforeAll(async () => {
  counted = await countedPackage();
});

afterAll(() => {
  counted.close();
});

const numbers = z.array(z.number()).optional();
const schema = z.object({ a: numbers, b: numbers });
const anything = z.object({ a: z.array(z.any()) });

interface ReadCost {
  readonly stepsPerCharacter: number;
  readonly errors: readonly PatchLineError[];
  readonly value: JsonValue;
}

function costOf(text: string, options: { readonly schema?: typeof schema | typeof anything } = {}): ReadCost {
  const errors: PatchLineError[] = [];
  const parser = counted.millrace.patchLines({ ...options, onLineError: (error) => errors.push(error) });
  let value: unknown;
  const steps = counted.stepsOf(() => {
    value = parser.parse(text);
  });
  return { stepsPerCharacter: steps / text.length, errors, value: value as JsonValue };
}

const add = (path: string, value: unknown): object => ({ op: "add", path, value });
const list = (length: number): number[] => Array.from({ length }, (_, i) => i);
const members = (length: number): object =>
  Object.fromEntries(Array.from({ length }, (_, i) => [`k${i}`, i]));

// G-parsers-11
describe("work on the document is paid by the text:", () => {
  test.each<
    [string, number, (size: number) => object, readonly object[], { readonly schema?: typeof schema }]
  >([
    [
      "a list that moves to and fro is checked with the schema",
      2_000,
      (size) => add("", { a: list(size) }),
      [
        { op: "move", from: "/a", path: "/b" },
        { op: "move", from: "/b", path: "/a" },
      ],
      { schema },
    ],
    [
      "an object is shared and then changed",
      2_000,
      (size) => add("", { a: members(size) }),
      [
        { op: "copy", from: "/a", path: "/b" },
        { op: "add", path: "/b/x", value: 1 },
      ],
      {},
    ],
    [
      "a large object is compared with an empty one",
      4_000,
      (size) => add("", { a: members(size) }),
      [{ op: "test", path: "/a", value: {} }],
      {},
    ],
    [
      "a list is copied into another",
      2_000,
      (size) => add("", { a: list(size), b: [] }),
      [{ op: "copy", from: "/a", path: "/b/-" }],
      {},
    ],
    [
      "a value is replaced by one that the schema refuses, and changed",
      2_000,
      (size) => add("", { a: list(size) }),
      [
        { op: "add", path: "/a/-", value: 1 },
        { op: "replace", path: "/a", value: [1, "x"] },
      ],
      { schema },
    ],
  ])("%s", (_, size, first, again, options) => {
    const read = (times: number): ReadCost =>
      costOf(linesOf(first(times * size)) + linesOf(...again).repeat((times * 500) / again.length), options);
    const [short, long] = [read(1), read(4)];
    expect(long.stepsPerCharacter).toBeLessThan(1.5 * short.stepsPerCharacter);
    expect(long.stepsPerCharacter).toBeLessThan(1_000);
  });

  test("an error says what was spent, what is allowed, and what to do", () => {
    const text = linesOf(add("/a", []), ...Array<object>(40).fill({ op: "copy", from: "", path: "/a/-" }));
    for (const options of [{}, { schema: anything }]) {
      const { errors, value, stepsPerCharacter } = costOf(text, options);
      expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(["max_work"]));
      expect(errors[0]?.message).toMatch(
        /would be \d+, and \d+ is allowed: 65536, and 64 for each of \d+ char/,
      );
      expect(JSON.stringify(value).length).toBeLessThan(65_536 + 64 * text.length);
      expect(stepsPerCharacter).toBeLessThan(1_000);
    }
  });

  test("text that comes later pays again, and maxWork changes the factor", () => {
    const first = linesOf(add("", { a: list(20_000), b: [] }));
    const copy = linesOf({ op: "copy", from: "/a", path: "/b/-" });
    const { errors, value } = costOf(first + copy.repeat(120) + linesOf(add("/c", list(20_000))) + copy);
    expect(errors.length).toBeGreaterThan(10);
    expect(errors.length).toBeLessThan(90);
    expect(value).toMatchObject({ c: list(20_000) });
    expect(errors.at(-1)?.operation).toBe(121);
    const parser = counted.millrace.patchLines({ maxWork: Infinity });
    expect(parser.parse(first + copy.repeat(100))).toMatchObject({ b: { length: 100 } });
  });
});
