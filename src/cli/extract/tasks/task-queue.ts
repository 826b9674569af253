import { createHash } from "node:crypto";
import type { DBOS } from "@dbos-inc/dbos-sdk";
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

/**
 * Puts tasks on the queue, and waits for their outcomes. The id of a task is a hash of the run and of the prompt, so a
 * run that continues finds the tasks that it has begun. A task is deleted when its outcome was used.
 */
export class TaskQueue {
  private readonly dbos: typeof DBOS;
  private readonly runId: string;
  private readonly call: TaskCall;
  private readonly waiting = new Map<string, WaitingTask>();
  private used: string[] = [];
  private deleting: Promise<void> = Promise.resolve();
  private polling = false;

  constructor(dbos: typeof DBOS, runId: string, call: TaskCall) {
    this.dbos = dbos;
    this.runId = runId;
    this.call = call;
  }

  run(prompt: string): Promise<TaskOutcome> {
    const id = this.idOf(prompt);
    const known = this.waiting.get(id);
    if (known !== undefined) {
      known.users++;
      return known.promise;
    }
    this.used = this.used.filter((it) => it !== id);
    const outcome = deferred<TaskOutcome>();
    this.waiting.set(id, { prompt, users: 1, ...outcome });
    this.enqueue(id, prompt).catch(outcome.reject);
    return outcome.promise;
  }

  /** The outcome of a task is in the output. */
  async done(prompt: string): Promise<void> {
    const id = this.idOf(prompt);
    const task = this.waiting.get(id);
    if (task === undefined || --task.users > 0) return;
    this.waiting.delete(id);
    if (this.used.push(id) >= deletedAtOnce) await this.deleteUsed();
  }

  /**
   * Removes what is done, and tasks that no worker has begun. Those that workers are at stay, for the next run.
   *
   * @param failed whether their outcomes would be of no use either
   */
  async close(failed: boolean): Promise<void> {
    this.polling = false;
    const workflowIDs = [...this.waiting.keys()];
    if (workflowIDs.length > 0 && !failed) {
      const filter = { workflowIDs, status: "ENQUEUED", loadInput: false, loadOutput: false } as const;
      const enqueued = await this.dbos.listWorkflows(filter);
      this.used.push(...enqueued.map(({ workflowID }) => workflowID));
    } else this.used.push(...workflowIDs);
    this.waiting.clear();
    await this.deleteUsed();
  }

  private async enqueue(workflowID: string, prompt: string): Promise<void> {
    await this.deleting;
    const options = { workflowID, queueName: taskQueue, workflowName: taskQueue, appVersion: taskVersion };
    await this.dbos.enqueueWorkflowWithOptions(options, this.call, prompt);
    if (this.polling) return;
    this.polling = true;
    void this.poll().catch((error: unknown) => {
      for (const { reject } of this.waiting.values()) reject(error);
    });
  }

  private async poll(): Promise<void> {
    for (let round = 1; this.polling; round++) {
      if (round % pollsToLook === 0) await this.enqueueLost();
      const workflowIDs = [...this.waiting.keys()];
      const filter = { workflowIDs, status: [...endStates], loadInput: false };
      const ended = workflowIDs.length === 0 ? [] : await this.dbos.listWorkflows(filter);
      for (const { workflowID, status, output } of ended) {
        const lost = {
          ...noFacts,
          failure: "other",
          message: `DBOS ended the task with ${status}.`,
        } as const;
        const outcome = status === "SUCCESS" ? (output as TaskOutcome) : lost;
        this.waiting.get(workflowID)?.resolve(outcome);
      }
      await sleep(pollInterval, systemClock, never);
    }
  }

  /** A database that returned from a crash or a failover may have lost the last tasks. */
  private async enqueueLost(): Promise<void> {
    const tasks = [...this.waiting];
    if (tasks.length === 0) return;
    const filter = { workflowIDs: tasks.map(([id]) => id), loadInput: false, loadOutput: false };
    const known = new Set((await this.dbos.listWorkflows(filter)).map(({ workflowID }) => workflowID));
    for (const [id, task] of tasks) {
      if (!known.has(id) && this.waiting.get(id) === task) await this.enqueue(id, task.prompt);
    }
  }

  private async deleteUsed(): Promise<void> {
    const ids = this.used;
    this.used = [];
    if (ids.length > 0) this.deleting = this.dbos.deleteWorkflows(ids);
    await this.deleting;
  }

  private idOf(prompt: string): string {
    const hash = createHash("sha256").update(prompt).digest("hex").slice(0, 32);
    return `${this.runId}-${hash}`;
  }
}

const endStates = ["SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED"] as const;
const noFacts = { attempts: 0, usage: undefined, retries: {} };
const pollInterval = 150;
/** About five seconds. */
const pollsToLook = 33;
const deletedAtOnce = 100;
const never = new AbortController().signal;
