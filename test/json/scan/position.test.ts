import { describe, expect, test } from "vitest";
import { excerptOf } from "#src/json/scan/position.js";

const long = "0123456789".repeat(20);

describe("excerptOf", () => {
  test.each<[string, Parameters<typeof excerptOf>, ReturnType<typeof excerptOf>]>([
    ["a short text", ["abc", 1, 0], { text: "abc", index: 1, cut: false }],
    ["the end of a text", ["abc", 3, 0], { text: "abc", index: 3, cut: false }],
    ["one line of several", ["ab\ncde\nfg", 4, 3], { text: "cde", index: 1, cut: false }],
    ["an empty line before others", ["\nabc", 0, 0], { text: "", index: 0, cut: false }],
    ["a long line", [long, 100, 0], { text: long.slice(40, 120), index: 60, cut: true }],
    ["a line whose start is gone", ["abc", 1, -5], { text: "abc", index: 1, cut: true }],
  ])("cuts %s", (_name, args, expected) => {
    expect(excerptOf(...args)).toEqual(expected);
  });
});
