import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { entryNames } from "../../scripts/entries.js";

/** Each name of the package is exported by one entry, and the root has the names of every day. */

const reports = new Map(
  entryNames.map((name) => [
    name,
    readFileSync(join(import.meta.dirname, `../../docs/api/${name.replace("/", "-")}.api.md`), "utf8"),
  ]),
);

test("only the types of JSON have a second home", () => {
  const twice = Array.from(reports, ([name, report]) => [
    name,
    [...report.matchAll(/^Declared in `.*?`: (.*)\.$/gm)].map(([, names]) => names),
  ]).filter(([, names]) => names?.length !== 0);
  expect(twice).toEqual([
    ["millrace/json", ["JsonArray, JsonObject, JsonPatch, JsonPatchOperation, JsonValue"]],
  ]);
});

test("the root has at most 70 values and 140 types", async () => {
  const values = Object.keys(await import("millrace")).length;
  const names = readFileSync(join(import.meta.dirname, "../../src/index.ts"), "utf8")
    .replaceAll(/^\/\/.*$/gm, "")
    .match(/\b\w+(?=[\s,]*(?:,|\}))/g);
  expect(values).toBeLessThanOrEqual(70);
  expect((names ?? []).length - values).toBeLessThanOrEqual(140);
});
