import { memoryJournal } from "millrace/durable";
import { journalLaws } from "millrace/testing";
import { describe, expect, test } from "vitest";

const runs = new Map<string, Map<string, string>>();
const laws = journalLaws({
  maxStepSize: 1_000,
  attempt(run, work) {
    const records = runs.get(run) ?? new Map<string, string>();
    runs.set(run, records);
    return work(memoryJournal(records, { maxStepSize: 1_000 }));
  },
});

describe("memoryJournal()", () => {
  test.each(laws.map((law) => [law.name, law] as const))("%s", async (_, law) => {
    await law.check();
  });

  test("tells a step how often it was tried", async () => {
    const records = new Map<string, string>();
    const attempts: number[] = [];
    for (let i = 0; i < 3; i++) {
      await memoryJournal(records)
        .step("a", (attempt) => {
          attempts.push(attempt);
          return attempt === 3 ? Promise.resolve("done") : Promise.reject(new Error("not yet"));
        })
        .catch(() => undefined);
    }
    expect(attempts).toEqual([1, 2, 3]);
  });

  test("finds what is recorded without running it", async () => {
    const journal = memoryJournal(new Map([["a", "[1]"]]));
    expect([await journal.recorded?.("a"), await journal.recorded?.("b")]).toEqual([[1], undefined]);
    expect(await journal.step("b", () => Promise.resolve(2))).toBe(2);
  });

  test("refuses a limit that is no whole number", () => {
    expect(() => memoryJournal(new Map(), { maxStepSize: 0 })).toThrow(RangeError);
  });
});
