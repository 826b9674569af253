import { from, type JsonObject, type JsonValue, patchLines, pipe } from "millrace";
import { applyPatch } from "millrace/json";
import { PatchedDocument } from "#src/parsers/patch-lines/document.js";
import { expect, test } from "vitest";
import { deepFreeze } from "../../json/support/deep-freeze.js";
import { int, list, pick, type Random, randomOf } from "../../support/random.js";
import { linesOf } from "./support/read-lines.js";

test("a move and a refused line copy no container that a line before them has copied", () => {
  const document = new PatchedDocument({ list: { a: {}, b: 1 } }, false, {
    ...{ maxDepth: 10, maxLength: 1_000, maxWork: 64 },
  });
  document.apply({ op: "add", path: "/list/a/x", value: 1 });
  const [list, inner] = [document.at("/list"), document.at("/list/a")];
  document.apply({ op: "move", from: "/list/a", path: "/list/c" });
  document.apply({ op: "add", path: "/list/d", value: [] });
  document.undo([{ op: "remove", path: "/list/d" }]);
  document.undo([]);
  document.apply({ op: "add", path: "/list/c/y", value: 1 });
  expect(document.at("/list")).toBe(list);
  expect(document.at("/list/c")).toBe(inner);
  expect(document.value).toEqual({ list: { b: 1, c: { x: 1, y: 1 } } });
});

test("no patch and no cause of an error changes after it was emitted, whatever is copied, moved and refused", async () => {
  for (let seed = 1; seed <= 100; seed++) {
    const random = randomOf(seed);
    const lines = list(12, () => line(random));
    const text = linesOf({ op: "add", path: "", value: { a: { b: {}, l: [{}] }, l: [[1]] } }, ...lines);
    const schema = {
      type: "object",
      properties: { a: { type: "object", properties: { a: open, b: open, l: open } }, b: open, l: open },
      additionalProperties: false,
    } as const;
    const parser = patchLines({
      schema,
      onLineError: ({ cause }) => deepFreeze(cause),
      growing: seed % 3 > 0,
    });
    let value: JsonValue | undefined;
    for await (const patch of pipe(from(text.match(/[^]{1,9}/g) ?? []), parser.patches)) {
      value = applyPatch(value, deepFreeze(patch));
    }
    expect(parser.parse(text)).toEqual(value);
  }
});

const open = {};

/** An operation on one of a few places. Every third value is refused at its end. */
function line(random: Random): JsonObject {
  const place = (): string =>
    Array.from({ length: int(random, 1, 3) }, () => `/${pick(random, ["a", "b", "l", "0", "1", "-"])}`).join(
      "",
    );
  const op = pick(random, ["add", "replace", "move", "copy", "remove"]);
  if (op === "move" || op === "copy") return { op, from: place(), path: place() };
  if (op === "remove") return { op, path: place() };
  const value = pick<JsonValue>(random, [{ b: {}, l: [1] }, [[2], {}], "text"]);
  return { op, path: place(), value: int(random, 0, 2) > 0 ? value : { a: value, ["__proto__"]: 1 } };
}
