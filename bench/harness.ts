import { cpus, totalmem } from "node:os";
import { medianOf, type Result, type Results } from "./figures.js";
import { figuresOf } from "./measuring.js";
import { decisiveIds, type Group, type Suite } from "./suite.js";

export interface RunOptions {
  readonly rounds: number;
  /** Time per case and round, after a warm-up six times as long. */
  readonly milliseconds: number;
  readonly onProgress: (text: string) => void;
}

/** Measures every case once per round, A B C A B C: a slow minute affects all cases alike. */
export async function measure(suite: Suite, groups: readonly Group[], options: RunOptions): Promise<Results> {
  const figures = new Map<string, number[]>(groups.flat().map(({ id }) => [id, []]));
  const turns = turnsOf(groups, decisiveIds(suite));
  for (let round = 1; round <= options.rounds; round++) {
    for (const group of turns) {
      const ids = group.map(({ id }) => id);
      options.onProgress(`round ${round} of ${options.rounds}: ${ids.join("; ")}`);
      const measured = await figuresOf(suite.name, group, options.milliseconds);
      ids.forEach((id, i) => figures.get(id)?.push(measured[i] as number));
    }
  }
  return new Map([...figures].map(([id, values]) => [id, resultOf(values)]));
}

/** The groups of a round. Decisive ones run three times, so no single process or slow minute decides a goal. */
function turnsOf(groups: readonly Group[], decisive: ReadonlySet<string>): readonly Group[] {
  const decides = (group: Group): boolean => group.some(({ id }) => decisive.has(id));
  const deciding = groups.filter(decides);
  const others = groups.filter((group) => !decides(group));
  const third = Math.ceil(others.length / 3);
  return [0, 1, 2].flatMap((turn) => [...deciding, ...others.slice(turn * third, (turn + 1) * third)]);
}

function resultOf(values: readonly number[]): Result {
  return { median: medianOf(values), min: Math.min(...values), max: Math.max(...values) };
}

/** The machine and the date, for the report. */
export function machine(): string {
  const processors = cpus();
  const gibibytes = Math.round(totalmem() / 2 ** 30);
  const name = processors[0]?.model.trim() ?? "unknown processor";
  const date = new Date().toISOString().slice(0, 10);
  return `${name}, ${processors.length} cores, ${gibibytes} GiB; Node ${process.version}, ${process.platform}; ${date}`;
}
