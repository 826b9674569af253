import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { meanOf } from "./statistics.js";
import type { Group } from "./suite.js";

/** A process that waited for its turn starts with cold caches, which distorts shorter samples. */
const sampleMilliseconds = 50;
const warmUp = 6;
const leastTurns = 12;

/**
 * Measures the cases of a group, each in a fresh process: compiled code, garbage and patches of one case cannot affect
 * another. Each process warms up, then they take turns, one sample each, until the time is over and each has had twelve.
 * The figure is the mean. A median would ignore garbage collection and, on a machine whose speed changes, could take the
 * fast speed for one case and the slow one for another. If the first pass takes ten times the requested time, as with
 * parsers that read the whole text again for each chunk, it is the figure.
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
      // Start it only now: a process that is starting would slow down one that is warming up.
      const worker = new Worker(suite, it.id);
      workers.push(worker);
      await worker.ready;
      const start = performance.now();
      const first = await worker.sample(0);
      if ("count" in it || performance.now() - start > milliseconds * 10) {
        samples.push([first]);
        worker.stop();
      } else {
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

/** A process that measures its case on request. */
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

  /** The next message. Rejects if the process ends first. */
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
