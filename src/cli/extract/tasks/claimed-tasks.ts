import type { DBOS } from "@dbos-inc/dbos-sdk";
import { noop } from "../../../stream/core/result.js";
import { taskQueue } from "./dbos.js";

/** The tasks that this worker runs. */
export interface ClaimedTasks {
  run<T>(id: string, work: () => Promise<T>): Promise<T>;
  /** Looks for lost tasks until it is closed. */
  watch(dbos: typeof DBOS): void;
  close(): void;
}

/**
 * Puts tasks back on the queue that this worker has claimed and does not run. DBOS leaves them when the database goes
 * away before it responds to a claim, or when another worker has taken a task over and back.
 */
export function claimedTasks(executorId: string): ClaimedTasks {
  const running = new Set<string>();
  let suspects = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const look = async (dbos: typeof DBOS): Promise<void> => {
    const filter = { status: "PENDING", executorId, loadInput: false } as const;
    const pending = (await dbos.listWorkflows(filter)).map(({ workflowID }) => workflowID);
    // A task may be about to begin or to end, so it is lost if the next look finds it again.
    const missing = pending.filter((id) => !running.has(id));
    const lost = missing.filter((id) => suspects.has(id));
    suspects = new Set(missing);
    if (lost.length > 0) await dbos.resumeWorkflows(lost, { queueName: taskQueue });
  };
  const watch = (dbos: typeof DBOS): void => {
    const lookAgain = async (): Promise<void> => {
      await look(dbos).catch(noop); // while the database is away
      if (timer !== undefined) watch(dbos);
    };
    timer = setTimeout(() => void lookAgain(), interval);
  };
  return {
    run(id, work) {
      running.add(id);
      return work().finally(() => running.delete(id));
    },
    watch,
    close() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

/** Milliseconds. */
const interval = 5_000;
