import { DBOS, type DBOSConfig } from "@dbos-inc/dbos-sdk";
import type { JournalLawOptions } from "millrace/testing";
import { dbosJournal, type Journal } from "millrace/durable";
import { hang } from "./trip.js";

type Work = (journal: Journal) => Promise<unknown>;
const attempts = new Map<string, { work: Work; settle: (outcome: Promise<unknown>) => void }>();

/** A workflow that never ends for DBOS, so that each next attempt is a recovery. */
const attemptWorkflow = DBOS.registerWorkflow(
  async (maxStepSize: number): Promise<void> => {
    const { work, settle } = attempts.get(DBOS.workflowID!)!;
    const outcome = work(dbosJournal(DBOS, { maxStepSize }));
    settle(outcome);
    await outcome.catch(() => undefined);
    await hang();
  },
  { name: "attempt" },
);

const queue = "attempts";
const silent = { info() {}, debug() {}, warn() {}, error() {} };

/** Launches DBOS in this process, with a queue that is polled often. */
export async function launchDbos(url: string, config: Partial<DBOSConfig> = {}): Promise<void> {
  DBOS.setConfig({
    ...{ name: "millrace", systemDatabaseUrl: url, applicationVersion: "1" },
    ...{ logger: silent, ...config },
  });
  await DBOS.launch();
  await DBOS.registerQueue(queue, { minPollingIntervalMs: 10, onConflict: "always_update" });
}

/** Each attempt executes the workflow of the run once more, as a recovery does. */
export function dbosAttempts(maxStepSize: number): JournalLawOptions["attempt"] {
  const begun = new Set<string>();
  return async <T>(run: string, work: (journal: Journal) => Promise<T>): Promise<T> => {
    const settled = new Promise<unknown>((resolve) => {
      attempts.set(run, { work, settle: resolve });
    });
    if (begun.has(run)) await DBOS.resumeWorkflow(run, { queueName: queue });
    else await DBOS.startWorkflow(attemptWorkflow, { workflowID: run })(maxStepSize);
    begun.add(run);
    return settled as Promise<T>;
  };
}
