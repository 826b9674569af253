/** A set of cases with one report. */
export interface Suite {
  readonly name: string;
  readonly cases: readonly Case[];
  /** Default time per case and round, in milliseconds. */
  readonly milliseconds: number;
  /** Selects the cases of `--smoke`. */
  readonly smoke: (id: string) => boolean;
  /** Selects the cases that decide a goal. Their groups run in three processes per round. */
  readonly decisive?: (id: string) => boolean;
  /** The report in Markdown. With `--only` and `--smoke`, results are missing. */
  report(results: Results): string;
}

export type Case = TimedCase | CountedCase;

/** Its figure is nanoseconds per unit. */
export interface TimedCase {
  /** What is measured. Unique in the suite. */
  readonly id: string;
  /** Adjacent cases of one group take turns, sample by sample. A change in the machine's speed affects them all alike. */
  readonly group?: string;
  /** Loads what the case needs. Called only in the process that measures the case. */
  load(): Promise<Pass>;
}

/** Does the work once and returns its number of units (items, characters). The figure is nanoseconds per unit. */
export type Pass = () => number | Promise<number>;

/** Its figure is a count, such as bytes. It runs once per round. */
export interface CountedCase {
  readonly id: string;
  /** Called only in the process that measures the case. `gc()` is available. */
  count(): Promise<number>;
}

export type Results = ReadonlyMap<string, Result>;

/** Median and range of the rounds. */
export interface Result {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** A part of a suite with its own cases and report. */
export interface Section {
  readonly cases: readonly Case[];
  /** Selects the cases of `--smoke`. */
  readonly smoke: (id: string) => boolean;
  report(results: Results): string;
}

/** A suite of several sections. */
export function suiteOf(name: string, sections: readonly Section[]): Suite {
  return {
    name,
    cases: sections.flatMap(({ cases }) => cases),
    milliseconds: 300,
    smoke: (id) => sections.some(({ smoke }) => smoke(id)),
    report: (results) => sections.map((section) => section.report(results)).join("\n\n"),
  };
}
