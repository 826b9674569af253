import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Group } from "./suite.js";

/** A process that waited for its turn starts with cold caches, which distorts shorter samples. */
const sampleMilliseconds = 50;
const leastTurns = 6;

/**
 * Measures the cases of a group, each in a fresh process: compiled code, garbage and patches of one case cannot affect
 * another. Each process warms up. Then they take turns, one sample each, until the time is over and each has had
 * six. The figure is the mean. A median would ignore garbage collection and, on a machine whose speed changes, could
 * take the fast speed for one case and the slow one for another. If the first run takes ten times the requested time,
 * as with parsers that read the whole text again for each chunk, it is the figure.
 */
export async function figuresOf(
  suite: string,
  group: Group,
  milliseconds: number,
): Promise<readonly number[]> {
  const workers: Worker[] = [];
  try {
    for (const it of group) {
      // Start it only now: a process that is starting would slow down one that is warming up.
      const worker = new Worker(suite, it.id);
      workers.push(worker);
      await worker.message();
      const start = performance.now();
      await worker.sample(0);
      if ("count" in it || performance.now() - start > milliseconds * 10) worker.stop();
      else await worker.warmUp(milliseconds * 6);
    }
    const warm = workers.filter(({ isStopped }) => !isStopped);
    const end = performance.now() + milliseconds * warm.length;
    for (let turn = 0; turn < leastTurns || performance.now() < end; turn++) {
      for (const worker of warm) await worker.sample(sampleMilliseconds);
    }
    return workers.map(({ samples }) => samples.reduce((sum, it) => sum + it, 0) / samples.length);
  } finally {
    for (const worker of workers) worker.stop();
  }
}

/** A process that measures its case on request. */
class Worker {
  readonly samples: number[] = [];
  isStopped = false;
  private readonly child: ChildProcess;
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

  async warmUp(milliseconds: number): Promise<void> {
    await this.sample(milliseconds);
    this.samples.length = 0;
  }

  stop(): void {
    this.isStopped = true;
    this.child.kill();
  }

  /** The next message. Rejects if the process ends first. */
  async message(): Promise<unknown> {
    const [message] = (await Promise.race([once(this.child, "message"), this.ended])) as [unknown];
    return message;
  }
}
