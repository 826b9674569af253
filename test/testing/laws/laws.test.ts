import { describe, expect, test } from "vitest";
import { type Law, LawError, operatorLaws } from "millrace/testing";
import { brokenOperators, faithful } from "../broken-operators.js";

const inputs = [1, 2, 3, 4];
const lawsOf = (subject: (typeof brokenOperators)[number]): Law[] =>
  operatorLaws(subject.create, { inputs, ...subject.options });

// G-stream-1
describe("the laws detect an operator that is", () => {
  test.each(brokenOperators.map((broken) => [broken.name, broken] as const))("%s", async (_, broken) => {
    const law = lawsOf(broken).find(({ name }) => name.includes(broken.law)) as Law;
    const error: unknown = await law.check().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(LawError);
    expect((error as LawError).message).toMatch(broken.message);
    expect((error as LawError).code).toBe(broken.code);
  });
});

test("every law has an operator that breaks it", () => {
  const laws = operatorLaws(faithful, { inputs, cut: () => [inputs] }).map(({ name }) => name);
  expect(laws.filter((name) => !brokenOperators.some(({ law }) => name.includes(law)))).toEqual([]);
});

test("a correct operator keeps all laws", async () => {
  for (const law of operatorLaws(faithful, { inputs, cut: () => [inputs] })) await law.check();
});

test("a LawError has the code of the law, the position and the item", async () => {
  const wrapping = brokenOperators.find(({ name }) => name === "error-swallowing")!;
  const law = lawsOf(wrapping).find(({ name }) => name.includes(wrapping.law)) as Law;
  const error = (await law.check().catch((reason: unknown) => reason)) as LawError;
  expect(error.code).toBe("honest-errors");
  expect(error.message).toMatch(/position 0 of a ready source.*\{"kind":"done"\}/);
});

test("an endless operator is detected after a bounded number of items", async () => {
  const law = operatorLaws(
    () =>
      async function* () {
        for (;;) yield 0;
      },
    { inputs },
  ).find(({ name }) => name.includes("ends when")) as Law;
  await expect(law.check()).rejects.toThrow("10000");
});
