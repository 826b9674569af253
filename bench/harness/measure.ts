import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Results } from "./figures.js";
import type { Group } from "./suite.js";

/**
 * Measures every case once per round, A B C A B C: a slow minute affects all cases alike.
 *
 * @param milliseconds time per case and round, after a warm-up six times as long
 */
export async function measure(
  suite: string,
  groups: readonly Group[],
  rounds: number,
  milliseconds: number,
): Promise<Results> {
  const figures = new Map<string, number[]>(groups.flat().map(({ id }) => [id, []]));
  for (let round = 1; round <= rounds; round++) {
    for (const group of groups) {
      const ids = group.map(({ id }) => id);
      showProgress(`round ${round} of ${rounds}: ${ids.join("; ")}`);
      const measured = await figuresOf(suite, group, milliseconds);
      ids.forEach((id, i) => figures.get(id)?.push(measured[i] as number));
    }
  }
  showProgress("");
  const resultOf = (values: readonly number[]) =>
    ({ median: medianOf(values), min: Math.min(...values), max: Math.max(...values) }) as const;
  return new Map([...figures].map(([id, values]) => [id, resultOf(values)]));
}

/** Shows progress on one line, and only in a terminal. */
function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low = NaN, high = NaN] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return (low + high) / 2;
}

/**
 * Measures the cases of a group, each in a fresh process: compiled code, garbage and patches of one case cannot affect
 * another. Each process warms up. Then they take turns, one sample each, until the time is over and each has had
 * six. A sample takes at least 50 ms, because a process that waited for its turn starts with cold caches. The figure is
 * the mean. A median would ignore garbage collection and, on a machine whose speed changes, could take the fast speed
 * for one case and the slow one for another. If the first run takes ten times the requested time, as with parsers that
 * read the whole text again for each chunk, it is the figure.
 */
async function figuresOf(suite: string, group: Group, milliseconds: number): Promise<readonly number[]> {
  const workers: Worker[] = [];
  try {
    for (const { id, isCount } of group) {
      // Start it only now: a process that is starting would slow down one that is warming up.
      const worker = new Worker(suite, id);
      workers.push(worker);
      await worker.message();
      const start = performance.now();
      await worker.sample(0);
      if (isCount || performance.now() - start > milliseconds * 10) worker.stop();
      else {
        await worker.sample(milliseconds * 6);
        worker.samples.length = 0; // that was the warm-up
      }
    }
    const warm = workers.filter(({ child }) => !child.killed);
    const end = performance.now() + milliseconds * warm.length;
    for (let turn = 0; turn < 6 || performance.now() < end; turn++) {
      for (const worker of warm) await worker.sample(50);
    }
    return workers.map(({ samples }) => samples.reduce((sum, it) => sum + it, 0) / samples.length);
  } finally {
    for (const worker of workers) worker.stop();
  }
}

/** A process that measures its case on request. */
class Worker {
  readonly samples: number[] = [];
  readonly child: ChildProcess;
  private readonly ended: Promise<never>;

  constructor(suite: string, id: string) {
    this.child = fork(fileURLToPath(new URL("worker.js", import.meta.url)), [suite, id], {
      execArgv: ["--expose-gc"],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.ended = once(this.child, "exit").then(([code]) => {
      throw new Error(`${id}: its process ended (${String(code)})`);
    });
    this.ended.catch(() => {});
  }

  async sample(milliseconds: number): Promise<void> {
    this.child.send(milliseconds);
    const figure = (await this.message()) as number;
    if (!(figure > 0)) throw new Error(`${this.child.spawnargs.at(-1)}: ${figure} is no figure`);
    this.samples.push(figure);
  }

  stop(): void {
    this.child.kill();
  }

  /** The next message. Rejects if the process ends first. */
  async message(): Promise<unknown> {
    const [message] = (await Promise.race([once(this.child, "message"), this.ended])) as [unknown];
    return message;
  }
}
