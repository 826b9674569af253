import type { Journal } from "../agent/journal.js";
import type { JsonValue } from "../json/value.js";
import { quoted } from "../text/cut.js";
import { jsonText } from "../text/json-text.js";
import { DurableError } from "./errors.js";

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

/** The rules that all journals of this package share, over the place where they keep their records. */
export class StepTable implements Journal {
  private readonly store: RecordStore;
  private readonly maxStepSize: number;
  private readonly used = new Set<string>();
  private opened: Promise<void> | undefined;

  constructor(store: RecordStore, maxStepSize: number) {
    this.store = store;
    this.maxStepSize = maxStepSize;
  }

  async step<T extends JsonValue>(name: string, run: (attempt: number) => Promise<T>): Promise<T> {
    if (this.used.has(name)) {
      throw new DurableError(
        "duplicate_step",
        `The step ${quoted(name)} was already used in this attempt. Give each step its own name.`,
      );
    }
    this.used.add(name);
    const { store } = this;
    await (this.opened ??= store.open());
    const recorded = store.find(name);
    if (recorded !== undefined) return JSON.parse(recorded) as T;
    const text = this.textOf(name, await run(await store.begin(name)));
    await store.record(name, text);
    return JSON.parse(text) as T;
  }

  private textOf(name: string, value: unknown): string {
    const { text, problem, cause } = jsonText(value, { maxLength: this.maxStepSize + 1, maxDepth });
    if (text.length > this.maxStepSize) {
      const message = `The value of the step ${quoted(name)} is longer than ${this.maxStepSize} characters of JSON (maxStepSize). Return less, for instance a reference to the data.`;
      throw new DurableError("too_large", message);
    }
    if (problem === undefined) return text;
    throw new DurableError(
      "not_json",
      `The value of the step ${quoted(name)} cannot be written as JSON: ${problem}.`,
      cause === undefined ? undefined : { cause },
    );
  }
}

/** Far above any real value. JSON.parse() of some engines recurses. */
const maxDepth = 2_000;
