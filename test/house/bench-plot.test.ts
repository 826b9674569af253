import { describe, expect, test } from "vitest";
import { plotOf } from "../../bench/json/plot-of.js";
import { growing } from "../../bench/json/scaling.js";
import { json } from "../../bench/json/suite.js";
import { svgOf } from "../../bench/plot.js";
import type { Result } from "../../bench/suite.js";

/** Loaded by a name that the compiler does not follow: its declarations do not compile under our flags. */
const name: string = "saxes";
const { SaxesParser } = (await import(name)) as { readonly SaxesParser: new () => Saxes };

interface Saxes {
  on(event: "error", handler: (error: Error) => void): void;
  on(event: "opentag", handler: (tag: Element) => void): void;
  on(event: "text", handler: (text: string) => void): void;
  write(text: string): this;
  close(): void;
}

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

describe("a plot", () => {
  const axis = (label: string): { label: string; ticks: { at: number; label: string }[] } => ({
    label,
    ticks: [1, 10, 100].map((at) => ({ at, label: `${at} ${label}` })),
  });
  const svg = svgOf({
    title: "Time & <size>",
    x: axis("KB"),
    y: axis("ms"),
    series: [
      { name: "a < b", strong: true, points: [1, 10, 100].map((it) => ({ x: it, y: it })) },
      { name: "one point", points: [{ x: 10, y: 100 }] },
    ],
  });
  const { elements, texts } = read(svg);

  test("is well-formed, and names its axes with their units, its ticks and its lines", () => {
    expect(elements[0]?.name).toBe("svg");
    expect(texts).toEqual(
      expect.arrayContaining(["Time & <size>", "KB", "1 KB", "100 KB", "ms", "10 ms", "a < b", "one point"]),
    );
  });

  test("is logarithmic in both: equal factors are equal distances, and more is up", () => {
    const lines = elements.filter(({ name }) => name === "polyline").map(pointsOf);
    const [first, second, third] = lines[1] as [number[], number[], number[]];
    expect(second[0]! - first[0]!).toBeCloseTo(third[0]! - second[0]!, 1);
    expect(second[1]! - first[1]!).toBeCloseTo(third[1]! - second[1]!, 1);
    expect(second[0]!).toBeGreaterThan(first[0]!);
    expect(second[1]!).toBeLessThan(first[1]!);
    expect(lines[0]).toEqual([[second[0], third[1]]]); // what is strong is drawn last
  });

  test("tells ten lines apart by their hues", () => {
    const many = Array.from({ length: 10 }, (_, i) => ({ name: `${i}`, points: [{ x: 1, y: 1 }] }));
    const hues = read(svgOf({ title: "", x: axis("x"), y: axis("y"), series: many }))
      .elements.map(({ attributes }) => attributes["stroke"])
      .filter((it) => it !== undefined);
    expect(new Set(hues).size).toBe(10);
  });

  test("has colours for a dark page too", () => {
    expect(svg).toContain("@media (prefers-color-scheme: dark)");
  });
});

describe("the plot of the JSON suite", () => {
  const made = (value: number): Result => ({ median: value, min: value, max: value });

  test("has a line for each reader, inside its axes, whatever the figures", () => {
    const results = new Map(json.cases.map(({ id }, i) => [id, made(1.7 ** (i % 30))]));
    const { elements, texts } = read(plotOf(results));
    const lines = elements.filter(({ name }) => name === "polyline").map(pointsOf);
    expect(lines.map((it) => it.length).sort()).toEqual([...growing.values()].map((it) => it.length).sort());
    for (const [x, y] of lines.flat() as [number, number][]) {
      expect(x).toBeGreaterThanOrEqual(96);
      expect(x).toBeLessThanOrEqual(640);
      expect(y).toBeGreaterThanOrEqual(48);
      expect(y).toBeLessThanOrEqual(456);
    }
    expect(texts).toEqual(expect.arrayContaining(["8 KB", "2 MB", "jsonriver", "LangChain.js, diff"]));
  });

  test("leaves out who was not measured", () => {
    const one = new Map([["jsonriver, contacts, 8 KB, 4", made(100)]]);
    const { elements, texts } = read(plotOf(one));
    expect(elements.filter(({ name }) => name === "polyline")).toHaveLength(1);
    expect(texts).toContain("jsonriver");
    expect(texts).not.toContain("stream-json");
    expect(() => read(plotOf(new Map()))).not.toThrow();
  });
});

function read(svg: string): { elements: Element[]; texts: string[] } {
  const elements: Element[] = [];
  const texts: string[] = [];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => elements.push({ name, attributes }));
  parser.on("text", (text) => texts.push(text));
  parser.write(svg).close();
  return { elements, texts };
}

function pointsOf({ attributes }: Element): number[][] {
  return (attributes["points"] ?? "").split(" ").map((point) => point.split(",").map(Number));
}
