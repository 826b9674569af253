import type { JsonPatch, JsonValue } from "millrace";
import { type AnyPatchOperation, expandAppends } from "millrace/json";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyPatch } from "../support/apply-patch.js";
import { jsonText } from "../support/arbitraries.js";
import { chunksOf, stepsArbitrary } from "../support/cuts.js";
import { deepFreeze } from "../support/deep-freeze.js";
import { runs } from "../support/runs.js";
import { expectSame } from "../support/same-json.js";
import { parserOf } from "../../support/parser-of.js";

interface Case {
  readonly name: string;
  readonly document: JsonValue | undefined;
  readonly patch: JsonPatch;
  readonly expected: JsonPatch;
}

const cases: readonly Case[] = [
  {
    name: "an append becomes a replace with the whole string",
    document: { name: "Ada " },
    patch: [{ op: "append", path: "/name", value: "Lovelace" }],
    expected: [{ op: "replace", path: "/name", value: "Ada Lovelace" }],
  },
  {
    name: "the root can be the string",
    document: "a",
    patch: [{ op: "append", path: "", value: "b" }],
    expected: [{ op: "replace", path: "", value: "ab" }],
  },
  {
    name: "other operations are unchanged",
    document: { a: 1 },
    patch: [
      { op: "replace", path: "/a", value: 2 },
      { op: "add", path: "/b", value: [] },
    ],
    expected: [
      { op: "replace", path: "/a", value: 2 },
      { op: "add", path: "/b", value: [] },
    ],
  },
  {
    name: "several appends to one string are joined",
    document: { a: "x" },
    patch: [
      { op: "append", path: "/a", value: "y" },
      { op: "append", path: "/a", value: "z" },
    ],
    expected: [
      { op: "replace", path: "/a", value: "xy" },
      { op: "replace", path: "/a", value: "xyz" },
    ],
  },
  {
    name: "an append continues the value of an earlier operation at the same place",
    document: { a: "old" },
    patch: [
      { op: "replace", path: "/a", value: "new" },
      { op: "append", path: "/a", value: "er" },
    ],
    expected: [
      { op: "replace", path: "/a", value: "new" },
      { op: "replace", path: "/a", value: "newer" },
    ],
  },
  {
    name: "an append continues the value of an earlier operation above its place",
    document: { a: { b: ["old"] } },
    patch: [
      { op: "replace", path: "/a", value: { b: ["new"] } },
      { op: "append", path: "/a/b/0", value: "er" },
      { op: "append", path: "/a/b/0", value: "!" },
    ],
    expected: [
      { op: "replace", path: "/a", value: { b: ["new"] } },
      { op: "replace", path: "/a/b/0", value: "newer" },
      { op: "replace", path: "/a/b/0", value: "newer!" },
    ],
  },
  {
    name: "an append ignores earlier operations at other places",
    document: { ab: "x" },
    patch: [
      { op: "add", path: "/a", value: "no" },
      { op: "add", path: "/a2", value: { ab: "no" } },
      { op: "append", path: "/ab", value: "y" },
    ],
    expected: [
      { op: "add", path: "/a", value: "no" },
      { op: "add", path: "/a2", value: { ab: "no" } },
      { op: "replace", path: "/ab", value: "xy" },
    ],
  },
  {
    name: "an appended string is dropped when a later operation replaces its parent",
    document: { a: { b: "x" } },
    patch: [
      { op: "append", path: "/a/b", value: "y" },
      { op: "replace", path: "/a", value: { b: "z" } },
      { op: "append", path: "/a/b", value: "!" },
    ],
    expected: [
      { op: "replace", path: "/a/b", value: "xy" },
      { op: "replace", path: "/a", value: { b: "z" } },
      { op: "replace", path: "/a/b", value: "z!" },
    ],
  },
  {
    name: "the first two patches can be one patch, without a document before",
    document: undefined,
    patch: [
      { op: "replace", path: "", value: { "a/b": { "": "x" } } },
      { op: "append", path: "/a~1b/", value: "y" },
    ],
    expected: [
      { op: "replace", path: "", value: { "a/b": { "": "x" } } },
      { op: "replace", path: "/a~1b/", value: "xy" },
    ],
  },
];

describe("expandAppends", () => {
  test.each(cases)("$name", ({ document, patch, expected }) => {
    deepFreeze(document);
    expect(expandAppends(deepFreeze(patch), document)).toEqual(expected);
  });

  test.each<[string, JsonValue | undefined, string, string]>([
    ["nothing", {}, "/a", 'An append needs a string at "/a", but found nothing.'],
    ["no document", undefined, "", 'An append needs a string at "", but found nothing.'],
    ["a number", { a: 12 }, "/a", 'An append needs a string at "/a", but found a number.'],
    ["null", { a: null }, "/a", 'An append needs a string at "/a", but found null.'],
    ["a long value", { a: ["0123456789".repeat(9)] }, "/a", '"/a", but found an array.'],
    ["an inherited property", {}, "/constructor/name", "but found nothing."],
    ["a member of a string", { a: "x" }, "/a/length", "but found nothing."],
  ])("an append to %s is a TypeError", (_, document, path, message) => {
    const expand = (): unknown => expandAppends([{ op: "append", path, value: "x" }], document);
    expect(expand).toThrow(TypeError);
    expect(expand).toThrow(message);
  });

  test("an append finds its string where other operations have moved it", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(99), { minLength: 1, maxLength: 12 }), (picks) => {
        const document: JsonValue = { list: ["a", "b", "c"], other: "d" };
        let value: JsonValue = document;
        const patch: AnyPatchOperation[] = [];
        for (const pick of picks) {
          const { length } = (value as { list: string[] }).list;
          const at = (n: number): string => `/list/${n % Math.max(1, length)}`;
          const choices: readonly AnyPatchOperation[] = [
            { op: "add", path: at(pick), value: `n${pick}` },
            { op: "add", path: "/list/-", value: "end" },
            { op: "move", from: at(pick), path: at(pick >> 2) },
            { op: "copy", from: "/other", path: at(pick) },
            { op: "append", path: at(pick), value: "+" },
            { op: "append", path: "/other", value: "!" },
            { op: "test", path: "/list/0", value: (value as { list: string[] }).list[0] ?? "" },
            { op: "remove", path: at(pick) },
          ];
          const operation = choices[pick % (length > 1 ? 8 : 6)] as AnyPatchOperation;
          patch.push(operation);
          value = applyPatch(value, [operation]);
        }
        const expanded = expandAppends(patch, document);
        expect(expanded.some(({ op }) => (op as string) === "append")).toBe(false);
        expect(applyPatch(document, expanded)).toEqual(value);
      }),
      { numRuns: runs },
    );
  });

  test.each<[string, JsonPatch]>([
    [
      "an element is inserted before those that the patch has added",
      [
        { op: "add", path: "/list/0", value: "a" },
        { op: "add", path: "/list/1", value: "b" },
        { op: "add", path: "/list/0", value: "c" },
        { op: "append", path: "/list/1", value: "x" },
      ],
    ],
    [
      "an element is inserted into a list that the patch has replaced",
      [
        { op: "replace", path: "/list", value: ["a", "b"] },
        { op: "add", path: "/list/0", value: "c" },
        { op: "append", path: "/list/1", value: "x" },
      ],
    ],
  ])("an append finds its string where %s", (_name, patch) => {
    expect(applyPatch({ list: [] }, expandAppends(patch, { list: [] }))).toEqual({ list: ["c", "ax", "b"] });
  });

  test("an append to a string that the same patch has replaced by another type is a TypeError", () => {
    const patch: JsonPatch = [
      { op: "replace", path: "/a", value: null },
      { op: "append", path: "/a", value: "y" },
    ];
    expect(() => expandAppends(patch, { a: "x" })).toThrow(/string.*"\/a".*null/);
  });

  test("swapped arguments are a JsonPatchError, as with applyPatch()", () => {
    const patch: JsonPatch = [{ op: "append", path: "/a", value: "y" }];
    const malformed = expect.objectContaining({ name: "JsonPatchError", code: "malformed" }) as Error;
    expect(() => expandAppends({ a: "x" } as never, patch as never)).toThrow(malformed);
  });

  test("an invalid JSON Pointer is a TypeError", () => {
    expect(() => expandAppends([{ op: "append", path: "a", value: "x" }], "s")).toThrow(TypeError);
  });

  test("the expanded patches of a parser, separate or joined, produce its snapshot", () => {
    fc.assert(
      fc.property(jsonText(), stepsArbitrary, fc.nat(6), (text, steps, glue) => {
        const parser = parserOf({ append: true });
        let document: JsonValue | undefined;
        let pending: JsonPatch = [];
        chunksOf(text, steps).forEach((chunk, i) => {
          parser.write(chunk);
          pending = [...pending, ...parser.takePatch()];
          if (i % (glue + 1) !== 0 || pending.length === 0) return;
          const expanded = expandAppends(pending, document);
          expect(expanded.some(({ op }) => (op as string) === "append")).toBe(false);
          document = applyPatch(document ?? null, expanded);
          pending = [];
          expectSame(document, parser.snapshot());
        });
      }),
      { numRuns: runs },
    );
  });
});
