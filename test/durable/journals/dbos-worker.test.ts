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

test("dbosWorker() looks again after an error, also if onError throws or rejects", async () => {
  const fail = ((error: Error) => {
    if (error.message === "away") throw error;
    return Promise.reject(error);
  }) as unknown as (error: unknown) => void;
  let looks = 0;
  let lose = (_: Error): void => undefined;
  const worker = await dbosWorker(
    {
      isInitialized: () => true,
      listWorkflows: () => (++looks < 3 ? Promise.reject(new Error("away")) : Promise.resolve([])),
    },
    {
      id: "a",
      connect: () =>
        Promise.resolve<PostgresConnection>({
          query: () => Promise.resolve({ rows: [{ locked: true }] }),
          on: (_, listener) => (lose = listener),
          end: () => Promise.resolve(),
        }),
      recover: () => Promise.resolve(),
      interval: 1,
      onError: fail,
    },
  );
  await expect.poll(() => looks).toBeGreaterThan(3);
  lose(new Error("The server restarts."));
  await worker.close();
});

test("dbosWorker() recovers a worker whose lock stays free, not one that connects again", async () => {
  const recovered: string[] = [];
  let connections = 0;
  const worker = await dbosWorker(
    {
      isInitialized: () => true,
      listWorkflows: () => Promise.resolve([{ executorId: "alive" }, { executorId: "dead" }]),
    },
    {
      id: "a",
      connect() {
        const free = [4, 2][connections++] ?? 0;
        let looks = 0;
        let lose = (_: Error): void => undefined;
        return Promise.resolve<PostgresConnection>({
          query(text, [name = ""]) {
            const isAlive = text.includes("try") && name.endsWith("alive") && ++looks > free;
            if (isAlive && connections === 1) lose(new Error("The server restarts."));
            return Promise.resolve({ rows: [{ locked: !isAlive }] });
          },
          on: (_, listener) => (lose = listener),
          end: () => Promise.resolve(),
        });
      },
      recover: ([id = ""]) => Promise.resolve(recovered.push(id)),
      interval: 1,
    },
  );
  await expect.poll(() => connections === 2 && recovered.length > 2).toBe(true);
  await worker.close();
  expect(new Set(recovered)).toEqual(new Set(["dead"]));
});

test("dbosWorker() never looks with an infinite interval", async () => {
  let looks = 0;
  const worker = await dbosWorker(
    {
      isInitialized: () => true,
      listWorkflows: () => {
        looks++;
        return Promise.resolve([]);
      },
    },
    {
      id: "a",
      connect: () =>
        Promise.resolve<PostgresConnection>({
          query: () => Promise.resolve({ rows: [{ locked: true }] }),
          on: () => undefined,
          end: () => Promise.resolve(),
        }),
      recover: () => Promise.resolve(),
      interval: Infinity,
    },
  );
  await new Promise((resolve) => {
    setTimeout(resolve, 20);
  });
  expect(looks).toBe(0);
  await worker.close();
});
