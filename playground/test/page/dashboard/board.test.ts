import type { JsonValue } from "millrace";
import { createPatchStore } from "millrace/client";
import { expect, test } from "vitest";
import { RenderCount } from "../../../src/page/transport/render-count.js";
import { Board, type BoardSpec, elementOf } from "../../../src/page/dashboard/board.js";

test.each<[string, unknown]>([
  ["null", null],
  ["a text", "Text"],
  ["a list", [{ type: "Text" }]],
  ["members of wrong types", { type: { name: "Text" }, props: null, children: 5 }],
  ["a text for children", { type: null, props: "title", children: "abc" }],
  ["children that are no names", { children: [null, 5, {}, ["a"]] }],
])("reads %s as an element without type, properties and children", (_, value) => {
  expect(elementOf(value)).toEqual({ type: "", props: {}, children: [] });
});

test("names each child once", () => {
  const element = { type: "Row", props: { a: 1 }, children: ["b", 5, "c", "b"] };
  expect(elementOf(element)).toEqual({ type: "Row", props: { a: 1 }, children: ["b", "c"] });
});

test("shows an element in one parent only, whatever the other elements are", () => {
  const store = createPatchStore<BoardSpec>({
    schedule: (show) => {
      show();
    },
  });
  const board = new Board(store, new RenderCount(), false);
  const set = (elements: JsonValue): void => {
    store.apply([{ op: "replace", path: "", value: { root: "a", elements } }]);
  };
  set({ a: { children: ["c"] }, b: { children: ["c"] } });
  expect([board.isIn("a", "c"), board.isIn("b", "c")]).toEqual([true, false]);
  for (const a of [null, 5, { children: 5 }, { children: null }]) {
    expect(board.isIn("a", "c")).toBe(true);
    set({ a, b: { children: ["c"] } });
    expect(board.isIn("b", "c")).toBe(true);
    set({ a: { children: ["c"] }, b: {} });
  }
});
