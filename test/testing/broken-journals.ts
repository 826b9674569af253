import type { Journal } from "millrace/durable";
import { memoryJournal } from "millrace/durable";
import type { JournalLawOptions, LawErrorCode } from "millrace/testing";

/** A journal that breaks a law. */
interface BrokenJournal {
  readonly name: string;
  /** A part of the name of the law. */
  readonly law: string;
  readonly code: LawErrorCode;
  readonly attempt: JournalLawOptions["attempt"];
}

type Records = Map<string, string>;

/** Attempts whose journals share the records of their run. */
export function attemptsOver(open: (records: Records) => Journal): JournalLawOptions["attempt"] {
  const runs = new Map<string, Records>();
  return (run, work) => {
    const records = runs.get(run) ?? new Map<string, string>();
    runs.set(run, records);
    return work(open(records));
  };
}

/** A journal over records, without any of the rules. */
function lax(records: Records, change: Partial<LaxRules> = {}): Journal {
  const {
    find = (name: string) => records.get(name),
    record = (name: string, text: string) => void records.set(name, text),
    keep = (value: unknown) => JSON.stringify(value),
    live = false,
  } = change;
  return {
    async step(name, run) {
      const recorded = find(name);
      if (recorded !== undefined) return JSON.parse(recorded) as never;
      const value = await run(1);
      const text = keep(value);
      record(name, text);
      return live ? value : (JSON.parse(text) as never);
    },
  };
}

interface LaxRules {
  readonly find: (name: string) => string | undefined;
  readonly record: (name: string, text: string) => void;
  readonly keep: (value: unknown) => string;
  readonly live: boolean;
}

export const brokenJournals: readonly BrokenJournal[] = [
  {
    name: "forgetful",
    law: "does not run a recorded step again",
    code: "recorded-once",
    attempt: attemptsOver((records) => lax(records, { find: () => undefined })),
  },
  {
    name: "returning the live value",
    law: "returns what JSON makes of a value",
    code: "json-values",
    attempt: attemptsOver((records) => lax(records, { live: true })),
  },
  {
    name: "recording what JSON cannot write",
    law: "refuses a value that JSON cannot write",
    code: "json-values",
    attempt: attemptsOver((records) =>
      lax(records, {
        keep: (value) => (typeof value === "object" ? '"?"' : (JSON.stringify(value) ?? '"?"')),
      }),
    ),
  },
  {
    name: "recording steps when they begin",
    law: "runs a step again that had not ended",
    code: "at-least-once",
    attempt: attemptsOver((records) => ({
      step(name, run) {
        const known = records.get(name);
        records.set(name, "null");
        return lax(records, { find: () => known }).step(name, run);
      },
    })),
  },
  {
    name: "recording a failure",
    law: "rejects with the error of a step",
    code: "at-least-once",
    attempt: attemptsOver((records) => ({
      step: (name, run) =>
        lax(records).step(name, (attempt) =>
          run(attempt).catch((error: unknown) => {
            records.set(name, '"failed"');
            throw error;
          }),
        ),
    })),
  },
  {
    name: "mixing up steps that run at the same time",
    law: "runs steps at the same time",
    code: "parallel",
    attempt: attemptsOver((records) => {
      let last = "";
      return {
        step(name, run) {
          last = name;
          return lax(records, { record: (_, text) => void records.set(last, text) }).step(name, run);
        },
      };
    }),
  },
  {
    name: "counting steps",
    law: "finds steps by their name",
    code: "recorded-once",
    attempt: attemptsOver((records) => {
      let count = 0;
      return { step: (_, run) => lax(records).step(String(++count), run) };
    }),
  },
  {
    name: "returning the value of the first use",
    law: "refuses a name that was used",
    code: "unique-names",
    attempt: attemptsOver((records) => lax(records)),
  },
  {
    name: "boundless",
    law: "refuses a value over the limit",
    code: "limited",
    attempt: attemptsOver((records) => memoryJournal(records)),
  },
  {
    name: "without an owner",
    law: "records one value if two attempts",
    code: "one-owner",
    attempt: attemptsOver((records) => lax(records)),
  },
];
