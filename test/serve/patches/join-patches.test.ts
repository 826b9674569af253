import { applyPatch, type JsonPatch, type JsonValue } from "millrace";
import { joinPatches } from "millrace/serve";
import { expect, test } from "vitest";
import { document, patchesOf } from "../../client/support.js";

const grow = (path: string, value: string): JsonPatch => [{ op: "append", path, value }];

test("two appends to the same string are one append", () => {
  expect(joinPatches(grow("/a", "b"), grow("/a", "c"))).toEqual(grow("/a", "bc"));
  expect(joinPatches(grow("", "b"), grow("", "c"))).toEqual(grow("", "bc"));
});

test("appends to different strings, and other operations, are kept", () => {
  const add: JsonPatch = [{ op: "add", path: "/a", value: "x" }];
  expect(joinPatches(grow("/a", "b"), grow("/b", "c"))).toEqual([...grow("/a", "b"), ...grow("/b", "c")]);
  expect(joinPatches(grow("/a", "b"), add)).toEqual([...grow("/a", "b"), ...add]);
  expect(joinPatches(add, grow("/a", "b"))).toEqual([...add, ...grow("/a", "b")]);
});

test("operations before a replacement of the root are dropped", () => {
  const whole: JsonPatch = [{ op: "replace", path: "", value: null }, ...grow("/a", "b")];
  expect(joinPatches(grow("/a", "b"), whole)).toEqual(whole);
});

test("an empty patch has no effect, and no patch is mutated", () => {
  const [before, after] = [grow("/a", "b"), grow("/a", "c")];
  expect([joinPatches([], before), joinPatches(before, [])]).toEqual([before, before]);
  joinPatches(before, after);
  expect([before, after]).toEqual([grow("/a", "b"), grow("/a", "c")]);
});

const patches = patchesOf(JSON.stringify(document), 1);

// G-wire-12
test("joined patches of a document give the same document, split at any position", () => {
  const apply = (some: readonly JsonPatch[]): JsonValue | undefined =>
    some.reduce<JsonValue | undefined>((value, patch) => applyPatch(value, patch), undefined);
  const whole = apply(patches);
  for (let cut = 0; cut <= patches.length; cut++) {
    const joined = (some: readonly JsonPatch[]): JsonPatch => some.reduce(joinPatches, []);
    expect(apply([joined(patches.slice(0, cut)), joined(patches.slice(cut))])).toEqual(whole);
  }
  expect(patches.reduce(joinPatches).length).toBeLessThan(patches.flat().length);
});
