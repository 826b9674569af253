/** A set of measurements that are compared with one another. */
export interface Suite {
  readonly name: string;
  readonly cases: readonly Case[];
  /** How long a case is measured in each round, unless the command says otherwise. */
  readonly milliseconds: number;
  /** A short run that shows that everything works: only these. */
  readonly smoke: (id: string) => boolean;
  /** Whether a goal is met hangs on these: each is measured in three processes a round, a group as a whole. */
  readonly decisive?: (id: string) => boolean;
  /** What the figures say, as Markdown. A case may be missing where only some were run. */
  report(results: Results): string;
  /** A picture of them, as SVG: written beside the report, which shows it. */
  plot?(results: Results): string;
}

export type Case = TimedCase | CountedCase;

/** Its figure is nanoseconds per unit. */
export interface TimedCase {
  /** Says what is measured; unique in the suite. */
  readonly id: string;
  /**
   * Neighbours of one group are compared with one another: their processes take turns, sample by sample, so that the machine
   * is as fast for each.
   */
  readonly group?: string;
  /** Loads what the case needs, a peer too: called only in the process that measures the case. */
  load(): Promise<Pass>;
}

/** Does the work once. Returns how many units it did (items, characters): the figures are nanoseconds per unit. */
export type Pass = () => number | Promise<number>;

/** Its figure is no time, but what it counts itself, as bytes: once a round, as counting again gives the same. */
export interface CountedCase {
  readonly id: string;
  /** Called only in the process that measures the case, which has `gc()`. */
  count(): Promise<number>;
}

export type Results = ReadonlyMap<string, Result>;

/** The median of the rounds and their range: of nanoseconds per unit, or of what the case counts. */
export interface Result {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}
