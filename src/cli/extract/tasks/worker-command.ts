import { randomUUID } from "node:crypto";
import type { DbosWorker } from "../../../durable/index.js";
import { noop } from "../../../stream/core/result.js";
import { parseOptions } from "../../commands/arguments.js";
import { environmentHelp } from "../../commands/connection.js";
import type { Command } from "../../commands/command.js";
import type { ExitCode } from "../../terminal/exit-codes.js";
import { helpRow } from "../../terminal/help.js";
import type { Io } from "../../terminal/io.js";
import { untilStopped } from "../../terminal/stop.js";
import { UsageError } from "../../terminal/usage-error.js";
import { concurrencyOption } from "../number-options.js";
import { checkPostgres, postgresClient } from "../postgres.js";
import { claimedTasks } from "./claimed-tasks.js";
import { launchDbos, recoverTasks } from "./dbos.js";
import { Extractors } from "./extractors.js";
import { type LimitMessage, LivingWorkers } from "./workers.js";

export const workerCommand: Command = {
  help: {
    title: "millrace worker: works on the documents of millrace extract --engine dbos",
    parts: [
      { heading: "Usage", commands: ["millrace worker --db URL [--concurrency N]"] },
      "Start as many as you need, on any machines. They share the documents, and the limits of each run. The documents " +
        "of a worker that dies are taken over by the others. Needs the packages @dbos-inc/dbos-sdk and pg.",
      {
        heading: "Options",
        rows: [
          ["--db URL", "the PostgreSQL database of millrace extract: postgres://…"],
          ["--concurrency N", "documents at the same time; default: 8"],
          helpRow,
        ],
      },
      environmentHelp("the server, unless the run names one"),
      { heading: "Example", commands: ["millrace worker --db postgres://localhost/app --concurrency 32"] },
    ],
  },
  run,
};

const options = { db: { type: "string" }, concurrency: { type: "string" } } as const;

async function run(argv: readonly string[], { env, stderr, signal }: Io): Promise<ExitCode> {
  const { db, ...values } = parseOptions(argv, options);
  if (db === undefined || db === "")
    throw new UsageError("Missing --db. Example: --db postgres://localhost/app.");
  checkPostgres(db);
  const concurrency = concurrencyOption(values.concurrency) ?? 8;
  const id = randomUUID();
  const claimed = claimedTasks(id);
  let workers: LivingWorkers | undefined;
  let dbos: Awaited<ReturnType<typeof launchDbos>> | undefined;
  let worker: DbosWorker | undefined;
  try {
    const extractors = new Extractors(env, signal, (run, found) => workers?.notify({ run, found }));
    const onCount = (count: number): void => {
      extractors.setPart(1 / count);
    };
    const onMessage = (message: LimitMessage): void => {
      extractors.slowTo(message.run, message.found);
    };
    workers = await LivingWorkers.join(db, { onCount, onMessage }, signal);
    dbos = await launchDbos(db, id, signal, {
      concurrency,
      run: (task, call, prompt) =>
        claimed.run(task, () =>
          // A task that is stopped never ends here, so another worker takes it over.
          extractors.run(call, prompt).catch(() => new Promise<never>(noop)),
        ),
    });
    claimed.watch(dbos);
    const { dbosWorker } = await import("../../../durable/index.js"); // an entry, so a file of the package
    worker = await dbosWorker(dbos, {
      id,
      recover: recoverTasks,
      async connect() {
        const client = await postgresClient(db);
        await client.connect();
        return client;
      },
    });
    stderr.write(`millrace worker: works on ${concurrency} documents at a time. Ctrl-C stops it.\n`);
    return await untilStopped(signal);
  } finally {
    claimed.close();
    await dbos?.shutdown();
    await worker?.close();
    await workers?.close();
  }
}
