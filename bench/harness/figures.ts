/** The figures of a report, each from one case or computed from others. */
import type { Case, Group } from "./suite.js";

export interface Figure {
  /** The cases it needs. Those of one group take turns. */
  readonly groups: readonly Group[];
  /** `undefined` if a case is missing. */
  readonly result: (results: Results) => Result | undefined;
  readonly format: (result: Result) => string;
  /** What a time is in other words, such as `ns, 14 MB/s`. Shown beside the ratios, whose rows have different units. */
  readonly unit?: (median: number) => string;
}

/** By the ids of the cases. With `--only` and `--smoke`, some are missing. */
export type Results = ReadonlyMap<string, Result>;

/** Median and range of the rounds. */
export interface Result {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

type Format = Figure["format"];

/** What a report shows: words or a figure. */
export type Cell = string | Figure;

export function isFigure(cell: Cell): cell is Figure {
  return typeof cell !== "string";
}

export interface Work {
  /** How many units (items, characters) a run reads. */
  readonly units: number;
  /** Called before each run. Its time does not count. */
  readonly prepare?: () => void;
  readonly run: () => unknown;
}

/** Nanoseconds per unit of the work. */
export function timed(id: string, load: () => Promise<Work>, format?: Format): Figure {
  const loadSample: Case["load"] = async () => {
    const { units, prepare, run } = await load();
    return async (milliseconds) => {
      let elapsed = 0;
      for (let runs = 1; ; runs++) {
        prepare?.();
        const start = performance.now();
        await run();
        elapsed += performance.now() - start;
        if (elapsed >= milliseconds) return (elapsed * 1e6) / (runs * units);
      }
    };
  };
  return measured({ id, isCount: false, load: loadSample }, format);
}

/** The count is taken in a process of its own, where `gc()` is available. */
export function counted(id: string, count: () => Promise<number>, format?: Format): Figure {
  return measured({ id, isCount: true, load: async () => count }, format);
}

function measured(it: Case, format: Format = ranged): Figure {
  return { groups: [[it]], result: (results) => results.get(it.id), format };
}

/** Nanoseconds per character. A character of the documents is a byte. */
export function perCharacter(figure: Figure): Figure {
  return { ...figure, unit: (ns) => `ns, ${megabytesASecond(1, ns)}` };
}

/** Nanoseconds per token, or per event with one. */
export function perToken(figure: Figure): Figure {
  return { ...figure, unit: (ns) => `ns, ${tokensASecond(1, ns)}` };
}

export function tokensASecond(tokens: number, ns: number): string {
  return `${digits(Number(((tokens * 1e9) / ns).toPrecision(2)))} tokens/s`;
}

export function megabytesASecond(characters: number, ns: number): string {
  return `${digits((characters * 1e3) / ns)} MB/s`;
}

/** The same figure in another unit, with its range. */
export function scaled(figure: Figure, factor: number): Figure {
  const result = (results: Results): Result | undefined => {
    const found = figure.result(results);
    return found && { median: found.median * factor, min: found.min * factor, max: found.max * factor };
  };
  return { ...figure, result };
}

/** Computed from the medians of other figures. Their cases take turns. */
export function computed(
  from: readonly Figure[],
  compute: (...medians: readonly number[]) => number,
  format: Format = ranged,
): Figure {
  const result = (results: Results): Result | undefined => {
    const medians = from.map((it) => it.result(results)?.median).filter((it) => it !== undefined);
    if (medians.length < from.length) return undefined;
    const value = compute(...medians);
    return { median: value, min: value, max: value };
  };
  return { groups: [from.flatMap(({ groups }) => groups.flat())], result, format };
}

export function quotient(a: Figure, b: Figure): Figure {
  return computed([a, b], (x = NaN, y = NaN) => x / y, ratio);
}

/** The highest cost divided by the lowest. */
export function flatness(costs: readonly Figure[]): Figure {
  return computed(costs, (...all) => Math.max(...all) / Math.min(...all), ratio);
}

/** The highest of figures that need not take turns. */
export function highest(figures: readonly Figure[], format: Format = ratio): Figure {
  return { ...computed(figures, Math.max, format), groups: figures.flatMap(({ groups }) => groups) };
}

/** The median, followed by the range if there is one: not after one round, and not for a computed figure. */
export function ranged({ median, min, max }: Result): string {
  return min === max ? digits(median) : `${digits(median)} (${digits(min)}–${digits(max)})`;
}

export function ratio({ median }: Result): string {
  return median >= 100 ? digits(median) : median.toFixed(2);
}

export function kilobytes({ median }: Result): string {
  return `${digits(median / 1024)} KB`;
}

/** Three significant digits, or two for small values. */
function digits(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(value >= 10 ? 3 : 2);
}
