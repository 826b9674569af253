import type { DBOS } from "@dbos-inc/dbos-sdk";
import { sha256Of } from "../seen-table.js";
import { type Deferred, deferred } from "../../../stream/core/result.js";
import { sleep } from "../../../stream/time/sleep.js";
import { systemClock } from "../../../stream/time/clock.js";
import { taskQueue, taskVersion } from "./dbos.js";
import type { TaskCall, TaskOutcome } from "./task.js";

interface WaitingTask extends Deferred<TaskOutcome> {
  readonly prompt: string;
  /** Documents with the same content share a task. */
  users: number;
}

export interface TaskQueue {
  run(prompt: string): Promise<TaskOutcome>;
  /** The outcome of a task is in the output. */
  done(prompt: string): Promise<void>;
  /**
   * Removes what is done, and tasks that no worker has begun. Those that workers are at stay, for the next run.
   *
   * @param failed whether their outcomes would be of no use either
   */
  close(failed: boolean): Promise<void>;
}

/**
 * Puts tasks on the queue, and waits for their outcomes. The id of a task is a hash of the run and of the prompt, so a
 * run that continues finds the tasks that it has begun. A task is deleted when its outcome was used.
 */
export function taskQueueOf(dbos: typeof DBOS, runId: string, call: TaskCall): TaskQueue {
  const waiting = new Map<string, WaitingTask>();
  let used: string[] = [];
  let deleting: Promise<void> = Promise.resolve();
  let polling = false;
  const idOf = (prompt: string): string => `${runId}-${sha256Of(prompt, 32)}`;

  const enqueue = async (workflowID: string, prompt: string): Promise<void> => {
    await deleting;
    const options = { workflowID, queueName: taskQueue, workflowName: taskQueue, appVersion: taskVersion };
    await dbos.enqueueWorkflowWithOptions(options, call, prompt);
    if (polling) return;
    polling = true;
    void poll().catch((error: unknown) => {
      for (const { reject } of waiting.values()) reject(error);
    });
  };
  const poll = async (): Promise<void> => {
    for (let round = 1; polling; round++) {
      if (round % pollsToLook === 0) await enqueueLost();
      const workflowIDs = [...waiting.keys()];
      const filter = { workflowIDs, status: [...endStates], loadInput: false };
      const ended = workflowIDs.length === 0 ? [] : await dbos.listWorkflows(filter);
      for (const { workflowID, status, output } of ended) {
        const message = `DBOS ended the task with ${status}.`;
        const lost = { ...noFacts, failure: "other", message } as const;
        waiting.get(workflowID)?.resolve(status === "SUCCESS" ? (output as TaskOutcome) : lost);
      }
      await sleep(pollInterval, systemClock, never);
    }
  };
  /** A database that returned from a crash or a failover may have lost the last tasks. */
  const enqueueLost = async (): Promise<void> => {
    const tasks = [...waiting];
    if (tasks.length === 0) return;
    const filter = { workflowIDs: tasks.map(([id]) => id), loadInput: false, loadOutput: false };
    const known = new Set((await dbos.listWorkflows(filter)).map(({ workflowID }) => workflowID));
    for (const [id, task] of tasks) {
      if (!known.has(id) && waiting.get(id) === task) await enqueue(id, task.prompt);
    }
  };
  const deleteUsed = async (): Promise<void> => {
    const ids = used;
    used = [];
    if (ids.length > 0) deleting = dbos.deleteWorkflows(ids);
    await deleting;
  };

  return {
    run(prompt) {
      const id = idOf(prompt);
      const known = waiting.get(id);
      if (known !== undefined) {
        known.users++;
        return known.promise;
      }
      used = used.filter((it) => it !== id);
      const outcome = deferred<TaskOutcome>();
      waiting.set(id, { prompt, users: 1, ...outcome });
      enqueue(id, prompt).catch(outcome.reject);
      return outcome.promise;
    },
    async done(prompt) {
      const id = idOf(prompt);
      const task = waiting.get(id);
      if (task === undefined || --task.users > 0) return;
      waiting.delete(id);
      if (used.push(id) >= deletedAtOnce) await deleteUsed();
    },
    async close(failed) {
      polling = false;
      const workflowIDs = [...waiting.keys()];
      if (workflowIDs.length > 0 && !failed) {
        const filter = { workflowIDs, status: "ENQUEUED", loadInput: false, loadOutput: false } as const;
        const enqueued = await dbos.listWorkflows(filter);
        used.push(...enqueued.map(({ workflowID }) => workflowID));
      } else used.push(...workflowIDs);
      waiting.clear();
      await deleteUsed();
    },
  };
}

const endStates = ["SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED"] as const;
const noFacts = { attempts: 0, usage: undefined, retries: {} };
const pollInterval = 150;
/** About five seconds. */
const pollsToLook = 33;
const deletedAtOnce = 100;
const never = new AbortController().signal;
