import type { DBOS } from "@dbos-inc/dbos-sdk";
import { noop } from "../../../stream/core/result.js";
import { taskQueue } from "./dbos.js";

/**
 * Puts tasks back on the queue that this worker has claimed and does not run. DBOS leaves them when the database goes
 * away before it responds to a claim, or when another worker has taken a task over and back.
 */
export class ClaimedTasks {
  private readonly executorId: string;
  private readonly running = new Set<string>();
  private suspects = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(executorId: string) {
    this.executorId = executorId;
  }

  async run<T>(id: string, work: () => Promise<T>): Promise<T> {
    this.running.add(id);
    try {
      return await work();
    } finally {
      this.running.delete(id);
    }
  }

  /** Looks for lost tasks until it is closed. */
  watch(dbos: typeof DBOS): void {
    this.timer = setTimeout(() => {
      // It fails while the database is away.
      void this.look(dbos)
        .catch(noop)
        .finally(() => {
          if (this.timer !== undefined) this.watch(dbos);
        });
    }, interval);
  }

  close(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private async look(dbos: typeof DBOS): Promise<void> {
    const filter = { status: "PENDING", executorId: this.executorId, loadInput: false } as const;
    const pending = (await dbos.listWorkflows(filter)).map(({ workflowID }) => workflowID);
    // A task may be about to begin or to end, so it is lost if the next look finds it again.
    const missing = pending.filter((id) => !this.running.has(id));
    const lost = missing.filter((id) => this.suspects.has(id));
    this.suspects = new Set(missing);
    if (lost.length > 0) await dbos.resumeWorkflows(lost, { queueName: taskQueue });
  }
}

/** Milliseconds. */
const interval = 5_000;
