/** A DBOS worker with a run, which another worker may have begun. */
import { randomUUID } from "node:crypto";
import { DBOS } from "@dbos-inc/dbos-sdk";
import { getExecutor } from "@dbos-inc/dbos-sdk/internal/dbos";
import { dbosJournal, dbosWorker } from "millrace/durable";
import pg from "pg";
import { attempt, finish, place } from "./attempt.js";

const errand = DBOS.registerWorkflow(() => attempt(dbosJournal(DBOS)), { name: "errand" });

const id = randomUUID();
const worker = await dbosWorker(DBOS, {
  id,
  async connect() {
    const client = new pg.Client(place);
    await client.connect();
    return client;
  },
  recover: (ids) => getExecutor().recoverPendingWorkflows(ids),
  interval: 50,
});
DBOS.setConfig({
  ...{ name: "errands", systemDatabaseUrl: place, executorID: id, applicationVersion: "1" },
  ...{ logger: { info() {}, debug() {}, warn() {}, error: console.error } },
});
await DBOS.launch();
await DBOS.registerQueue("errands", { minPollingIntervalMs: 20, onConflict: "always_update" });
const handle = await DBOS.startWorkflow(errand, { workflowID: "run", queueName: "errands" })();
await finish(await handle.getResult());
await DBOS.shutdown();
await worker.close();
