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
      linesOf(add("/root", "a")),
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
    expect(many).toBeLessThan(1.1 * few);
  });
});
