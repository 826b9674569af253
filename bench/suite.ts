/** A set of measurements that are compared with one another. */
export interface Suite {
  readonly name: string;
  readonly cases: readonly Case[];
  /** A short run that shows that everything works: only these. */
  readonly smoke: (id: string) => boolean;
  /** What the figures say, as Markdown. A case may be missing where only some were run. */
  report(results: Results): string;
}

export interface Case {
  /** Says what is measured; unique in the suite. */
  readonly id: string;
  /** Loads what the case needs, a peer too: called only in the process that measures the case. */
  load(): Promise<Pass>;
}

/** Does the work once. Returns how many units it did (items, characters): the figures are nanoseconds per unit. */
export type Pass = () => number | Promise<number>;

export type Results = ReadonlyMap<string, Result>;

/** Nanoseconds per unit: the median of the rounds and their range. */
export interface Result {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}
