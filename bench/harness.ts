import { execFileSync } from "node:child_process";
import { cpus, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import { roundOf } from "./round.js";
import { resultOf } from "./statistics.js";
import type { Case, Results, Suite } from "./suite.js";

export interface RunOptions {
  readonly rounds: number;
  /** How long each case is measured in each round, after a warm-up of six times as long. */
  readonly milliseconds: number;
  readonly onProgress: (text: string) => void;
}

/**
 * Measures every case in each round, each in a fresh process: what one leaves behind (compiled code, garbage, what a
 * peer has patched) cannot change another. The rounds are interleaved, A B C A B C, so that a slow minute of the machine
 * falls on all alike.
 */
export function measure(suite: Suite, cases: readonly Case[], options: RunOptions): Results {
  const figures = new Map<string, number[]>(cases.map(({ id }) => [id, []]));
  const order = roundOf(cases, suite.decisive);
  for (let round = 1; round <= options.rounds; round++) {
    for (const { id } of order) {
      options.onProgress(`round ${round} of ${options.rounds}: ${id}`);
      figures.get(id)?.push(inFreshProcess(suite.name, id, options.milliseconds));
    }
  }
  return new Map([...figures].map(([id, rounds]) => [id, resultOf(rounds)]));
}

function inFreshProcess(suite: string, id: string, milliseconds: number): number {
  const worker = fileURLToPath(new URL("worker.js", import.meta.url));
  const stdout = execFileSync(process.execPath, ["--expose-gc", worker, suite, id, String(milliseconds)], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  const figure = Number(stdout);
  if (!(figure > 0)) throw new Error(`The case ${id} printed no figure: ${stdout}`);
  return figure;
}

/** Where and when, as figures mean nothing without it. */
export function machine(): string {
  const processors = cpus();
  const gibibytes = Math.round(totalmem() / 2 ** 30);
  const name = processors[0]?.model.trim() ?? "unknown processor";
  const date = new Date().toISOString().slice(0, 10);
  return `${name}, ${processors.length} cores, ${gibibytes} GiB; Node ${process.version}, ${process.platform}; ${date}`;
}
