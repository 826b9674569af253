import type { JsonPatch } from "millrace";
import { describe, expect, test } from "vitest";
import { minimalPatch } from "#src/json/patch/patch.js";

describe("minimalPatch", () => {
  test.each<[string, JsonPatch, JsonPatch]>([
    [
      "keeps what nothing undoes",
      [
        { op: "add", path: "/a", value: 1 },
        { op: "add", path: "/ab", value: 2 },
        { op: "replace", path: "/b", value: 3 },
      ],
      [
        { op: "add", path: "/a", value: 1 },
        { op: "add", path: "/ab", value: 2 },
        { op: "replace", path: "/b", value: 3 },
      ],
    ],
    [
      "drops what a later replace undoes, also below its place, but not what comes after it",
      [
        { op: "add", path: "/a/x/0", value: 1 },
        { op: "append", path: "/a/y", value: "2" },
        { op: "replace", path: "/a", value: {} },
        { op: "add", path: "/a/x", value: [3] },
        { op: "add", path: "/a/x/1", value: 4 },
      ],
      [
        { op: "replace", path: "/a", value: {} },
        { op: "add", path: "/a/x", value: [3] },
        { op: "add", path: "/a/x/1", value: 4 },
      ],
    ],
    [
      "drops what is below a place that comes again",
      [
        { op: "add", path: "/a/x", value: 1 },
        { op: "replace", path: "/a", value: {} },
        { op: "add", path: "/a/x", value: 2 },
      ],
      [
        { op: "replace", path: "/a", value: {} },
        { op: "add", path: "/a/x", value: 2 },
      ],
    ],
  ])("%s", (_name, patch, expected) => {
    expect(minimalPatch(patch)).toEqual(expected);
  });
});
