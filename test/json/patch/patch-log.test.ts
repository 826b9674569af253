import type { JsonPatch } from "millrace";
import { describe, expect, test } from "vitest";
import { minimalPatch } from "#src/json/patch/patch-log.js";

describe("minimalPatch", () => {
  test.each<[string, JsonPatch, JsonPatch]>([
    [
      "keeps operations that have an effect",
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
      "drops operations at and below a place that is replaced later, but not after that",
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
      "drops operations below a place that is added again",
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
