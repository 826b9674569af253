import { DBOSClient } from "@dbos-inc/dbos-sdk";
import { afterAll, beforeAll, describe } from "vitest";
import { hasPostgres, PostgresServer } from "../../durable/support/postgres.js";
import { temporaryFolders } from "../../durable/support/folders.js";
import { hasRedis } from "../../serve/redis/support/server.js";
import { proveCrashes } from "./support/prove.js";
import type { JournalUnderTest } from "./support/trial.js";

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
    proveCrashes(journals, newFolder(), 3);
  },
);
