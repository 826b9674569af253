import type { Journal } from "../../agent/journal.js";
import type { JsonValue } from "../../json/value.js";
import { wholeNumber } from "../../text/check-number.js";
import { checkOptions } from "../../text/check-options.js";
import { quoted } from "../../text/cut.js";
import { jsonText, parseJson } from "../../text/json-text.js";
import { isInstance } from "../../text/thrown.js";
import { corruptRecord, DurableError } from "../errors.js";

/**
 * Returns the recorded JSON text of a step, or runs it and records its text.
 *
 * @param instead makes the text to record if the place has no room for that of `run`
 */
export type TextStep = (
  name: string,
  run: (attempt: number) => Promise<string>,
  instead: ((error: unknown) => string) | undefined,
) => Promise<string>;

/**
 * A journal over a place that keeps texts, with the rules that all journals of this package share: a name is used once
 * in an attempt, and a value is JSON of a limited size.
 */
export function checkedJournal(textStep: TextStep, maxStepSize: number): Journal {
  const used = new Set<string>();
  return {
    async step<T extends JsonValue>(
      name: string,
      run: (attempt: number) => Promise<T>,
      instead?: (error: unknown) => T,
    ): Promise<T> {
      if (used.has(name)) {
        throw new DurableError(
          "duplicate_step",
          `The step ${quoted(name)} was already used in this attempt. Give each step its own name.`,
        );
      }
      used.add(name);
      const other = instead && ((error: unknown) => textOf(name, instead(error), maxStepSize));
      const work = async (attempt: number): Promise<string> => {
        const value = await run(attempt);
        try {
          return textOf(name, value, maxStepSize);
        } catch (error) {
          if (other === undefined) throw error;
          return other(error);
        }
      };
      const text = await textStep(name, work, other);
      return parseRecord(name, text) as T;
    },
  };
}

/**
 * The option that journals have in common.
 *
 * @throws {TypeError} for another option
 * @throws {RangeError} if it is not a whole number of at least 1
 */
export function maxStepSizeOf(journal: string, options: { readonly maxStepSize?: number }): number {
  checkOptions(`${journal}()`, options, { maxStepSize: true });
  return wholeNumber(`maxStepSize of ${journal}`, options.maxStepSize ?? 10_000_000, 1);
}

function parseRecord(name: string, text: string): JsonValue {
  return parseJson(text, (cause) => corruptRecord(name, cause)) as JsonValue;
}

function textOf(name: string, value: unknown, maxStepSize: number): string {
  const { text, problem, cause } = jsonText(value, { maxLength: maxStepSize + 1, maxDepth });
  if (text.length > maxStepSize) {
    const message = `The value of the step ${quoted(name)} is longer than ${maxStepSize} characters of JSON (maxStepSize). Return less, for instance a reference to the data.`;
    throw new DurableError("too_large", message);
  }
  if (problem === undefined) return text;
  throw new DurableError(
    "not_json",
    `The value of the step ${quoted(name)} cannot be written as JSON: ${problem}.`,
    cause === undefined ? undefined : { cause },
  );
}

/** Far above any real value. JSON.parse() of some engines recurses. */
const maxDepth = 2_000;

/** Where a journal keeps its records. */
export interface RecordStore {
  /** Called before the first use. */
  open(): Promise<void>;
  /** The JSON text of a recorded step. */
  find(name: string): string | undefined;
  /** Notes that a step begins, and returns the number of the attempt. */
  begin(name: string): Promise<number>;
  /** Records a step. Once it resolves, the record survives. */
  record(name: string, text: string): Promise<void>;
}

/** A journal that finds its steps by name in a store. */
export function storedJournal(store: RecordStore, maxStepSize: number): Journal {
  let opened: Promise<void> | undefined;
  const find = async (name: string): Promise<string | undefined> => {
    await (opened ??= store.open());
    return store.find(name);
  };
  const steps = checkedJournal(async (name, run, instead) => {
    const recorded = await find(name);
    if (recorded !== undefined) return recorded;
    const text = await run(await store.begin(name));
    try {
      await store.record(name, text);
      return text;
    } catch (error) {
      if (instead === undefined || !isInstance(error, DurableError) || error.code !== "too_large")
        throw error;
      const other = instead(error);
      await store.record(name, other);
      return other;
    }
  }, maxStepSize);
  return {
    ...steps,
    async recorded(name) {
      const text = await find(name);
      return text === undefined ? undefined : parseRecord(name, text);
    },
  };
}
