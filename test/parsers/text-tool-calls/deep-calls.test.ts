import { collect, from, pipe, textOf, textToolCalls } from "millrace";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CountedPackage, countedPackage } from "../../support/counted-steps.js";
import { blocks } from "../../support/pieces.js";

let counted: CountedPackage;

beforeAll(async () => {
  counted = await countedPackage();
});

afterAll(() => {
  counted.close();
});

/** The steps for each character of the last part of a text. */
async function stepsPerCharacter(before: string, last: string, size: number): Promise<number> {
  const [start, all] = [
    await counted.stepsUntil(() => read(before, size)),
    await counted.stepsUntil(() => read(before + last, size)),
  ];
  return (all - start) / last.length;
}

function read(text: string, size: number): Promise<unknown> {
  return collect(pipe(from(blocks(text, size)), counted.millrace.textToolCalls()));
}

// G-json-1
describe("what follows in the arguments of a call costs the same at any depth:", () => {
  test.each<[string, (index: number) => string]>([
    ["members", (index) => `"k${index}":1,`],
    ["members with the same key", () => '"k":1,'],
    ["strings", (index) => `"k${index}":"some text",`],
    ["objects", (index) => `"k${index}":{"a":[1]},`],
    ["a long string", (index) => (index === 0 ? '"k":"' : "some text ".repeat(10))],
    ["closing braces and line feeds in a string", (index) => (index === 0 ? '"k":"' : "}\n")],
  ])("%s", async (_, part) => {
    const last = Array.from({ length: 200 }, (__, index) => part(index)).join("");
    for (const size of [1, 7, 100_000]) {
      const costs: number[] = [];
      for (const depth of [300, 900]) {
        const before = `{"name":"f","arguments":${'{"a":'.repeat(depth)}{`;
        costs.push(await stepsPerCharacter(before, last, size));
      }
      const [shallow = 0, deep = 0] = costs;
      expect(shallow).toBeGreaterThan(1);
      expect(deep, `in pieces of ${size}`).toBeLessThan(1.5 * shallow);
    }
  });
});

// G-json-1
describe("a long string of arguments is not cut where it cannot end:", () => {
  test.each([
    ["braces and backticks", '"', "}`"],
    ["braces and apostrophes", '"', "}'"],
    ["braces and other quotes in a string in apostrophes", "'", '}"'],
  ])("%s", async (_, quote, repeated) => {
    const before = `{"name":"f","arguments":{"a":${quote}${"some text ".repeat(30)}`;
    const last = repeated.repeat(4_000);
    expect(await stepsPerCharacter(before, last, 100_000)).toBeLessThan(60);
  });
});

// G-json-1
test("text after arguments that are too deep costs no more than after others", async () => {
  const { from, mergeChunks, pipe } = counted.millrace;
  const stepsAfter = (first: string): Promise<number> => {
    const pieces = [first, ...Array<string>(500).fill("[")];
    const chunks = pieces.map((args) => ({
      content: [{ type: "tool_call_chunk", index: 0, args } as const],
    }));
    return counted.stepsUntil(async () => {
      for await (const _ of pipe(from(chunks), mergeChunks()));
    });
  };
  const deep = "[".repeat(1_001);
  const once = await stepsAfter(deep);
  expect(once).toBeLessThan(2 * (await stepsAfter(`x${deep}`)) + 100_000);
});

test("a bracket that begins no call is read once to notice it", async () => {
  for (const size of [1, 7, 64, 100_000])
    expect(await stepsPerCharacter("", '\n1. "a":[('.repeat(400), size), `in pieces of ${size}`).toBeLessThan(
      1_500,
    );
});

// With the starts of calls read again and again, this takes minutes.
test("reads a long text in one chunk", async () => {
  const text = "\n[f(".repeat(200_000);
  const chunks = await collect(pipe(from([text]), textToolCalls({ tools: [{ name: "weather" }] })));
  expect(chunks.map(textOf).join("")).toBe(text);
});
