import type { Clock } from "../../stream/time/clock.js";
import type { Usage } from "../../messages/usage.js";
import { addUsage } from "../../text/add-usage.js";

/** Dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
}

/** The state of a run, for people and for programs. */
export interface ExtractProgress {
  /** All documents. `undefined` if nobody knows. */
  readonly total: number | undefined;
  /** Documents with a result, also of earlier runs. */
  readonly done: number;
  readonly failed: number;
  /** Documents in a second, in the last half minute. */
  readonly rate: number;
  /** Seconds to the end at this rate. */
  readonly eta: number | undefined;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In dollars; `undefined` without a price. */
  readonly cost: number | undefined;
  /** Failed documents of this run by reason. */
  readonly failures: Readonly<Record<string, number>>;
  /** Requests that were sent again, by reason. */
  readonly retries: Readonly<Record<string, number>>;
  /** Objects that are not as the model wrote them, also of earlier runs: `coerced`, `repaired`. */
  readonly changes: Readonly<Record<string, number>>;
}

/** Counts what happens in a run. */
export class ExtractCounts {
  total: number | undefined;
  private done = 0;
  private failed = 0;
  private usage: Usage | undefined;
  private readonly failures: Record<string, number> = {};
  private readonly retries: Record<string, number> = {};
  private readonly changes: Record<string, number> = {};
  /** How many were done at the latest looks, to know the rate. */
  private readonly looks: { readonly at: number; readonly done: number }[] = [];
  private readonly price: Price | undefined;
  private readonly clock: Clock;

  constructor(price: Price | undefined, clock: Clock) {
    this.price = price;
    this.clock = clock;
  }

  /** A document that was done by an earlier run. */
  addEarlier(failed: boolean): void {
    this.done++;
    if (failed) this.failed++;
    this.looks.length = 0;
  }

  add(failure: string | undefined, usage: Usage | undefined): void {
    if (this.looks.length === 0) this.looks.push({ at: this.clock.now(), done: this.done });
    this.done++;
    this.usage = addUsage(this.usage, usage);
    if (failure === undefined) return;
    this.failed++;
    addOne(this.failures, failure);
  }

  addRetry(failure: string): void {
    addOne(this.retries, failure);
  }

  /** @param fields of an extraction, or of its line in the output */
  addChanges(fields: object): void {
    if ("coercions" in fields) addOne(this.changes, "coerced");
    if ("repairs" in fields) addOne(this.changes, "repaired");
  }

  get progress(): ExtractProgress {
    const { done, failed, price, failures, retries, changes } = this;
    // The output may have documents of earlier runs that are no longer in the input.
    const total = this.total !== undefined && done > this.total ? undefined : this.total;
    const { inputTokens = 0, outputTokens = 0 } = this.usage ?? {};
    const rate = this.rate();
    return {
      ...{ total, done, failed, rate: rounded(rate), inputTokens, outputTokens, failures, retries, changes },
      eta: total === undefined || rate === 0 ? undefined : Math.round((total - done) / rate),
      cost: price && rounded((inputTokens * price.input + outputTokens * price.output) / 1e6),
    };
  }

  private rate(): number {
    const now = this.clock.now();
    const { looks, done } = this;
    while (looks.length > 1 && now - (looks[0]?.at ?? now) > window) looks.shift();
    const [first] = looks;
    if (first === undefined) return 0;
    if (now - (looks.at(-1)?.at ?? now) >= window / 30) looks.push({ at: now, done });
    return ((done - first.done) * 1_000) / Math.max(now - first.at, 1_000);
  }
}

function addOne(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

/** To four places. */
function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}

/** Half a minute. */
const window = 30_000;
