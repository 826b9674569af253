import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Group } from "./round.js";
import { meanOf } from "./statistics.js";

/** Who has waited for a turn begins it with cold caches: in shorter samples that shows. */
const sampleMilliseconds = 50;
const warmUp = 6;
const leastTurns = 12;

/**
 * Measures the cases of a group, each in a fresh process: what one leaves behind (compiled code, garbage, what a peer has
 * patched) cannot change another. Each warms up for six times the time, so that the figures are those of compiled code;
 * then they take turns, a sample each, until the time is over and each has had twelve. The figure is their mean: a machine
 * whose speed comes and goes is then fast for the same part of the turns of all, where a median would be of one speed or
 * of the other, and leave out the garbage collection, which falls on few samples. A pass of ten times the time, as those
 * have that parse all of the text again on each chunk, is compiled long before its end: the first is the figure.
 */
export async function figuresOf(
  suite: string,
  group: Group,
  milliseconds: number,
): Promise<readonly number[]> {
  const workers: Worker[] = [];
  try {
    const samples: number[][] = [];
    const warm: (readonly [Worker, number[]])[] = [];
    for (const it of group) {
      // Not before: those that start would hold up one that warms up.
      const worker = new Worker(suite, it.id);
      workers.push(worker);
      await worker.ready;
      const start = performance.now();
      const first = await worker.sample(0);
      if ("count" in it || performance.now() - start > milliseconds * 10) samples.push([first]);
      else {
        await worker.sample(milliseconds * warmUp);
        const figures: number[] = [];
        samples.push(figures);
        warm.push([worker, figures]);
      }
    }
    const end = performance.now() + milliseconds * warm.length;
    for (let turn = 0; turn < leastTurns || performance.now() < end; turn++) {
      for (const [worker, figures] of warm) figures.push(await worker.sample(sampleMilliseconds));
    }
    return samples.map(meanOf);
  } finally {
    for (const worker of workers) worker.stop();
  }
}

/** A process that measures its case when it is asked to, and else does nothing. */
class Worker {
  readonly ready: Promise<unknown>;
  private readonly id: string;
  private readonly child: ChildProcess;

  constructor(suite: string, id: string) {
    this.id = id;
    this.child = fork(fileURLToPath(new URL("worker.js", import.meta.url)), [suite, id], {
      execArgv: ["--expose-gc"],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.ready = this.message();
  }

  async sample(milliseconds: number): Promise<number> {
    const answer = this.message();
    this.child.send(milliseconds);
    const figure = await answer;
    if (typeof figure === "number" && figure > 0) return figure;
    throw new Error(`${this.id}: ${String(figure)} is no figure`);
  }

  stop(): void {
    this.child.kill();
  }

  /** The next one, unless the process ends before. */
  private message(): Promise<unknown> {
    const { child, id } = this;
    return new Promise((resolve, reject) => {
      const onExit = (code: number | null): void =>
        reject(new Error(`${id}: its process ended (${String(code)})`));
      child.once("exit", onExit);
      child.once("message", (message) => {
        child.off("exit", onExit);
        resolve(message);
      });
    });
  }
}
