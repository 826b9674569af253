import { expect, test } from "vitest";
import { contentBits, contentHash, SeenTable } from "#src/cli/extract/seen-table.js";

test("ids are remembered with their content, whether they were done before or read now", () => {
  const table = new SeenTable();
  const content = contentHash("text");
  for (let n = 0; n < 5_000; n++) table.addDone(`done ${n}`, contentHash(String(n)));
  table.addDone("a", content);
  expect(table.read("a")).toEqual({ read: false, done: contentBits(content) });
  expect(table.read("a")).toEqual({ read: true, done: contentBits(content) });
  expect(table.read("b")).toEqual({ read: false, done: undefined });
  expect(table.read("b")).toEqual({ read: true, done: undefined });
  for (let n = 0; n < 5_000; n++) {
    expect(table.read(`done ${n}`).done).toBe(contentBits(contentHash(String(n))));
  }
});

test("occurrences are counted beside what else is known", () => {
  const table = new SeenTable();
  expect([table.count("a"), table.count("a"), table.count("b")]).toEqual([1, 2, 1]);
  expect(table.read("a").read).toBe(false);
  expect(table.count("a")).toBe(3);
  expect(table.read("a").read).toBe(true);
});
