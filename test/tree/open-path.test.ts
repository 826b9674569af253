import { copyOf, pointerOf, snapshotOf, type OpenFrame } from "#src/tree/open-path.js";
import { expect, test } from "vitest";

/** A list whose last item can be another open list. */
class ListFrame implements OpenFrame<unknown[]> {
  pointer: string | undefined;
  snapshot: unknown[] | undefined;
  changed = false;
  readonly items: unknown[];

  constructor(...items: unknown[]) {
    this.items = items;
  }

  copy(lastChild: unknown[] | undefined): unknown[] {
    return lastChild === undefined ? this.items.slice() : [...this.items.slice(0, -1), lastChild];
  }

  makePointer(parent: ListFrame | undefined): string {
    return parent === undefined ? "" : `${parent.pointer ?? "?"}/${parent.items.length - 1}`;
  }
}

test("a snapshot copies only changed frames and their parents", () => {
  const inner = new ListFrame("a");
  const frames = [new ListFrame("x", inner.items), inner];
  const first = snapshotOf(frames, 2);
  expect(first).toEqual(["x", ["a"]]);
  expect(snapshotOf(frames, 2)).toBe(first);
  inner.items.push("b");
  inner.changed = true;
  expect(snapshotOf(frames, 2)).toEqual(["x", ["a", "b"]]);
  expect(first).toEqual(["x", ["a"]]);
  expect(snapshotOf([], 0)).toBeUndefined();
});

test("a copy begins at the requested frame", () => {
  const frames = [new ListFrame([[]]), new ListFrame([]), new ListFrame("a")];
  expect(copyOf(frames, 0, 3)).toEqual([[["a"]]]);
  expect(copyOf(frames, 1, 3)).toEqual([["a"]]);
  expect(copyOf(frames, 3, 3)).toBeUndefined();
});

test("pointers are built from the root down, and cached", () => {
  const frames = [new ListFrame("x", []), new ListFrame([]), new ListFrame("a")];
  expect(pointerOf(frames, 2)).toBe("/1/0");
  expect(frames.map(({ pointer }) => pointer)).toEqual(["", "/1", "/1/0"]);
  expect(pointerOf(frames, 0)).toBe("");
});
