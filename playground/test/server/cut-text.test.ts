import { expect, test } from "vitest";
import { cutText } from "../../src/server/cut-text.js";
import type { Chunking } from "../../src/protocol.js";

const text = '  {"a": "some words",\n\n  "b": 2}\n';

test.each<[Chunking, readonly string[]]>([
  [{ by: "words" }, ['  {"a":', ' "some', ' words",', '\n\n  "b":', " 2}", "\n"]],
  [{ by: "lines" }, ['  {"a": "some words",\n', "\n", '  "b": 2}\n']],
  [{ by: "characters", size: 20 }, [text.slice(0, 20), text.slice(20)]],
])("splits a text by %j", (chunking, chunks) => {
  expect([...cutText(text, chunking)]).toEqual(chunks);
});

test("splits a text into 1 to 8 characters at random, the same for the same seed", () => {
  const cut = (seed: number): string[] => [...cutText(text.repeat(40), { by: "tokens", seed })];
  expect(cut(1)).toEqual(cut(1));
  expect(cut(1)).not.toEqual(cut(2));
  expect(cut(1).join("")).toBe(text.repeat(40));
  expect(
    new Set(
      cut(1)
        .slice(0, -1)
        .map(({ length }) => length),
    ),
  ).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8]));
});

test("yields no chunks for an empty text", () => {
  for (const by of ["words", "lines"] as const) expect([...cutText("", { by })]).toEqual([]);
});
