import { describe, expect, test } from "vitest";
import { idOf } from "../../bench/json/cases.js";
import { comparedSize, comparisons, sidesOf, verdict } from "../../bench/json/comparisons.js";
import { documentNames } from "../../bench/json/documents.js";
import { goalRows } from "../../bench/json/goals.js";
import { memoryId } from "../../bench/json/memory.js";
import { flatCuts, flatness, flatSizes, flatSubject } from "../../bench/json/scaling.js";
import { json } from "../../bench/json/suite.js";
import { wireCases, wireId } from "../../bench/json/wire.js";
import { roundOf } from "../../bench/round.js";
import { medianOf, resultOf } from "../../bench/statistics.js";
import { suites } from "../../bench/suites.js";
import type { Case, Pass, Result, Suite } from "../../bench/suite.js";
import { figure, ratio, table, withRange } from "../../bench/table.js";

const counted = (id: string): Case => ({ id, count: () => Promise.resolve(1) });
const groupsOf = (cases: readonly Case[], decisive?: Suite["decisive"]): readonly string[] =>
  roundOf(cases, decisive).map((group) => group.map(({ id }) => id).join("; "));
const made = (median: number): Result => ({ median, min: median / 2, max: median * 2 });

describe("the report of the JSON suite", () => {
  test("has a row for each goal with our figure, the ratio, the goals and whether they are met", () => {
    const results = new Map(json.cases.map(({ id }) => [id, made(10)]));
    for (const comparison of comparisons) {
      const { ours, theirs } = sidesOf(comparison, "contacts", comparedSize);
      const peer = theirs.subject === "jsonriver" ? 20 : 5;
      results.set(idOf(ours), made(10)).set(idOf(theirs), made(peer));
    }
    results.set("JsonOutputParser, contacts, 42 KB, 4", made(10_000));
    results.set(idOf({ subject: flatSubject, document: "config", size: 512, cut: "4" }), made(14));
    results.set(memoryId("value", "orders"), made(16));

    expect(goalRows(results).map((row) => row.slice(1))).toEqual([
      ["10.5 (5.2–21.0) ms", "2.00 x the speed of jsonriver", "≥ 1.7", "≥ 2.2", "yes"],
      ["10.5 (5.2–21.0) ms", "2.00 x the speed of jsonriver", "≥ 1.7", "≥ 2.2", "yes"],
      ["10.5 (5.2–21.0) ms", "2.00 x the time of JSON.parse", "≤ 10", "≤ 6", "beyond"],
      ["10.5 (5.2–21.0) ms", "2.00 x the speed of jsonriver", "≥ 2.5", "≥ 4", "no"],
      ["10.5 (5.2–21.0) ms", "2.00 x the speed of jsonriver", "≥ 2.5", "≥ 4", "no"],
      ["10.5 (5.2–21.0) ms", "2.00 x the time of JSON.parse", "≤ 2.5", "≤ 1.5", "yes"],
      ["10.5 (5.2–21.0) ms", "2.00 x the time of JSON.parse", "≤ 1.5", "≤ 1.1", "no"],
      ["10.5 (5.2–21.0) ms", "2.00 x the speed of jsonriver", "≥ 1", "≥ 2", "beyond"],
      ["0.43 (0.22–0.86) ms", "1,000 x the speed of JsonOutputParser", "≥ 500", "", "yes"],
      ["config, 4", "1.40", "≤ 1.5", "≤ 1.2", "yes"],
      ["orders", "1.60 x that of JSON.parse", "≤ 1.5", "≤ 1.1", "no"],
      ["contacts", "1.00 x that of JSON.parse", "≤ 1.5", "≤ 1.1", "beyond"],
      ["10.0", "", "< 20", "", "yes"],
    ]);
  });

  test("says nothing of what was not measured", () => {
    const verdicts = goalRows(new Map()).map((row) => row.at(-1));
    expect(verdicts).toEqual(verdicts.map(() => "–"));
    const all = new Map(json.cases.map(({ id }) => [id, made(10)]));
    all.delete(idOf({ subject: flatSubject, document: "table", size: 64, cut: "1 KB" }));
    expect(goalRows(all)[9]?.slice(1)).toEqual(["–", "–", "≤ 1.5", "≤ 1.2", "–"]);
  });

  test("has every document in the tables of all documents, and each figure that was measured", () => {
    const report = json.report(new Map(json.cases.map(({ id }, i) => [id, made(1000 + i)])));
    for (const name of documentNames)
      expect(report.split("\n").filter((it) => it.startsWith(`| ${name} `))).toHaveLength(4);
    expect(report).not.toMatch(/undefined|NaN|–\s*\|/);
    expect(report.match(/^## .*/gm)).toHaveLength(8);
  });

  test("leaves out what was not measured, so that a short run is short to read", () => {
    const one = idOf({ subject: "write", document: "contacts", size: comparedSize, cut: "whole" });
    const report = json.report(new Map([[one, made(10)]]));
    expect(report.match(/^#.*/gm)).toEqual(["## Every document of 1 MB, in milliseconds"]);
    expect(report.split("\n").filter((it) => it.startsWith("| "))).toHaveLength(3);
    expect(json.report(new Map())).not.toContain("|");
  });
});

describe("the goals", () => {
  test("are reached, passed or missed in the sense that they have", () => {
    const fast = { sense: "at least", target: 1.7, beyond: 2.2 } as const;
    expect([1.69, 1.7, 2.19, 2.2, undefined].map((it) => verdict(it, fast))).toEqual([
      "no",
      "yes",
      "yes",
      "beyond",
      "–",
    ]);
    const cheap = { sense: "at most", target: 1.5 } as const;
    expect([1.51, 1.5, 0.1].map((it) => verdict(it, cheap))).toEqual(["no", "yes", "yes"]);
    const small = { sense: "less than", target: 20 } as const;
    expect([20, 19.9].map((it) => verdict(it, small))).toEqual(["no", "yes"]);
  });

  test("of flatness take the dearest size to the cheapest", () => {
    const results = new Map(
      flatSizes.map((size, i) => [
        idOf({ subject: flatSubject, document: "contacts", size, cut: flatCuts[0] }),
        made([12, 10, 15][i] as number),
      ]),
    );
    expect(flatness("contacts", flatCuts[0], results)).toBe(1.5);
    expect(flatness("orders", flatCuts[0], results)).toBeUndefined();
  });

  test("of the wire is about the first of its cases", () => {
    expect(wireCases[0]).toEqual({ append: true, size: 200 });
  });
});

describe("the suites", () => {
  for (const { name, cases, smoke } of suites) {
    test(`${name} has no case twice, and a short run of some`, () => {
      const ids = cases.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      const short = ids.filter(smoke);
      expect(short.length).toBeGreaterThan(3);
      expect(short.length).toBeLessThan(20);
    });
  }

  test("measure what decides a goal in each third of a round, and all else once", () => {
    const goal = ["goal", "goal's peer"];
    const order = groupsOf(["a", ...goal, "b", "c", "d"].map(counted), (id) => id.startsWith("goal"));
    expect(order).toEqual([...goal, "a", "b", ...goal, "c", "d", ...goal]);
    expect(groupsOf(["a", ...goal, "b"].map(counted))).toEqual(["a", ...goal, "b"]);
  });

  test("measure neighbours of a group side by side", () => {
    const load = (): Promise<Pass> => Promise.resolve(() => 1);
    const sizes = ["x, 1", "x, 2", "y, 1", "y, 2"].map((id) => ({ id, load, group: id.slice(0, 1) }));
    const cases = [counted("a"), counted("b"), ...sizes, { id: "c", load }, { id: "d", load }];
    expect(groupsOf(cases)).toEqual(["a", "b", "x, 1; x, 2", "y, 1; y, 2", "c", "d"]);
    const decided = groupsOf(cases, (id) => id === "y, 2");
    expect(decided.filter((it) => it === "y, 1; y, 2")).toHaveLength(3);
    expect(decided).toHaveLength(8);
  });

  test("of JSON measure what the rows of the goals compare side by side, three times a round, and so the sizes of a document", () => {
    const order = groupsOf(json.cases, json.decisive);
    const times = (id: string): number => order.filter((it) => it.split("; ").includes(id)).length;
    const sides = comparisons.map((comparison) => sidesOf(comparison, "contacts", comparedSize));
    const goals = new Set(sides.flatMap(({ ours, theirs }) => [idOf(ours), idOf(theirs)]));
    expect(order.filter((it) => it === [...goals].join("; "))).toHaveLength(3);
    for (const document of documentNames) {
      for (const cut of flatCuts) {
        const sizes = flatSizes.map((size) => idOf({ subject: flatSubject, document, size, cut }));
        expect(order.filter((it) => it === sizes.join("; "))).toHaveLength(3);
      }
    }
    expect(times("JsonOutputParser, contacts, 42 KB, 4")).toBe(1);
    expect(new Set(order.flatMap((it) => it.split("; ")))).toEqual(new Set(json.cases.map(({ id }) => id)));
  });

  test("count what is no time", async () => {
    const found = json.cases.find(({ id }) => id === wireId({ append: true, size: 20 }));
    expect("count" in found! && (await found.count())).toBeCloseTo(12, 0);
    const memory = json.cases.find(({ id }) => id === memoryId("JSON.parse", "contacts"));
    expect("count" in memory!).toBe(true);
  });
});

describe("the figures", () => {
  test("are medians with their range", () => {
    expect([medianOf([3, 1, 2]), medianOf([4, 1, 2, 3])]).toEqual([2, 2.5]);
    expect(() => medianOf([])).toThrow(RangeError);
    expect(resultOf([5, 1, 3])).toEqual({ median: 3, min: 1, max: 5 });
  });

  test("are printed with three digits, or two", () => {
    expect([0.0123, 1.26, 12.34, 123.4, 12345, undefined].map(figure)).toEqual([
      "0.012",
      "1.3",
      "12.3",
      "123",
      "12,345",
      "–",
    ]);
    expect([1.234, 1234.5, undefined].map(ratio)).toEqual(["1.23", "1,235", "–"]);
    expect([withRange(resultOf([2])), withRange(resultOf([1, 2, 4])), withRange(undefined)]).toEqual([
      "2.0",
      "2.0 (1.0–4.0)",
      "–",
    ]);
  });

  test("stand in tables whose source reads well", () => {
    expect(
      table(
        ["who", "ms"],
        [
          ["a", "1"],
          ["longer", "12.5"],
        ],
      ),
    ).toBe("| who    |   ms |\n| ------ | ---: |\n| a      |    1 |\n| longer | 12.5 |");
  });
});
