import { conflate, type JsonPatch, type JsonValue, pipe, throttle } from "millrace";
import { applyPatch } from "millrace/json";
import { joinPatches } from "millrace/serve";
import { describe, expect, test } from "vitest";
import { document, patchesOf } from "../../client/support.js";
import { HandFed } from "../../stream/support/hand-fed.js";

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

describe.each([
  ["conflate()", () => conflate<JsonPatch>(joinPatches)],
  ["throttle()", () => throttle<JsonPatch>(0, { merge: joinPatches })],
])("in %s", (_, create) => {
  /** The patches for a reader that waits while each group arrives. */
  async function read(groups: readonly (readonly JsonPatch[])[]): Promise<JsonPatch[]> {
    const source = new HandFed<JsonPatch>();
    const iterator = pipe(source, create())[Symbol.asyncIterator]();
    const first = iterator.next();
    await source.give([]);
    const read = [await first];
    for (const group of groups) {
      await source.give(...group);
      read.push(await iterator.next());
    }
    await iterator.return?.();
    return read.slice(1).map(({ value }) => value as JsonPatch);
  }

  test("patches become what they become two at a time, and none is mutated", async () => {
    const whole: JsonPatch = [{ op: "replace", path: "", value: { a: "", b: "" } }];
    const groups = [
      [grow("/a", "1"), grow("/a", "2"), grow("/b", "3")],
      [grow("/b", "4"), whole, grow("/b", "5"), grow("/b", "6")],
      [whole],
      [[], grow("/b", "7")],
    ];
    const before = structuredClone(groups);
    expect(await read(groups)).toEqual(
      groups.map((group) => group.reduce((one, two) => joinPatches(one, two))),
    );
    expect(groups).toEqual(before);
  });

  test("many patches for a client that does not read are joined in linear time", async () => {
    const many = Array.from({ length: 100_000 }, (_, i) => grow(`/${i}`, "x"));
    const text = Array.from({ length: 100_000 }, () => grow("/a", "x"));
    const [lines, one] = await read([many, text]); // took minutes
    expect([lines?.length, one]).toEqual([100_000, grow("/a", "x".repeat(100_000))]);
  });
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
