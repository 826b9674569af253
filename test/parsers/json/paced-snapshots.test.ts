import { collect, from, jsonParser, pipe, type JsonOutputParserOptions, type JsonValue } from "millrace";
import { describe, expect, test } from "vitest";

/** An object with a key in each chunk. */
function wide(keys: number): string[] {
  const members = Array.from({ length: keys }, (_, i) => `"k${String(i).padStart(6, "0")}": 1, `);
  return ["{" + members.join("\n"), '"last": 1}'].join("\n").split("\n");
}

const snapshotsOf = async (
  chunks: readonly string[],
  options?: JsonOutputParserOptions,
): Promise<readonly JsonValue[]> =>
  (await collect(pipe(from(chunks), jsonParser(undefined, options).stream))) as JsonValue[];

const membersOf = (snapshots: readonly JsonValue[]): number =>
  snapshots.reduce<number>((sum, it) => sum + Object.keys(it as object).length, 0);

describe("snapshots of wide objects", () => {
  test("copy a number of members that is linear in the keys", async () => {
    const copiesPerKey = async (keys: number): Promise<number> =>
      membersOf(await snapshotsOf(wide(keys))) / keys;
    const [small, large] = [await copiesPerKey(400), await copiesPerKey(3_200)];
    expect(large / small).toBeLessThan(2);
  });

  test("come after each chunk with up to 128 members", async () => {
    expect(await snapshotsOf(wide(120))).toHaveLength(121);
  });

  test("come after each chunk with everyChunk", async () => {
    expect(await snapshotsOf(wide(400), { everyChunk: true })).toHaveLength(401);
    expect((await snapshotsOf(wide(400))).length).toBeLessThan(300);
  });

  test("end with the complete value, and before an error with the value so far", async () => {
    expect(Object.keys((await snapshotsOf(wide(1_000))).at(-1) as object)).toHaveLength(1_001);

    const seen: unknown[] = [];
    const truncated = from(wide(1_000).slice(0, -1));
    const read = async (): Promise<void> => {
      for await (const it of pipe(truncated, jsonParser().stream)) seen.push(it);
    };
    await expect(read()).rejects.toMatchObject({ code: "truncated" });
    expect(Object.keys(seen.at(-1) as object).length).toBeGreaterThanOrEqual(999);
  });

  test("share the parts that did not change", async () => {
    const chunks = ['{"head": {"a": 1}, ', ...wide(300).slice(1)];
    const heads = new Set((await snapshotsOf(chunks)).map((it) => (it as { head: unknown }).head));
    expect(heads.size).toBeLessThanOrEqual(2);
  });

  test("of long arrays come less often than those of short ones", async () => {
    const count = async (elements: number): Promise<number> => {
      const rows = ["[", ...Array.from({ length: elements }, () => "1,"), "1]"];
      let snapshots = 0;
      for await (const _ of pipe(from(rows), jsonParser().stream)) snapshots++;
      return snapshots;
    };
    expect(await count(3_100)).toBe(3_101);
    const long = await count(16_000);
    expect(long - 3_100).toBeLessThan(1_000);
    expect((await count(17_000)) - long).toBeLessThan(5);
  });

  test("come less often with more than 2,700 keys", async () => {
    const count = async (keys: number): Promise<number> => (await snapshotsOf(wide(keys))).length;
    const middle = await count(2_700);
    expect(middle - (await count(1_350))).toBeGreaterThan(5);
    expect((await count(5_400)) - middle).toBeLessThan(5);
  });

  test("are the same each time, and come sooner in short chunks", async () => {
    const text = wide(1_000).join("");
    const count = async (size: number): Promise<number> => {
      const chunks = text.match(new RegExp(`[^]{1,${size}}`, "g")) as string[];
      const snapshots = await snapshotsOf(chunks);
      expect(await snapshotsOf(chunks)).toEqual(snapshots);
      return snapshots.length;
    };
    expect(await count(4)).toBeGreaterThan(2 * (await count(64)));
  });
});
