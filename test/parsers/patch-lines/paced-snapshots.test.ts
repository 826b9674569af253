import { collect, from, type JsonObject, patchLines, pipe } from "millrace";
import { fromA2ui, fromSpecStream } from "millrace/ui";
import { describe, expect, test } from "vitest";
import { failure } from "../support/reading.js";
import { linesOf } from "./support/read-lines.js";

/** For each parser, a line that adds a member to one object, after those that make it. */
const parsers = {
  patchLines: {
    parser: patchLines(),
    start: linesOf({ op: "add", path: "/l", value: {} }),
    line: (i: number) => linesOf({ op: "add", path: `/l/k${i}`, value: 1 }),
  },
  fromSpecStream: {
    parser: fromSpecStream(),
    start: "",
    line: (i: number) => linesOf({ op: "add", path: `/elements/k${i}`, value: {} }),
  },
  fromA2ui: {
    parser: fromA2ui(),
    start: linesOf({ version: "v0.9", createSurface: { surfaceId: "s", catalogId: "c" } }),
    line: (i: number) =>
      linesOf({ version: "v0.9", updateDataModel: { surfaceId: "s", path: `/k${i}`, value: 1 } }),
  },
} as const;

/** The number of members of each snapshot of so many lines, one a chunk. */
async function widths(name: keyof typeof parsers, lines: number): Promise<readonly number[]> {
  const { parser, start, line } = parsers[name];
  const chunks = [start, ...Array.from({ length: lines }, (_, i) => line(i))];
  const snapshots = await collect(pipe(from(chunks), parser.snapshots));
  return snapshots.map((it) => Math.max(...membersOf(it as JsonObject)));
}

/** The numbers of members at any depth. */
function membersOf(value: JsonObject): number[] {
  const inner = Object.values(value).filter((it): it is JsonObject => typeof it === "object" && it !== null);
  return [Object.keys(value).length, ...inner.flatMap(membersOf)];
}

describe.each(Object.keys(parsers) as (keyof typeof parsers)[])("snapshots of %s", (name) => {
  test("copy a number of members that is linear in the lines, and end with the whole document", async () => {
    const copiesPerLine = async (lines: number): Promise<number> => {
      const seen = await widths(name, lines);
      expect(seen.at(-1)).toBe(lines);
      return seen.reduce((sum, members) => sum + members, 0) / lines;
    };
    const [small, large] = [await copiesPerLine(400), await copiesPerLine(3_200)];
    expect(large / small).toBeLessThan(2);
  });

  test("come after each chunk of up to 128 members", async () => {
    expect((await widths(name, 120)).length).toBeGreaterThanOrEqual(120);
  });
});

test("the last snapshot comes before an error", async () => {
  const { line, start } = parsers.patchLines;
  const chunks = [start, ...Array.from({ length: 1_000 }, (_, i) => line(i)), '{"op":"add","path":"/t'];
  const { before, error } = await failure(pipe(from(chunks), patchLines().snapshots));
  expect(Object.keys((before.at(-1) as { l: object }).l)).toHaveLength(1_000);
  expect(error).toMatchObject({ code: "truncated" });
});
