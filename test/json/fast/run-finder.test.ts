import { describe, expect, test } from "vitest";
import { parseWithin } from "#src/json/fast/native-reader.js";
import { RunFinder } from "#src/json/fast/run-finder.js";

describe("parseWithin()", () => {
  test.each<[string, number, number]>([
    ["[[1]]", 2, 1],
    ['[{"a":[]}]', 3, 2],
    ['{"a":1,"b":{"c":null}}', 2, 3],
    ["[]", 1, 1],
  ])(
    "accepts %s with %i levels and fewer than %i keys, and not with tighter limits",
    (text, levels, maxKeys) => {
      expect(parseWithin(text, levels, maxKeys)).toEqual(JSON.parse(text));
      expect(parseWithin(text, levels - 1, maxKeys)).toBe(undefined);
      if (text.includes(":")) expect(parseWithin(text, levels, maxKeys - 1)).toBe(undefined);
    },
  );

  test.each(["[1,2", "[1]]", "", "x"])("rejects %j", (text) => {
    expect(parseWithin(text, 10, 10)).toBe(undefined);
  });

  test("accepts a text that is too short to be too deep without measuring it, and rejects more than 1,000 levels", () => {
    const text = "[".repeat(1_500) + "]".repeat(1_500);
    expect(parseWithin(text, 2_000, 1_000)).toBeInstanceOf(Array);
    expect(parseWithin(`[${text},"${"x".repeat(2_000)}"]`, 2_000, 100_000)).toBe(undefined);
  });
});

describe("RunFinder", () => {
  /** Rows at the start of a chunk. The first ends at the second `]`. */
  const rows = (separator: string): string =>
    Array.from({ length: 400 }, (_, i) => `[${i % 10}`).join(separator);

  /** Requests a run at the second element and, when its separator is known, at the third. */
  function ends(
    text: string,
    element: string,
    close: string,
  ): { second: number; third: number; separator: string } {
    const runs = new RunFinder();
    const separators = [""];
    runs.begin();
    const at = (from: number): number => {
      runs.closedAt = text.indexOf(close, from);
      return text.indexOf(element, runs.closedAt);
    };
    const second = at(0);
    const atSecond = runs.find(text, second, separators, 0) - second;
    const third = at(second);
    return { second: atSecond, third: runs.find(text, third, separators, 0), separator: separators[0] ?? "" };
  }

  test("end at the last separator between two elements", () => {
    const text = rows("],") + "],[5";
    expect(ends(text, "[", "]")).toEqual({ second: 0, third: text.lastIndexOf("],[") + 1, separator: "],[" });
  });

  test("can have only white space between their elements", () => {
    const text = rows("] ,\n ");
    expect(ends(text, "[", "]")).toEqual({ second: 0, third: ends(text, "[", "]").third, separator: "" });
    const spaced = rows("],\r\n\t ");
    expect(ends(spaced, "[", "]")).toEqual({
      second: 0,
      third: spaced.lastIndexOf("],") + 1,
      separator: "],\r\n\t [",
    });
    expect(ends(rows("],x"), "[", "]").separator).toBe("");
  });

  test("of objects have the first key in their separator", () => {
    const text = Array.from({ length: 400 }, () => '{"id":1,"b":2}').join(",");
    expect(ends(text, "{", "}")).toEqual({
      second: 0,
      third: text.lastIndexOf('},{"id"') + 1,
      separator: '},{"id"',
    });
    const keyless = Array.from({ length: 2_000 }, () => "{}").join(",");
    expect(ends(keyless, "{", "}").separator).toBe("},{");
  });

  test.each([
    [512, "[", true],
    [4_095, "{", false],
    [4_096, "{", true],
  ])("are looked for in a chunk of %i characters before a %s: %s", (length, open, isLong) => {
    const close = open === "[" ? "]" : "}";
    const text = Array.from({ length: 2_000 }, () => open + close)
      .join(",")
      .slice(0, length);
    const runs = new RunFinder();
    runs.begin();
    const end = runs.find(text, 3, [`${close},${open}`], 0);
    runs.closedAt = 1;
    expect(end > 3).toBe(isLong);
  });

  test("have at least 64 characters", () => {
    const text = " ".repeat(4_096) + rows("],") + "],[";
    for (const [length, expected] of [
      [63, false],
      [64, true],
    ] as const) {
      const runs = new RunFinder();
      runs.begin();
      const end = text.lastIndexOf("],[") + 1;
      const found = runs.find(text, end - length, ["],["], 0);
      expect(found === end).toBe(expected);
    }
  });

  test("have at most 100 characters between their elements", () => {
    const spaces = (length: number): string => `],${" ".repeat(length - 3)}[`;
    for (const [length, separator] of [
      [100, spaces(100)],
      [101, ""],
    ] as const) {
      expect(ends(rows(spaces(length).slice(0, -1)), "[", "]").separator).toBe(separator);
    }
  });

  test("continue in the next chunk", () => {
    const text = rows("],");
    const runs = new RunFinder();
    runs.begin();
    expect(runs.find(text, 0, ["],["], 0)).toBe(text.lastIndexOf("],[") + 1);
    expect(runs.find(text, 0, [""], 0)).toBe(0);
  });

  test("ignore positions of the previous chunk", () => {
    const text = ",," + rows("],");
    const runs = new RunFinder();
    const separators = [""];
    for (let chunk = 0; chunk < 2; chunk++) {
      runs.begin();
      expect(runs.find(text, 3, separators, 0)).toBe(3);
      expect(separators[0] ?? "").toBe("");
      runs.closedAt = 0;
    }
  });

  test("are skipped in 1, 3, 7 and up to 63 chunks after wrong guesses, and in 1 after a right one", () => {
    const text = rows("],");
    const runs = new RunFinder();
    const isOn = (): boolean => {
      runs.begin();
      return runs.find(text, 0, ["],["], 0) > 0;
    };
    const pauseAfterMiss = (): number => {
      runs.miss();
      expect(runs.find(text, 0, ["],["], 0)).toBe(0);
      let chunks = 0;
      while (!isOn()) if (++chunks > 100) break;
      return chunks;
    };
    expect(isOn()).toBe(true);
    expect(Array.from({ length: 7 }, pauseAfterMiss)).toEqual([1, 3, 7, 15, 31, 63, 63]);
    runs.hit();
    expect(pauseAfterMiss()).toBe(1);
  });

  test.each([
    ["[1,[2]]", "", 7],
    ['{"a":{}}', "\n```\n", 8],
    ["[1]", " ".repeat(63), 3],
    ["[1]", " ".repeat(64), 0],
    ["[1", "", 0],
    ["{]", "", 0],
  ])("are a document, %j, if hardly anything follows it", (document, rest, end) => {
    expect(new RunFinder().findWhole(document + rest, 0)).toBe(end);
  });
});
