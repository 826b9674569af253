import type { JsonValue } from "millrace";
import { describe, expect, it } from "vitest";
import { progressSoFar, renderValue, type ValueProgress } from "#src/cli/terminal/render-value.js";
import { colorStyles, plainStyles } from "#src/cli/terminal/styles.js";
import { widthOf } from "#src/cli/terminal/text-layout.js";

function render(value: JsonValue | undefined, progress: ValueProgress = "complete", width = 40): string {
  return renderValue(value, { width, styles: plainStyles, progress }).join("\n");
}

const recipe: JsonValue = {
  title: "Risotto",
  servings: 4,
  vegetarian: true,
  wine: null,
  minutes: { preparation: 10, cooking: 25 },
  ingredients: [
    { amount: 320, unit: "g", item: "rice" },
    { amount: 1.2, unit: "l", item: "stock, kept hot, and a ladle beside it" },
  ],
  steps: ["Sweat the shallots in olive oil over a low heat.", "Stir."],
  notes: [],
  nutrition: {},
};

describe("renderValue", () => {
  it("renders each property and element on a line, and indents the continuation of long ones", () => {
    expect(render(recipe)).toBe(
      `
title: Risotto
servings: 4
vegetarian: true
wine: null
minutes:
  preparation: 10
  cooking: 25
ingredients:
  - amount: 320 · unit: g · item: rice
  - amount: 1.2
    unit: l
    item: stock, kept hot, and a ladle
      beside it
steps:
  - Sweat the shallots in olive oil over
    a low heat.
  - Stir.
notes: []
nutrition: {}`.trimStart(),
    );
  });

  it("never makes a line wider than the terminal", () => {
    for (let width = 12; width < 90; width++) {
      for (const progress of ["complete", "open", "growing"] as const) {
        for (const line of renderValue(recipe, { width, styles: colorStyles, progress })) {
          expect(widthOf(line), `${String(width)} columns: ${line}`).toBeLessThanOrEqual(width);
        }
      }
    }
  });

  it("appends a cursor to the growing string only", () => {
    expect(render({ a: "done", b: "grow" }, "growing")).toBe("a: done\nb: grow▌");
    expect(render({ a: "done", b: "grown" }, "open")).toBe("a: done\nb: grown");
    expect(render({ a: "done", b: "grown" }, "complete")).toBe("a: done\nb: grown");
  });

  it("shows a cursor in an open empty value", () => {
    expect(render(undefined, "open")).toBe("▌");
    expect(render({}, "open")).toBe("{▌");
    expect(render({ list: [] }, "open")).toBe("list: [▌");
    expect(render([[], []], "open")).toBe("- []\n- [▌");
  });

  it("colours the growing string, and dims the keys of complete values", () => {
    const lines = renderValue({ a: "x", b: "y" }, { width: 40, styles: colorStyles, progress: "growing" });
    expect(lines).toEqual([
      "\u001b[2ma\u001b[22m\u001b[2m:\u001b[22m x",
      "b\u001b[2m:\u001b[22m \u001b[36my\u001b[39m\u001b[36m▌\u001b[39m",
    ]);
  });

  it("quotes a complete string that looks like another value", () => {
    const texts = ["", "12", "-1.5e3", "true", "null", " padded ", "[x]", '"', "12 eggs", "truly"];
    expect(render(texts).split("\n")).toEqual([
      '- ""',
      '- "12"',
      '- "-1.5e3"',
      '- "true"',
      '- "null"',
      '- " padded "',
      '- "[x]"',
      '- "\\""',
      "- 12 eggs",
      "- truly",
    ]);
    expect(render("12", "growing")).toBe("12▌");
  });

  it("keeps the line breaks of a text, and escapes control characters", () => {
    expect(render({ poem: "one\ntwo", evil: "\u001b[2J" })).toBe("poem: one\n  two\nevil: ␛[2J");
    expect(render([{ poem: "one\ntwo", n: 1 }])).toBe('- poem: "one\\ntwo" · n: 1');
    expect(render({ "\u001b[1A": 1, "a:\nb": 2 })).toBe('␛[1A: 1\n"a:\\nb": 2');
  });

  it("renders a primitive root", () => {
    expect(render("text")).toBe("text");
    expect(render(0)).toBe("0");
    expect(render(null)).toBe("null");
    expect(render([])).toBe("[]");
    expect(render({})).toBe("{}");
    expect(render(undefined)).toBe("");
  });

  it("nests arrays with dashes", () => {
    expect(
      render([
        [1, 2],
        [[3], { a: [4] }],
      ]),
    ).toBe("- - 1\n  - 2\n- - - 3\n  - a:\n      - 4");
  });

  it("stays readable in a narrow terminal", () => {
    let value: JsonValue = "deep";
    for (let i = 0; i < 30; i++) value = { k: value };
    const lines = renderValue(value, { width: 24, styles: plainStyles, progress: "complete" });
    expect(lines).toHaveLength(30);
    expect(lines.at(-1)).toBe("    k: deep");
  });

  it("renders the same last lines if only those are needed", () => {
    const value = {
      ...(recipe as object),
      more: [recipe, ["a", [recipe]]],
      end: "It grows ".repeat(20),
    } as JsonValue;
    for (const width of [16, 40, 90]) {
      const options = { width, styles: plainStyles, progress: "growing" as const };
      const all = renderValue(value, options);
      for (let last = 0; last <= all.length + 1; last++) {
        expect(renderValue(value, { ...options, last })).toEqual(last === 0 ? [] : all.slice(-last));
      }
    }
  });

  it("reads only as much of a large value as it shows", () => {
    const read: string[] = [];
    const rows = new Proxy([] as JsonValue[], {
      get: (_target, key) => {
        if (key === "length") return 1_000_000;
        read.push(String(key));
        return `row ${String(key)}`;
      },
    });
    expect(renderValue(rows, { width: 40, styles: plainStyles, progress: "open", last: 3 })).toEqual([
      "- row 999997",
      "- row 999998",
      "- row 999999",
    ]);
    expect(read.length).toBeLessThan(10);
  });

  it("wraps a very long text at the same positions while it grows", () => {
    const words = "lorem ipsum dolor sit amet consectetur ".repeat(2_000);
    const tail = (length: number): string[] =>
      renderValue(words.slice(0, length), { width: 40, styles: plainStyles, progress: "growing", last: 10 });
    const before = tail(60_000);
    const after = tail(60_100);
    expect(after.slice(0, 6)).toEqual(before.slice(-7, -1));
  });

  it("renders a hundred thousand lines, and a thousand levels", () => {
    const options = { width: 40, styles: plainStyles, progress: "complete" as const };
    expect(renderValue({ rows: new Array<number>(200_000).fill(1) }, options)).toHaveLength(200_001);
    let deep: JsonValue = 1;
    for (let i = 0; i < 1_000; i++) deep = i % 2 === 0 ? [deep] : { k: deep };
    expect(renderValue(deep, options).length).toBeGreaterThan(500);
  });

  it("is a pure function", () => {
    const before = JSON.stringify(recipe);
    expect(render(recipe)).toBe(render(recipe));
    expect(JSON.stringify(recipe)).toBe(before);
  });
});

it("calls a value growing whose open end is a string is growing", () => {
  expect(progressSoFar(undefined)).toBe("open");
  expect(progressSoFar("te")).toBe("growing");
  expect(progressSoFar({ a: 1, b: [{ c: "te" }] })).toBe("growing");
  expect(progressSoFar({ a: "text", b: 1 })).toBe("open");
  expect(progressSoFar({ a: "text", b: {} })).toBe("open");
});
