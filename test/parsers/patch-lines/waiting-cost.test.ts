import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CountedPackage, countedPackage } from "../../support/counted-steps.js";
import { linesOf } from "./support/read-lines.js";

let counted: CountedPackage;

beforeAll(async () => {
  counted = await countedPackage();
});

afterAll(() => {
  counted.close();
});

const onLineError = (): void => {};
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  patches: (text) => counted.millrace.patchLines({ onLineError }).parse(text),
  "a SpecStream": (text) => counted.millrace.fromSpecStream({ onLineError }).parse(text),
  "messages of A2UI": (text) => counted.millrace.fromA2ui({ onLineError }).parse(text),
};

const list = (count: number, lineOf: (i: number) => object): string =>
  linesOf(...Array.from({ length: count }, (_, i) => lineOf(i)));
const add = (path: string, value: unknown = 1): object => ({ op: "add", path, value });
const data = (surfaceId: string, path: string): object => ({
  ...{ version: "v0.9", updateDataModel: { surfaceId, path, value: 1 } },
});

// G-parsers-11
describe("a line costs the same however many others wait in vain:", () => {
  test.each<[string, string, string, (index: number) => object, (index: number) => object]>([
    [
      "with long paths",
      "patches",
      linesOf(add("", {})),
      (index) => add(`/p${index}${"/key".repeat(100)}/x`),
      (index) => add(`/q${index}`, [index]),
    ],
    [
      "in one object",
      "patches",
      linesOf(add("", { o: {} })),
      (index) => add(`/o/p${index}/x`),
      (index) => add(`/o/q${index}`, { a: index }),
    ],
    [
      "in a list that is too short",
      "patches",
      linesOf(add("", { l: [] })),
      (index) => add(`/l/${100_000 + index}`),
      () => add("/l/-"),
    ],
    [
      "for a source",
      "patches",
      linesOf(add("", {})),
      (index) => ({ op: "copy", from: `/p${index}`, path: "/c" }),
      (index) => add(`/q${index}`, { a: index }),
    ],
    [
      "for an element",
      "a SpecStream",
      linesOf(add("/elements", {})),
      (index) => add(`/elements/p${index}/children/0`),
      (index) => add(`/elements/q${index}`, { type: "Text", props: {}, children: [] }),
    ],
    [
      "for a surface",
      "messages of A2UI",
      linesOf({ version: "v0.9", createSurface: { surfaceId: "s", catalogId: "c" } }),
      (index) => data(`p${index}`, "/a"),
      (index) => data("s", `/q${index}`),
    ],
    [
      "for elements of the data",
      "messages of A2UI",
      linesOf({ version: "v0.9", createSurface: { surfaceId: "s", catalogId: "c" } }),
      (index) => data("s", `/p${index}/3`),
      (index) => data("s", `/q${index}`),
    ],
  ])("%s, %s", (_, reader, first, waiting, others) => {
    const read = readers[reader] as (text: string) => unknown;
    const stepsOf = (count: number): number => {
      const before = first + list(count, waiting);
      const all = counted.stepsOf(() => read(before + list(200, others)));
      return all - counted.stepsOf(() => read(before));
    };
    const [few, many] = [10, 250].map(stepsOf) as [number, number];
    expect(few).toBeGreaterThan(10_000);
    expect(many).toBeLessThan(1.25 * few);
  });
});

// G-parsers-11
describe("lines that operations wake again and again are refused before they cost more than the text:", () => {
  const deep = "/d".repeat(300);
  const value = JSON.parse('{"d":'.repeat(300) + "{}" + "}".repeat(300)) as object;
  test.each<[string, string, (index: number) => object, readonly object[]]>([
    [
      "elements of a list move",
      linesOf(add("", { l: [value] })),
      (index) => add(`/l/0${deep}/p${index}/x`),
      [
        { op: "copy", from: "/l/0", path: "/l/0" },
        { op: "remove", path: "/l/0" },
      ],
    ],
    [
      "a value moves to and fro",
      linesOf(add("", { a: value, b: 1 })),
      (index) => ({ op: "move", from: `/a${deep}`, path: `/a/p${index}/x` }),
      [
        { op: "move", from: "/a", path: "/b" },
        { op: "move", from: "/b", path: "/a" },
      ],
    ],
    ["the document is replaced", linesOf(add("", {})), (index) => add(`/p${index}/x`), [add("", {})]],
  ])("%s", (_, first, waiting, again) => {
    const codes: string[] = [];
    const parser = counted.millrace.patchLines({ onLineError: ({ code }) => codes.push(code) });
    const stepsOf = (count: number): number => {
      const text = first + list(250, waiting) + linesOf(...again).repeat(count / again.length);
      return counted.stepsOf(() => parser.parse(text)) / text.length;
    };
    const [some, many] = [1_000, 4_000].map(stepsOf) as [number, number];
    expect(many).toBeLessThan(1.5 * some);
    expect(many).toBeLessThan(500);
    expect(codes).toContain("max_waiting");
  });

  test("twenty lines may wait while hundreds of elements are added before them", () => {
    const elements = Array.from({ length: 20 }, (_, index) => ({ n: index }));
    const text =
      linesOf(add("", { l: elements })) +
      list(20, (index) => add(`/l/${400 + index}/x/y`)) +
      list(400, () => add("/l/0", {})) +
      list(20, (index) => add(`/l/${400 + index}/x`, {}));
    expect(counted.millrace.patchLines().parse(text)).toMatchObject({
      l: expect.objectContaining({ 400: { n: 0, x: { y: 1 } }, 419: { n: 19, x: { y: 1 } } }) as unknown,
    });
  });
});
