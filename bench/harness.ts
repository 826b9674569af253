import { cpus, totalmem } from "node:os";
import { figuresOf } from "./measuring.js";
import { roundOf } from "./round.js";
import { resultOf } from "./statistics.js";
import type { Case, Results, Suite } from "./suite.js";

export interface RunOptions {
  readonly rounds: number;
  /** Time per case and round, after a warm-up six times as long. */
  readonly milliseconds: number;
  readonly onProgress: (text: string) => void;
}

/** Measures every case once per round, A B C A B C: a slow minute affects all cases alike. */
export async function measure(suite: Suite, cases: readonly Case[], options: RunOptions): Promise<Results> {
  const figures = new Map<string, number[]>(cases.map(({ id }) => [id, []]));
  const groups = roundOf(cases, suite.decisive);
  for (let round = 1; round <= options.rounds; round++) {
    for (const group of groups) {
      const ids = group.map(({ id }) => id);
      options.onProgress(`round ${round} of ${options.rounds}: ${ids.join("; ")}`);
      const measured = await figuresOf(suite.name, group, options.milliseconds);
      ids.forEach((id, i) => figures.get(id)?.push(measured[i] as number));
    }
  }
  return new Map([...figures].map(([id, rounds]) => [id, resultOf(rounds)]));
}

/** The machine and the date, for the report. */
export function machine(): string {
  const processors = cpus();
  const gibibytes = Math.round(totalmem() / 2 ** 30);
  const name = processors[0]?.model.trim() ?? "unknown processor";
  const date = new Date().toISOString().slice(0, 10);
  return `${name}, ${processors.length} cores, ${gibibytes} GiB; Node ${process.version}, ${process.platform}; ${date}`;
}
