import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { Program } from "./programs.js";

export type Victim = "worker" | "server" | "reader";

/** A moment of the worker, and who is killed there. */
export interface Kill {
  readonly moment: string;
  readonly victim: Victim;
}

/** A journal whose runs are killed. */
export interface JournalUnderTest {
  readonly name: string;
  /** The Node of its worker. Default: that of the tests. */
  readonly node?: string;
  /** A new place for one run: the first argument of `worker-NAME`, and the names of the steps recorded there. */
  place(folder: string): Promise<JournalPlace>;
}

export interface JournalPlace {
  readonly place: string;
  recorded(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** What a run has left after its end. */
export interface TrialResult {
  /** The kills whose moment was reached. */
  readonly killed: readonly Kill[];
  readonly response: unknown;
  /** What the reader has at its end. */
  readonly read: unknown;
}

const aDay = 86_400_000;

/** The executions of tools that write, by idempotency key. */
export function executionsIn(rows: string): Map<string, number> {
  const counts = new Map<string, number>();
  const text = existsSync(rows) ? readFileSync(rows, "utf8") : "";
  for (const line of text.split("\n").slice(0, -1)) {
    const [key] = JSON.parse(line) as [string];
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

export function newWorker({ name, node }: JournalUnderTest, args: readonly string[], clock = 0): Program {
  return new Program(`worker-${name}`, args, { clock, ...(node !== undefined && { node }) });
}

/**
 * One run with a worker, a server and a reader in processes of their own. They are started again when they are killed,
 * which is all that a supervisor does.
 */
export class CrashTrial {
  private readonly journal: JournalUnderTest;
  private readonly place: JournalPlace;
  private readonly folder: string;
  private readonly redis: string;
  private server: Program;
  private port = "0";
  private reader: Program | undefined;
  /** The number of rows of each recorded tool at the time when its record was first seen. */
  private readonly recorded = new Map<string, number>();

  constructor(journal: JournalUnderTest, place: JournalPlace, folder: string, redis: string) {
    this.journal = journal;
    this.place = place;
    this.folder = folder;
    this.redis = redis;
    this.server = new Program("server", [redis, "0"]);
  }

  async run(kills: readonly Kill[]): Promise<TrialResult> {
    this.port = (await this.server.said("listening"))?.rest ?? "";
    this.read();
    const killed: Kill[] = [];
    let response: unknown;
    for (let next = 0; response === undefined;) {
      const kill = kills[next];
      const args = [this.place.place, this.rows, this.redis, ...(kill ? [kill.moment] : [])];
      // The clock of each next worker is a day ahead or behind.
      const worker = newWorker(this.journal, args, ((next % 3) - 1) * aDay);
      const said = await worker.said("moment", "done");
      if (said?.word === "moment" && kill !== undefined) {
        next++;
        killed.push(kill);
        if (kill.victim === "worker") {
          await worker.killed();
          await this.check();
          continue;
        }
        await this.restart(kill.victim);
        worker.goOn();
      }
      const done = await worker.said("done");
      if (done === undefined) throw new Error("The worker has ended without a result.");
      response = JSON.parse(done.rest);
      await worker.exited;
    }
    await this.check();
    const read = await this.reader?.said("done");
    await this.server.killed();
    return { killed, response, read: read && JSON.parse(read.rest) };
  }

  aDay = 86_400_000;

  /** The executions of tools that write, by idempotency key. */
  executions(): Map<string, number> {
    return executionsIn(this.rows);
  }

  /** A recorded tool has run, and does not run again. */
  private async check(): Promise<void> {
    const records = (await this.place.recorded()).filter((it) => /^tool \d+ \S+ (write|fail)$/.test(it));
    const counts = this.executions();
    for (const name of records) {
      const count = counts.get(`run ${name}`) ?? 0;
      expect(count, name).toBeGreaterThan(0);
      expect(count, `${name} ran after it was recorded`).toBe(this.recorded.get(name) ?? count);
      this.recorded.set(name, count);
    }
  }

  private async restart(victim: "server" | "reader"): Promise<void> {
    if (victim === "server") {
      await this.server.killed();
      this.server = new Program("server", [this.redis, this.port]);
      await this.server.said("listening");
    } else {
      await this.reader?.killed();
      this.read();
    }
  }

  private read(): void {
    this.reader = new Program("reader", [this.port, join(this.folder, "reader.json")]);
  }

  private get rows(): string {
    return join(this.folder, "rows");
  }
}
