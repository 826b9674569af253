import type { DBOS } from "@dbos-inc/dbos-sdk";
import { systemClock } from "../../../stream/time/clock.js";
import { sleep } from "../../../stream/time/sleep.js";
import { UsageError } from "../../terminal/usage-error.js";
import { databaseError, postgresClient } from "../postgres.js";
import type { TaskCall, TaskOutcome } from "./task.js";

type Dbos = typeof DBOS;

/** The name of the queue and of the workflow that works on a task. */
export const taskQueue = "extract";
/** Change it when a `TaskCall` or a `TaskOutcome` changes, so that old workers leave new tasks alone. */
export const taskVersion = "millrace-extract-1";

/**
 * Launches DBOS in a schema of its own, so that it does not meet the workflows of another program.
 *
 * @param id the executor id of this process
 * @param work works on a task. Without it, this process only adds tasks
 * @throws {UsageError} if the package is not installed
 */
export async function launchDbos(
  database: string,
  id: string,
  signal: AbortSignal,
  work?: {
    readonly run: (id: string, call: TaskCall, prompt: string) => Promise<TaskOutcome>;
    readonly concurrency: number;
  },
): Promise<Dbos> {
  const { DBOS: dbos } = await load();
  if (work !== undefined) {
    const run = (call: TaskCall, prompt: string): Promise<TaskOutcome> =>
      work.run(dbos.workflowID ?? "", call, prompt);
    dbos.registerWorkflow(run, { name: taskQueue, maxRecoveryAttempts });
  }
  dbos.setConfig({
    ...{
      name: "millrace-extract",
      systemDatabaseUrl: database,
      systemDatabaseSchemaName: "millrace_extract",
    },
    ...{ executorID: id, applicationVersion: taskVersion },
    ...(work === undefined && { listenQueues: [] }),
    logger: silent,
  });
  try {
    await alone(database, signal, () => dbos.launch());
    if (work !== undefined) {
      const workerConcurrency = work.concurrency;
      await dbos.registerQueue(taskQueue, {
        workerConcurrency,
        minPollingIntervalMs,
        onConflict: "always_update",
      });
    }
    return dbos;
  } catch (error) {
    await dbos.shutdown();
    signal.throwIfAborted();
    throw databaseError(error);
  }
}

/** Runs while no other process does: of several that create the tables at the same time, all but one would fail. */
async function alone(database: string, signal: AbortSignal, run: () => Promise<void>): Promise<void> {
  const connection = await postgresClient(database);
  connection.on("error", nothing);
  try {
    await connection.connect();
    // A query that waits for the lock would hold up CREATE INDEX CONCURRENTLY of the process that has it.
    const lock = "SELECT pg_try_advisory_lock(hashtextextended('millrace launch', 0)) AS locked";
    while ((await connection.query(lock)).rows[0]?.["locked"] !== true) {
      await sleep(50, systemClock, signal);
      signal.throwIfAborted();
    }
    await run();
  } finally {
    await connection.end().catch(nothing);
  }
}

/** Gives the tasks of dead workers to the living. */
export async function recoverTasks(ids: string[]): Promise<unknown> {
  const { getExecutor } = await import("@dbos-inc/dbos-sdk/internal/dbos");
  return getExecutor().recoverPendingWorkflows(ids);
}

async function load(): Promise<{ readonly DBOS: Dbos }> {
  try {
    return await import("@dbos-inc/dbos-sdk");
  } catch (cause) {
    throw new UsageError(
      'This needs the package "@dbos-inc/dbos-sdk". Install it: npm install @dbos-inc/dbos-sdk pg.',
      {
        cause,
      },
    );
  }
}

/** A document that ends its worker so often is a failure. */
const maxRecoveryAttempts = 20;
const minPollingIntervalMs = 50;

const nothing = (): void => undefined;
/** Each problem in its log is either retried, or an error of a call. */
const silent = { info: nothing, debug: nothing, warn: nothing, error: nothing };
