import { memoryJournal } from "millrace/durable";
import { journalLaws, type Law, LawError } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { attemptsOver, brokenJournals } from "../broken-journals.js";

const maxStepSize = 100;

describe("the laws detect a journal that is", () => {
  test.each(brokenJournals.map((broken) => [broken.name, broken] as const))("%s", async (_, broken) => {
    const laws = journalLaws({ attempt: broken.attempt, maxStepSize });
    const law = laws.find(({ name }) => name.includes(broken.law)) as Law;
    const error: unknown = await law.check().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(LawError);
    expect((error as LawError).code).toBe(broken.code);
  });
});

test("every law has a journal that breaks it", () => {
  const laws = journalLaws({ attempt: (_, work) => work(memoryJournal()), maxStepSize });
  const names = laws.map(({ name }) => name);
  expect(names.filter((name) => !brokenJournals.some(({ law }) => name.includes(law)))).toEqual([]);
});

test("a journal that finds steps by position is not asked for another order", () => {
  const attempt = attemptsOver((records) => memoryJournal(records));
  const names = journalLaws({ attempt, ordered: true }).map(({ name }) => name);
  expect(names.some((name) => name.includes("in any order"))).toBe(false);
});
