import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** Each guarantee in docs/reference/guarantees.md has an id, `G-room-number`. Tests cite the ids in comments. */

const root = join(import.meta.dirname, "../..");
const promised = [
  ...readFileSync(join(root, "docs/reference/guarantees.md"), "utf8").matchAll(/^- \*\*(G-[a-z]+-\d+)\*\*/gm),
].map(([, id = ""]) => id);

/** The text of each test file, and of the tests that several files share, by its path. */
const texts = new Map(
  readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => [file, readFileSync(join(root, "test", file), "utf8")] as const),
);
const comments = [...texts.values()].flatMap((text) => text.match(/\/\/ .*/g) ?? []);
const cited = new Set(comments.flatMap((comment) => comment.match(/\bG-[a-z]+-\d+/g) ?? []));

test("every guarantee has an id of its own, numbered from 1 in each section", () => {
  expect(promised.length).toBeGreaterThan(50);
  const counts = new Map<string, number>();
  const expected = promised.map((id) => {
    const room = id.slice(0, id.lastIndexOf("-"));
    counts.set(room, (counts.get(room) ?? 0) + 1);
    return `${room}-${counts.get(room)}`;
  });
  expect(promised).toEqual(expected);
});

test("a test cites every guarantee", () => {
  expect(promised.filter((id) => !cited.has(id))).toEqual([]);
});

test("every id that a test cites is a guarantee", () => {
  expect([...cited].filter((id) => !promised.includes(id))).toEqual([]);
});

test("every id in docs/reference/threats.md is a guarantee, cited by the test beside it", () => {
  const rows = readFileSync(join(root, "docs/reference/threats.md"), "utf8").matchAll(
    /`test\/([^`]+)` \((G-[a-z]+-\d+)\)/g,
  );
  const named = [...rows];
  expect(named.length).toBeGreaterThan(10);
  expect(
    named.filter(([, file = "", id = ""]) => !promised.includes(id) || !texts.get(file)?.includes(id)),
  ).toEqual([]);
});

test("every file that runs the laws cites G-stream-1", () => {
  const files = [...texts].filter(([, text]) => /operatorLaws[<(]/.test(text) && !/G-stream-1\b/.test(text));
  expect(files.map(([file]) => file)).toEqual([]);
});

test("the JSON guarantees are the numbered invariants of the JSON parser", () => {
  const invariants = readFileSync(join(root, "src/json/parser.ts"), "utf8").match(/^ \* \d\. /gm);
  expect(invariants).toHaveLength(promised.filter((id) => id.startsWith("G-json-")).length);
});
