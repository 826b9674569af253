import { dbosWorker, type PostgresConnection } from "millrace/durable";
import { expect, test } from "vitest";

const workflows = { isInitialized: () => true, listWorkflows: () => Promise.resolve([]) };

test.each([
  ["fails", () => Promise.reject(new Error("lost")), { message: "lost" }],
  ["is refused", () => Promise.resolve({ rows: [{ locked: false }] }), { code: "owned" }],
])("dbosWorker() whose lock %s closes its connection", async (_how, query, error) => {
  let closed = 0;
  const end = (): Promise<void> => {
    closed++;
    return Promise.resolve();
  };
  const connection: PostgresConnection = { query, on: () => undefined, end };
  const worker = dbosWorker(workflows, {
    id: "a",
    connect: () => Promise.resolve(connection),
    recover: () => Promise.resolve(),
  });
  await expect(worker).rejects.toMatchObject(error);
  expect(closed).toBe(1);
});
