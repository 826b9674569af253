import { readFileSync } from "node:fs";
import { join } from "node:path";
import { applyPatch, type Chunk, jsonParser, map, type JsonPatch, type Operator } from "millrace";
import { everyWay, operatorLaws } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { complaintsAbout, filesOf, promisesOf, root, testFiles, titlesIn } from "./guarantees.js";

/** docs/guarantees.md names a proof for each promise: here it is found out whether they are there. */

const page = readFileSync(join(root, "docs/guarantees.md"), "utf8");
const promises = promisesOf(page);
const ofSection = (section: string): typeof promises => promises.filter((it) => it.section === section);

describe("docs/guarantees.md", () => {
  test("names proofs that are there", () => {
    expect(promises.flatMap(({ proofs }) => proofs).length).toBeGreaterThan(80);
    expect(promises.flatMap(({ proofs }) => proofs.flatMap(complaintsAbout))).toEqual([]);
  });

  test("has a proof for each promise", () => {
    const laws = new Set(lawNames());
    const without = promises
      .filter(({ section, text }) => section !== "What is not guaranteed" && !laws.has(text))
      .filter(({ proofs }) => proofs.length === 0);
    expect(without.map(({ text }) => text)).toEqual([]);
  });

  test("refers to each file that it says the place of", () => {
    const used = new Set(page.match(/\[[\w/.-]+\](?![(:])/g)?.map((label) => label.slice(1, -1)));
    expect([...filesOf(page).keys()].filter((label) => !used.has(label))).toEqual([]);
  });

  test("has all laws of operatorLaws(), in their order, and no other", () => {
    const items = ofSection("The laws of an operator").filter(({ proofs }) => proofs.length === 0);
    expect(items.map(({ text }) => text)).toEqual(lawNames());
  });

  test("knows each test file that runs an operator through the laws", () => {
    const known = new Set(filesOf(page).values());
    const files = testFiles().filter((file) =>
      /operatorLaws[<(]/.test(readFileSync(join(root, file), "utf8")),
    );
    expect(files.filter((file) => !known.has(file))).toEqual([]);
  });

  test("has all invariants of JsonParser, each with all tests that cite its number", () => {
    const docblock = readFileSync(join(root, "src/json/parser.ts"), "utf8");
    const numbers = Array.from(docblock.matchAll(/^ \* (\d)\. /gm), ([, number = ""]) => number);
    expect(numbers).toHaveLength(9);
    const file = "test/behaviour/json/invariants.test.ts";
    const tests = [...titlesIn(readFileSync(join(root, file), "utf8"))].filter((title) =>
      /^\d: /.test(title),
    );
    const items = ofSection("The nine invariants of the JSON parser");
    expect(items).toHaveLength(numbers.length);
    for (const [index, number] of numbers.entries()) {
      const cited = items[index]?.proofs.filter((proof) => proof.file === file).flatMap(({ names }) => names);
      const wanted = tests.filter((title) => title.startsWith(`${number}: `));
      const describes = wanted.filter((title) => !cited?.includes(title));
      expect(wanted.length).toBeGreaterThan(1);
      expect(describes).toHaveLength(1); // the heading over them
      expect(cited?.every((name) => wanted.includes(name))).toBe(true);
    }
  });
});

describe("a proof is missed", () => {
  const sample = (names: string): string[] =>
    promisesOf(`## A\n\n- it holds:\n  [a] ${names}\n\n[a]: ../test/house/guarantees.test.ts\n`).flatMap(
      ({ proofs }) => proofs.flatMap(complaintsAbout),
    );

  test("if its file has no test of that name", () => {
    expect(sample("“names proofs that are\n  there”")).toEqual([]);
    expect(sample("“names proofs that are there”, “and another”")).toEqual([
      "test/house/guarantees.test.ts has no test “and another”",
    ]);
  });

  test("if there is no such file, or nothing runs it", () => {
    expect(complaintsAbout({ label: "b", file: undefined, names: [] })).toHaveLength(1);
    expect(complaintsAbout({ label: "b", file: "test/none.test.ts", names: [] })).toHaveLength(1);
    expect(complaintsAbout({ label: "b", file: "test/house/guarantees.ts", names: [] })).toEqual([
      "test/house/guarantees.ts has no tests",
    ]);
  });

  test("if the test is skipped, to be written, or a heading over nothing", () => {
    const source = `
      test("a", () => {}); test.each([1])("b %s", () => {}); test(\`c \${x} d\`, async () => {});
      describe("e", () => { for (const law of laws) test(law.name, () => law.check()); });
      test.skip("f", () => {}); test.todo("g"); describe("h", () => {}); describe.skip("i", () => { test("j", () => {}); });
    `;
    expect([...titlesIn(source)].sort()).toEqual(["a", "b %s", "c ${…} d", "e"]);
  });
});

/** The views that have no test of the laws beside their own tests. */
describe("the views of jsonParser() keep the laws:", () => {
  const schema = z.object({ a: z.array(z.union([z.number(), z.string()])), b: z.object({ c: z.null() }) });
  const inputs = ['{"a": [1, "x', 'y"], ', '"b": {"c": nu', "ll}}"];
  const cut = (): Iterable<readonly string[]> => everyWay(inputs.join(""), { count: 20 });
  const newest = (outputs: readonly unknown[]): unknown => outputs.at(-1);
  const sum = (outputs: readonly unknown[]): unknown => applyPatch(null, (outputs as JsonPatch[]).flat());
  const views: [string, () => Operator<Chunk, unknown>, ((outputs: readonly unknown[]) => unknown)?][] = [
    [".stream", () => jsonParser().stream, newest],
    [".stream, with a schema", () => jsonParser(schema).stream, newest],
    [".patches", () => jsonParser().patches, sum],
    [".patches with append, with a schema", () => jsonParser(schema, { append: true }).patches, sum],
    [".items()", () => jsonParser().items("/a")],
    [".items(), with a schema", () => jsonParser(schema).items("/a", z.union([z.number(), z.string()]))],
    [".final", () => jsonParser().final],
    [".final, with a schema", () => jsonParser(schema).final],
  ];
  for (const [view, create, result] of views) {
    const laws = operatorLaws<Chunk, unknown>(create, { inputs, cut, ...(result && { result }) });
    test.each(laws)(`${view} $name`, (law) => law.check());
  }
});

function lawNames(): string[] {
  return operatorLaws(() => map((n: number) => n), { inputs: [1], cut: () => [[1]] }).map(({ name }) => name);
}
