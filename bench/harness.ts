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
 * Measures every case in each round, each in a fresh process, but for those of a group: what one leaves behind (compiled
 * code, garbage, what a peer has patched) cannot change another. The rounds are interleaved, A B C A B C, so that a slow
 * minute of the machine falls on all alike.
 */
export function measure(suite: Suite, cases: readonly Case[], options: RunOptions): Results {
  const figures = new Map<string, number[]>(cases.map(({ id }) => [id, []]));
  const groups = roundOf(cases, suite.decisive).map((group) => group.map(({ id }) => id));
  for (let round = 1; round <= options.rounds; round++) {
    for (const ids of groups) {
      options.onProgress(`round ${round} of ${options.rounds}: ${ids.join("; ")}`);
      const measured = inFreshProcess(suite.name, ids, options.milliseconds);
      ids.forEach((id, i) => figures.get(id)?.push(measured[i] as number));
    }
  }
  return new Map([...figures].map(([id, rounds]) => [id, resultOf(rounds)]));
}

/** A figure for each of the cases. */
function inFreshProcess(suite: string, ids: readonly string[], milliseconds: number): readonly number[] {
  const worker = fileURLToPath(new URL("worker.js", import.meta.url));
  const stdout = execFileSync(
    process.execPath,
    ["--expose-gc", worker, suite, String(milliseconds), ...ids],
    {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const figures = stdout.trim().split("\n").map(Number);
  if (figures.length === ids.length && figures.every((it) => it > 0)) return figures;
  throw new Error(`Not a figure for each of ${ids.join("; ")}: ${stdout}`);
}

/** Where and when, as figures mean nothing without it. */
export function machine(): string {
  const processors = cpus();
  const gibibytes = Math.round(totalmem() / 2 ** 30);
  const name = processors[0]?.model.trim() ?? "unknown processor";
  const date = new Date().toISOString().slice(0, 10);
  return `${name}, ${processors.length} cores, ${gibibytes} GiB; Node ${process.version}, ${process.platform}; ${date}`;
}
