import fc from "fast-check";
import fastJsonPatch from "fast-json-patch";
import { collect, from, type JsonPatch, type JsonValue, pipe } from "millrace";
import { applyPatch, diff, type StandardPatchOperation } from "millrace/json";
import { operatorLaws } from "millrace/testing";
import { describe, expect, test } from "vitest";

const patchesOf = (...snapshots: unknown[]): Promise<JsonPatch[]> => collect(pipe(from(snapshots), diff()));
const parse = (text: string): JsonValue => JSON.parse(text) as JsonValue;

// G-stream-1
describe("diff()", () => {
  test("replaces the root first, then writes what changed", async () => {
    expect(await patchesOf({ a: 1, b: ["x"] }, { a: 2, b: ["x", "y"] })).toEqual([
      [{ op: "replace", path: "", value: { a: 1, b: ["x"] } }],
      [
        { op: "add", path: "/b/1", value: "y" },
        { op: "replace", path: "/a", value: 2 },
      ],
    ]);
  });

  test("yields no patch for an equal snapshot", async () => {
    expect(await patchesOf({ a: 1, b: 2 }, { b: 2, a: 1 }, { a: 1, b: 2, c: undefined })).toHaveLength(1);
    expect(await patchesOf(1, 1, "a", "a", null, null)).toHaveLength(3);
  });

  test("replaces the root if its type changes", async () => {
    const patches = await patchesOf(null, [1], { 0: 1 }, "text", {});
    expect(patches.map(([operation]) => operation)).toEqual(
      [null, [1], { 0: 1 }, "text", {}].map((value) => ({ op: "replace", path: "", value })),
    );
  });

  test("replaces the outermost parent of what was removed", async () => {
    const before = { list: [1, 2, 3], rest: { a: { b: 1 }, c: 1 }, n: 1 };
    const [, patch] = await patchesOf(before, { list: [1, 3], rest: { a: {} }, n: 2 });
    expect(patch).toEqual([
      { op: "replace", path: "/n", value: 2 },
      { op: "replace", path: "/rest", value: { a: {} } },
      { op: "replace", path: "/list", value: [1, 3] },
    ]);
  });

  test("escapes keys in JSON Pointers", async () => {
    const [, patch] = await patchesOf({ "a/b": { "m~n": 1 } }, { "a/b": { "m~n": 2 } });
    expect(patch).toEqual([{ op: "replace", path: "/a~1b/m~0n", value: 2 }]);
  });

  test("treats __proto__ and constructor as ordinary members", async () => {
    const snapshots = ['{"a":1}', '{"a":1,"__proto__":{"x":1}}', '{"__proto__":{"x":2},"constructor":1}'];
    let value: JsonValue = null;
    for (const [index, patch] of (await patchesOf(...snapshots.map(parse))).entries()) {
      value = applyPatch(value, patch);
      expect(value).toEqual(parse(snapshots[index] as string));
    }
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  test("reads snapshots as JSON.stringify does", async () => {
    const day = new Date(0);
    const [first, second] = await patchesOf({ a: undefined, day }, { a: 1, day: [undefined] });
    expect(first).toEqual([{ op: "replace", path: "", value: { day: day.toJSON() } }]);
    expect(second).toContainEqual({ op: "add", path: "/a", value: 1 });
    expect(second).toContainEqual({ op: "replace", path: "/day", value: [null] });
    expect(await patchesOf(undefined)).toEqual([[{ op: "replace", path: "", value: null }]]);
    await expect(patchesOf({ a: 1n })).rejects.toThrow(TypeError);
  });

  test("yields the right patches for one object that is mutated in place", async () => {
    const row = { tags: ["a"] };
    async function* changing(): AsyncGenerator<object> {
      yield row;
      row.tags.push("b");
      yield row;
    }
    const patches = await collect(pipe(changing(), diff()));
    expect(patches[0]).toEqual([{ op: "replace", path: "", value: { tags: ["a"] } }]);
    expect(patches[1]).toEqual([{ op: "add", path: "/tags/1", value: "b" }]);
  });

  test("is independent of a consumer that applies patches in place", async () => {
    let document: unknown = null;
    const snapshots = [{ a: [1] }, { a: [1, 2] }, { a: [1, 2, 3], b: { c: 1 } }, { a: [1], b: { c: 2 } }];
    let index = 0;
    for await (const patch of pipe(from(snapshots), diff())) {
      document = fastJsonPatch.applyPatch(document, patch as StandardPatchOperation[]).newDocument;
      expect(document).toEqual(snapshots[index++]);
    }
    expect(index).toBe(snapshots.length);
  });

  test("all its patches, applied to null, produce each snapshot", () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 6 }), async (values) => {
        const snapshots = values.map((value) => parse(JSON.stringify(value)));
        const patches = await patchesOf(...snapshots.flatMap((value) => [value, value]));
        let value: JsonValue = null;
        const changed = snapshots.filter(
          (snapshot, at) => at === 0 || !sameJson(snapshot, snapshots[at - 1] as JsonValue),
        );
        expect(patches).toHaveLength(changed.length);
        for (const [at, patch] of patches.entries()) {
          value = applyPatch(value, patch);
          expect(sameJson(value, changed[at] as JsonValue)).toBe(true);
        }
      }),
    ));
});

function sameJson(a: JsonValue, b: JsonValue): boolean {
  const [one, other] = [{ value: a }, { value: b }];
  return fastJsonPatch.compare(one, other).length === 0;
}

test.concurrent.each(
  operatorLaws<unknown, JsonPatch>(() => diff(), {
    inputs: [{ a: 1 }, { a: 1 }, { a: 2, b: [1] }, { b: [] }],
  }).map((law) => [law.name, law] as const),
)("diff() %s", (_, law) => law.check());

describe("a snapshot that cannot be compared is a TypeError:", () => {
  const cycle: Record<string, unknown> = {};
  cycle["self"] = cycle;
  const deep: unknown = JSON.parse("[".repeat(50_000) + "]".repeat(50_000));
  test.each([
    ["a cycle", [cycle]],
    ["a bigint", [1, { n: 1n }]],
    ["deep nesting", [deep]],
    ["nesting that only the comparison cannot follow", [nested(6_000, 1), nested(6_000, 2)]],
  ])("%s", async (_name, snapshots) => {
    const failure: unknown = await patchesOf(...snapshots).catch((error: unknown) => error);
    // An engine with a large stack may follow deep nesting.
    if (failure instanceof Error) expect(failure).toBeInstanceOf(TypeError);
    else expect(snapshots).toHaveLength(2);
  });

  function nested(depth: number, leaf: number): unknown {
    return JSON.parse("[".repeat(depth) + String(leaf) + "]".repeat(depth));
  }
});
