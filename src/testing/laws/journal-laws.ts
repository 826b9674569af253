import { checkObject } from "../../text/check-options.js";
import type { Journal } from "../../agent/journal.js";
import { fieldOf } from "../../text/thrown.js";
import { messageOf } from "../../text/excerpt.js";
import type { JsonValue } from "../../json/value.js";
import { demand, type Law, lawNames, rejectionOf } from "./law.js";
import { sameValue, show } from "./same-value.js";
import { deferred } from "../../stream/core/result.js";

/** The options of `journalLaws()`. */
export interface JournalLawOptions {
  /**
   * Starts the next attempt at a run, calls `work` with its journal, and settles as `work` does. If `work` rejects, the
   * attempt has crashed: close its journal or kill its process, and let nothing that still runs be recorded.
   *
   * @param run the name of the run; the laws use each for one trial
   */
  readonly attempt: <T>(run: string, work: (journal: Journal) => Promise<T>) => Promise<T>;
  /** The maximum size of a value that the journal was created with, in characters of JSON. Without it, not checked. */
  readonly maxStepSize?: number;
  /** Set to true for an engine that finds steps by their position, not by their name. Default: false. */
  readonly ordered?: boolean;
}

/**
 * Returns the laws that every journal keeps, as checks for your own. A check runs several attempts at one run, some of
 * which crash, and rejects with a `LawError` that says which law is broken and how. The checks need no test framework.
 *
 * 1. A recorded step never runs again, and has the same value in each attempt.
 * 2. A step that had not ended or had rejected runs again.
 * 3. A value is what JSON makes of it, also in the first attempt. What JSON cannot write is refused.
 * 4. Steps run at the same time.
 * 5. A name that was used in the attempt is refused.
 * 6. A value over the limit is refused.
 * 7. Of two attempts at the same time, one records the step, and no other value is ever seen.
 *
 * @example
 * ```ts
 * import { memoryJournal } from "millrace/durable";
 * import { journalLaws } from "millrace/testing";
 *
 * const runs = new Map<string, Map<string, string>>();
 * const laws = journalLaws({
 *   attempt(run, work) {
 *     const records = runs.get(run) ?? new Map<string, string>();
 *     return work(memoryJournal(runs.set(run, records).get(run)));
 *   },
 * });
 * for (const law of laws) await law.check();
 * ```
 */
export function journalLaws(options: JournalLawOptions): Law[] {
  checkObject("journalLaws()", options);
  const { attempt, maxStepSize, ordered = false } = options;
  const nextName = lawNames();
  /** A run that no other law uses. */
  const begin = (): Trial => new Trial(nextName(), attempt);

  return [
    {
      name: "does not run a recorded step again",
      async check() {
        const trial = begin();
        for (const time of ["first", "second", "third"]) {
          const value = await trial.step("a", () => Promise.resolve(time));
          demand(value === "first", "recorded-once", `the ${time} attempt got ${show(value)}`);
        }
      },
    },
    {
      name: "returns what JSON makes of a value, in the first attempt and the next",
      async check() {
        for (const value of values) {
          const trial = begin();
          const expected: unknown = JSON.parse(JSON.stringify(value));
          for (const time of ["first", "second"]) {
            const got = await trial.step("a", () => Promise.resolve(value));
            const problem = `the ${time} attempt got ${show(got)} for ${show(value)}`;
            demand(sameValue(got, expected), "json-values", problem);
          }
        }
      },
    },
    {
      name: "refuses a value that JSON cannot write, and does not record it",
      async check() {
        const cycle: Record<string, unknown> = {};
        cycle["self"] = cycle;
        for (const value of [undefined, 1n, cycle, { deep: [1n] }]) {
          const trial = begin();
          const error = await trial.failureOf("a", () => Promise.resolve(value as never));
          demand(error !== undefined, "json-values", `a value that JSON cannot write was accepted`);
          const next = await trial.step("a", () => Promise.resolve("next"));
          demand(next === "next", "json-values", `the next attempt got ${show(next)}`);
        }
      },
    },
    {
      name: "runs a step again that had not ended when its attempt crashed, but not the recorded one before it",
      async check() {
        const trial = begin();
        await trial.crash(async (journal, crash) => {
          await journal.step("a", () => Promise.resolve("recorded"));
          await journal.step("b", () => crash());
        });
        const [a, b] = await trial.attempt(async (journal) => [
          await journal.step("a", () => Promise.resolve("again")),
          await journal.step("b", () => Promise.resolve("again")),
        ]);
        demand(a === "recorded", "recorded-once", `the recorded step returned ${show(a)}`);
        demand(b === "again", "at-least-once", `the step that had not ended returned ${show(b)}`);
      },
    },
    {
      name: "rejects with the error of a step, and runs it again in the next attempt",
      async check() {
        const trial = begin();
        const error = await trial.failureOf("a", () => Promise.reject(new Error("broken")));
        demand(messageOf(error).includes("broken"), "at-least-once", `a failed step gave ${show(error)}`);
        const next = await trial.step("a", () => Promise.resolve("next"));
        demand(next === "next", "at-least-once", `after a failure, the next attempt got ${show(next)}`);
      },
    },
    {
      name: "runs steps at the same time, and gives each its own value",
      async check() {
        const trial = begin();
        await trial.crash(async (journal, crash) => {
          const started = barrier(names.length);
          const steps = names.map((name, index) =>
            journal.step(name, async () => {
              await started.arrive();
              return index % 2 === 0 ? index : hang();
            }),
          );
          // The even ones end, so they are recorded.
          await Promise.all(steps.filter((_, index) => index % 2 === 0));
          await crash();
        });
        const again = await trial.attempt((journal) =>
          Promise.all(names.map((name) => journal.step(name, () => Promise.resolve(-1)))),
        );
        const expected = names.map((_, index) => (index % 2 === 0 ? index : -1));
        demand(sameValue(again, expected), "parallel", `the next attempt got ${show(again)}`);
      },
    },
    ...(ordered ? [] : [findsByName(begin)]),
    {
      name: "refuses a name that was used in the attempt",
      async check() {
        const trial = begin();
        const error: unknown = await trial.attempt(async (journal) => {
          await journal.step("a", () => Promise.resolve(1));
          return journal
            .step("a", () => Promise.resolve(2))
            .then(
              () => undefined,
              (reason: unknown) => ({ code: String(fieldOf(reason, "code")) }),
            );
        });
        demand(
          fieldOf(error, "code") === "duplicate_step",
          "unique-names",
          `the second use gave ${show(error)}`,
        );
      },
    },
    ...(maxStepSize === undefined ? [] : [refusesLarge(begin, maxStepSize)]),
    {
      name: "records one value if two attempts run at the same time",
      async check() {
        const trial = begin();
        const started = barrier(1);
        const held = barrier(1);
        const first = settled(
          trial.step("a", async () => {
            await started.arrive();
            await held.open;
            return "first";
          }),
        );
        await started.open;
        const second = await settled(trial.step("a", () => Promise.resolve("second")));
        await held.arrive();
        const outcomes = [await first, second].filter((outcome) => outcome !== undefined);
        demand(outcomes.length > 0, "one-owner", "neither attempt could record the step");
        const last = await trial.step("a", () => Promise.resolve("third"));
        demand(
          outcomes.every((value) => value === last),
          "one-owner",
          `the two attempts got ${show(outcomes)}, but the next one ${show(last)}`,
        );
      },
    },
  ];
}

function findsByName(begin: () => Trial): Law {
  return {
    name: "finds steps by their name, in any order",
    async check() {
      const trial = begin();
      const inOrder = async (order: readonly string[], suffix: string): Promise<string[]> =>
        trial.attempt(async (journal) => {
          const got: string[] = [];
          for (const name of order) got.push(await journal.step(name, () => Promise.resolve(name + suffix)));
          return got;
        });
      const expected = await inOrder(names, "!");
      const got = await inOrder([...names].reverse(), "?");
      demand(
        sameValue(got.reverse(), expected),
        "recorded-once",
        `in another order, it returned ${show(got)}`,
      );
    },
  };
}

function refusesLarge(begin: () => Trial, maxStepSize: number): Law {
  return {
    name: "refuses a value over the limit, and records only what is given instead",
    async check() {
      const trial = begin();
      const fits = "x".repeat(maxStepSize - 2); // and two quotes
      const error = await trial.failureOf("a", () => Promise.resolve(`${fits}x`));
      demand(fieldOf(error, "code") === "too_large", "limited", `a value over the limit gave ${show(error)}`);
      const next = await trial.step("a", () => Promise.resolve(fits));
      demand(next === fits, "limited", "a value at the limit was refused");
      const others = begin();
      for (const instead of ["instead", "again"]) {
        const step = (journal: Journal): Promise<string> =>
          journal.step(
            "b",
            () => Promise.resolve(`${fits}x`),
            () => instead,
          );
        const other = await others.attempt(step);
        demand(
          other === "instead",
          "limited",
          `instead of a value over the limit, it returned ${show(other)}`,
        );
      }
    },
  };
}

const names: readonly string[] = [
  "model 1",
  "tool 1 a",
  "tool 1 b",
  "tool 1 c",
  "model 2",
  "\u00e9\u{1f600}\n",
];

const values: readonly JsonValue[] = [
  null,
  false,
  0,
  -1.5e300,
  "",
  "\u0000 \ud800 \u{1f600} \u2028",
  [],
  {},
  JSON.parse('{"__proto__":{"a":1},"constructor":[null,{"":[]}]}') as JsonValue,
  { kept: 1, dropped: undefined, list: [undefined, Number.NaN] } as unknown as JsonValue,
];

/** One run, with as many attempts as a law needs. */
class Trial {
  private readonly run: string;
  private readonly start: JournalLawOptions["attempt"];

  constructor(run: string, start: JournalLawOptions["attempt"]) {
    this.run = run;
    this.start = start;
  }

  attempt<T>(work: (journal: Journal) => Promise<T>): Promise<T> {
    return this.start(this.run, work);
  }

  /** An attempt that runs one step. */
  step(name: string, run: () => Promise<JsonValue>): Promise<JsonValue> {
    return this.attempt((journal) => journal.step(name, run));
  }

  /** The error of an attempt that runs one step. */
  failureOf(name: string, run: () => Promise<JsonValue>): Promise<unknown> {
    return rejectionOf(this.step(name, run));
  }

  /** An attempt that crashes when `work` calls `crash`, whose promise never settles. */
  async crash(work: (journal: Journal, crash: () => Promise<never>) => Promise<void>): Promise<void> {
    const error = new Error("The attempt crashed, as the law wants it to.");
    await this.attempt(
      (journal) =>
        new Promise<void>((resolve, reject) => {
          const crash = (): Promise<never> => {
            reject(error);
            return hang();
          };
          work(journal, crash).then(resolve, reject);
        }),
    ).catch((reason: unknown) => {
      if (reason !== error) throw reason;
    });
  }
}

function hang(): Promise<never> {
  return new Promise(() => {
    // pending for ever
  });
}

/** Opens when `count` have arrived. */
function barrier(count: number): { readonly open: Promise<void>; readonly arrive: () => Promise<void> } {
  let missing = count;
  const { promise: open, resolve } = deferred<undefined>();
  return {
    open,
    arrive() {
      if (--missing === 0) resolve(undefined);
      return open;
    },
  };
}

/** The value of a promise, or `undefined` if it rejects. */
function settled<T>(promise: Promise<T>): Promise<T | undefined> {
  return promise.catch(() => undefined);
}
