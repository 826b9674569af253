import fc from "fast-check";
import type { JsonObject, JsonValue } from "millrace";
import { applyPatch, type AnyPatchOperation, JsonPatchError } from "millrace/json";
import { fixedSizes } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { disown, patched } from "#src/json/patch/apply-patch.js";
import { deepFreeze } from "../support/deep-freeze.js";
import { parserOf } from "../../support/parser-of.js";

const parse = (text: string): JsonValue => deepFreeze(JSON.parse(text) as JsonValue);

interface Tree {
  a: { b: number[]; c: number[] };
  d: object;
}

describe("applyPatch()", () => {
  test("shares unchanged parts, and copies each changed container once", () => {
    const before = parse('{"a": {"b": [1], "c": [2]}, "d": {"e": {}}}') as unknown as Tree & JsonObject;
    const after = applyPatch(before, [
      { op: "add", path: "/a/b/-", value: 2 },
      { op: "add", path: "/a/b/-", value: 3 },
    ]) as unknown as Tree;
    expect(after).toEqual({ a: { b: [1, 2, 3], c: [2] }, d: { e: {} } });
    expect(after.d).toBe(before.d);
    expect(after.a.c).toBe(before.a.c);
    expect(after.a).not.toBe(before.a);
  });

  test("shares the values of a patch, and copies them before it changes them", () => {
    const value = parse('{"list": []}');
    const patch: AnyPatchOperation[] = [
      { op: "add", path: "/x", value },
      { op: "add", path: "/x/list/0", value: 1 },
    ];
    expect((applyPatch({}, patch.slice(0, 1)) as { x: JsonValue }).x).toBe(value);
    expect(applyPatch({}, patch)).toEqual({ x: { list: [1] } });
    expect(value).toEqual({ list: [] });
  });

  test("a copy is independent of its source", () => {
    const patch: AnyPatchOperation[] = [
      { op: "add", path: "/a/1", value: 1 },
      { op: "copy", from: "/a", path: "/b" },
      { op: "add", path: "/a/2", value: 2 },
    ];
    expect(applyPatch(parse('{"a": [0]}'), patch)).toEqual({ a: [0, 1, 2], b: [0, 1] });
  });

  test("copies are independent at every depth, with containers that it owns or not", () => {
    const pointer = fc.constantFrom("", "/a", "/b", "/a/a", "/a/b", "/b/a", "/b/b", "/a/a/a", "/b/a/b");
    const operation = fc.oneof(
      fc.record({ op: fc.constant("copy" as const), from: pointer, path: pointer }),
      fc.record({ op: fc.constant("move" as const), from: pointer, path: pointer }),
      fc.record({
        op: fc.constant("add" as const),
        path: pointer,
        value: fc.constantFrom<JsonValue>(1, {}, { a: {} }),
      }),
      fc.record({ op: fc.constant("remove" as const), path: pointer }),
    );
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 12 }), (patch) => {
        const own = new WeakSet();
        let [kept, copied]: (JsonValue | undefined)[] = [{}, {}];
        for (const each of patch) {
          try {
            copied = structuredClone(applyPatch(copied, [structuredClone(each)]));
          } catch {
            continue; // It does not fit.
          }
          kept = patched(kept, [structuredClone(each)], own, { disown });
          expect(kept).toEqual(copied);
        }
      }),
    );
  });

  test("copies cost nothing for their size, at any depth", () => {
    const doubling = Array.from({ length: 60 }, () => ({ op: "copy", from: "/a", path: "/a/-" }) as const);
    let value = applyPatch({ a: ["x"] }, doubling) as JsonObject;
    for (let depth = 60; depth >= 0; depth--) {
      const list = value["a"] as JsonValue[];
      expect(list).toHaveLength(depth + 1);
      value = { a: list.at(-1) as JsonValue };
    }
    expect(value["a"]).toBe("x");

    const deep = JSON.parse(`${"[".repeat(20_000)}${"]".repeat(20_000)}`) as JsonValue;
    const { b } = applyPatch({ a: deep }, [{ op: "copy", from: "/a", path: "/b" }]) as JsonObject;
    expect(b).toBe(deep);
  });

  test("moves a value without a copy, also into a sibling", () => {
    const before = parse('{"x": {"y": {}, "z": {}}, "list": ["a", "b"]}') as { x: { y: JsonValue } };
    const after = applyPatch(before as unknown as JsonValue, [
      { op: "move", from: "/x/y", path: "/x/z/w" },
      { op: "append", path: "/list/0", value: "!" },
    ]) as { x: { z: { w: JsonValue } } };
    expect(after).toEqual({ x: { z: { w: {} } }, list: ["a!", "b"] });
    expect(after.x.z.w).toBe(before.x.y);
    expect(
      applyPatch(parse('{"a": 1, "b": {"c": {}}}'), [{ op: "move", from: "/a", path: "/b/c/d" }]),
    ).toEqual({
      b: { c: { d: 1 } },
    });
  });

  test("mutates only the containers that it owns", () => {
    const own = new WeakSet();
    const original = parse('{"a": {"b": []}, "c": {}}') as JsonObject;
    const first = patched(original, [{ op: "add", path: "/a/b/-", value: 1 }], own) as JsonObject;
    const second = patched(first, [{ op: "add", path: "/a/b/-", value: 2 }], own) as JsonObject;
    expect(second).toBe(first);
    expect(second).toEqual({ a: { b: [1, 2] }, c: {} });
    expect(second["c"]).toBe(original["c"]);
    expect(original).toEqual({ a: { b: [] }, c: {} });
  });

  test("starts without a value", () => {
    expect(applyPatch(undefined, [{ op: "replace", path: "", value: null }])).toBe(null);
    expect(applyPatch(undefined, [])).toBe(undefined);
  });

  // G-parsers-12
  test("treats __proto__ as a member, at every depth", () => {
    const before = parse('{"__proto__": {"__proto__": [1]}}');
    const after = applyPatch(before, [
      { op: "add", path: "/__proto__/__proto__/1", value: 2 },
      { op: "add", path: "/x", value: 1 },
    ]);
    expect(JSON.stringify(after)).toBe('{"__proto__":{"__proto__":[1,2]},"x":1}');
    expect(Object.getPrototypeOf(after)).toBe(Object.prototype);
  });

  test.each<[string, JsonValue | undefined, unknown, string, string]>([
    ["a patch that is not an array", {}, { op: "add" }, "malformed", "array"],
    ["an operation that is not an object", {}, [null], "malformed", "Operation 0 "],
    ["a missing op", {}, [{ path: "" }], "malformed", "op "],
    ["a missing value", {}, [{ op: "add", path: "/a" }], "malformed", "value"],
    ["an invalid pointer", {}, [{ op: "add", path: "a", value: 1 }], "malformed", "JSON Pointer"],
    ["an append of a number", { a: "" }, [{ op: "append", path: "/a", value: 1 }], "malformed", "string"],
    ["an append to a number", { a: 1 }, [{ op: "append", path: "/a", value: "x" }], "misfit", '"/a"'],
    ["a missing parent", {}, [{ op: "add", path: "/a/b", value: 1 }], "misfit", '"/a/b"'],
    ["a string as parent", { a: "x" }, [{ op: "add", path: "/a/b", value: 1 }], "misfit", '"/a/b"'],
    ["an index beyond the end", [1], [{ op: "add", path: "/3", value: 1 }], "misfit", '"/3" '],
    ["an add before the first value", undefined, [{ op: "add", path: "/a", value: 1 }], "misfit", '"/a"'],
    ["an inherited member", {}, [{ op: "remove", path: "/toString" }], "misfit", '"/toString"'],
    [
      "a move into itself",
      { a: [[], []] },
      [{ op: "move", from: "/a/0", path: "/a/0/0" }],
      "misfit",
      "itself",
    ],
    ["null as parent", { a: null }, [{ op: "add", path: "/a/b", value: 1 }], "misfit", '"/a/b"'],
    ["a test below null", { a: null }, [{ op: "test", path: "/a/b", value: 1 }], "misfit", '"/a/b"'],
    ["a test inside a string", { a: "xy" }, [{ op: "test", path: "/a/0", value: "x" }], "misfit", '"/a/0"'],
    ["the length of an array", [1], [{ op: "test", path: "/length", value: 1 }], "misfit", '"/length" '],
    ["a copy without a value", undefined, [{ op: "copy", from: "", path: "" }], "misfit", "value"],
    ["a replace of a missing member", {}, [{ op: "replace", path: "/a", value: 1 }], "misfit", '"/a"'],
    ["a replace at the end", [1], [{ op: "replace", path: "/1", value: 1 }], "misfit", '"/1" '],
    ["an op that ends like another", {}, [{ op: "readd", path: "" }], "malformed", "op "],
    ["an op that begins like another", {}, [{ op: "adder", path: "" }], "malformed", "op "],
    ["another root", 1, [{ op: "test", path: "", value: 2 }], "test_failed", "root"],
    ["a long path", {}, [{ op: "remove", path: `/${"k".repeat(200)}` }], "misfit", `"/${"k".repeat(100)}"`],
    [
      "the second operation",
      {},
      [
        { op: "add", path: "/a", value: 1 },
        { op: "test", path: "/a", value: 2 },
      ],
      "test_failed",
      "Operation 1 ",
    ],
  ])("rejects %s", (_, value, patch, code, message) => {
    const apply = (): unknown => applyPatch(deepFreeze(value), patch as AnyPatchOperation[]);
    expect(apply).toThrow(JsonPatchError);
    expect(apply).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) as string }),
    );
  });

  test("applies the patches of a parser to the same value as the text, with copies or in place", () => {
    const text = '{"a": [1, {"b": "grows and grows"}], "__proto__": {"c": [[]]}, "a~/": null}';
    for (const append of [false, true]) {
      for (const chunks of fixedSizes(text, [1, 3, 7])) {
        const parser = parserOf({ append });
        let value: JsonValue | undefined = undefined;
        let inPlace: JsonValue | undefined = undefined;
        const own = new WeakSet();
        for (const chunk of chunks) {
          parser.write(chunk);
          const patch = deepFreeze(parser.takePatch());
          value = deepFreeze(applyPatch(value, patch));
          inPlace = patched(inPlace, patch, own);
          expect(value).toEqual(parser.value);
          expect(inPlace).toEqual(parser.value);
        }
        expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)));
      }
    }
  });
});
