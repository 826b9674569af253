import { DBOSClient } from "@dbos-inc/dbos-sdk";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasPostgres, PostgresServer } from "../../durable/support/postgres.js";
import { temporaryFolders } from "../../durable/support/folders.js";
import { hasRedis } from "../../serve/redis/support/server.js";
import { proveCrashes, startRedis } from "./support/prove.js";
import { executionsIn, type JournalUnderTest, newWorker } from "./support/trial.js";

const newFolder = temporaryFolders();

describe.skipIf(!hasRedis || !hasPostgres)(
  "a run on DBOS, in processes that are killed with kill -9,",
  () => {
    const server = new PostgresServer();
    const journals: JournalUnderTest = {
      name: "dbos",
      async place() {
        const place = await server.newDatabase();
        let client: DBOSClient | undefined;
        return {
          place,
          async recorded() {
            client ??= await DBOSClient.create({ systemDatabaseUrl: place });
            return ((await client.listWorkflowSteps("run")) ?? []).map(({ name }) => name);
          },
          close: async () => client?.destroy(),
        };
      },
    };
    beforeAll(() => server.start(), 60_000);
    afterAll(() => server.close(), 60_000);
    const folder = newFolder();
    const undisturbed = proveCrashes(journals, folder, 3);

    // G-durable-6
    test("of two workers that both believe they own a run, the one that slept changes nothing", async () => {
      const redis = await startRedis();
      const journal = await journals.place(folder);
      const { place } = journal;
      const rows = join(folder, "asleep-rows");
      const sleeper = newWorker(journals, [place, rows, redis.path, "model 3 is asked"]);
      await sleeper.said("moment");
      // As if its network were lost: PostgreSQL believes that it is dead.
      const client = new pg.Client(place);
      await client.connect();
      await client.query("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'");
      await client.end();
      const next = newWorker(journals, [place, rows, redis.path]);
      expect(JSON.parse((await next.said("done"))?.rest ?? "null")).toEqual(undisturbed().expected);
      await next.exited;
      const steps = await journal.recorded();
      expect(executionsIn(rows)).toEqual(undisturbed().executions);
      sleeper.goOn();
      // It gets the result of the other one.
      expect(JSON.parse((await sleeper.said("done"))?.rest ?? "null")).toEqual(undisturbed().expected);
      await sleeper.exited;
      expect(await journal.recorded()).toEqual(steps);
      expect(executionsIn(rows)).toEqual(undisturbed().executions);
      await journal.close();
      await redis.close();
    });
  },
);
