import type { Journal } from "../../agent/journal.js";
import type { JsonValue } from "../../json/value.js";
import { quoted } from "../../text/cut.js";
import { jsonText, parseJson } from "../../text/json-text.js";
import { corruptRecord, DurableError } from "../errors.js";

/** Returns the recorded JSON text of a step, or runs it and records its text. */
export type TextStep = (name: string, run: (attempt: number) => Promise<string>) => Promise<string>;

/**
 * A journal over a place that keeps texts, with the rules that all journals of this package share: a name is used once
 * in an attempt, and a value is JSON of a limited size.
 */
export function checkedJournal(textStep: TextStep, maxStepSize: number): Journal {
  const used = new Set<string>();
  return {
    async step<T extends JsonValue>(name: string, run: (attempt: number) => Promise<T>): Promise<T> {
      if (used.has(name)) {
        throw new DurableError(
          "duplicate_step",
          `The step ${quoted(name)} was already used in this attempt. Give each step its own name.`,
        );
      }
      used.add(name);
      const text = await textStep(name, async (attempt) => textOf(name, await run(attempt), maxStepSize));
      return parseRecord(name, text) as T;
    },
  };
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
  const steps = checkedJournal(async (name, run) => {
    const recorded = await find(name);
    if (recorded !== undefined) return recorded;
    const text = await run(await store.begin(name));
    await store.record(name, text);
    return text;
  }, maxStepSize);
  return {
    ...steps,
    async recorded(name) {
      const text = await find(name);
      return text === undefined ? undefined : parseRecord(name, text);
    },
  };
}
