import { setTimeout } from "node:timers/promises";
import { textOf } from "millrace";
import { postgresThreads, redisThreads, thread, type ThreadError, type ThreadStore } from "millrace/thread";
import pg from "pg";
import { expect, test } from "vitest";
import { describePostgres, PostgresServer } from "../../durable/support/postgres.js";
import { describeRedis, RedisServer } from "../../serve/redis/support/server.js";
import { randomOf } from "../../support/random.js";
import type { ServerProcess } from "../../support/server-process.js";
import { lookingAgent } from "./support/looking-agent.js";

/** `MILLRACE_KILLS=100` proves it at more moments. */
const kills = Number(process.env["MILLRACE_KILLS"] ?? 15);

const agent = lookingAgent();

/** @param start starts the server again, with what it has kept */
async function survivesKills(
  store: ThreadStore,
  server: ServerProcess,
  start: () => Promise<void>,
): Promise<void> {
  const random = randomOf(77);
  const options = { store, id: "1", owner: "ada", lease: 30 };
  const accepted: string[] = [];
  for (let at = 0; at < kills; at++) {
    const chat = await thread(agent, options);
    const texts = chat.messages.filter(({ role }) => role === "user").map(textOf);
    // Each accepted message once.
    expect(texts.filter((text) => accepted.includes(text))).toEqual(accepted);
    expect(new Set(texts).size).toBe(texts.length);
    const text = `message ${at}`;
    const turn = (async () => {
      for await (const _ of chat.stream(text)) if (!accepted.includes(text)) accepted.push(text);
    })().catch((error: unknown) => error);
    await setTimeout(random() * 40);
    await server.kill();
    await start();
    await answers(store);
    // The clients of Redis try again by themselves.
    expect([undefined, "unavailable"]).toContain(((await turn) as ThreadError | undefined)?.code);
    await setTimeout(40); // the lease of a turn that could not give it back
  }
  const end = await thread(agent, options);
  expect(end.messages.filter(({ role }) => role === "user").map(textOf)).toEqual(
    expect.arrayContaining(accepted),
  );
  expect(accepted.length).toBeGreaterThan(kills / 3);
}

async function answers(store: ThreadStore): Promise<void> {
  for (;;) {
    try {
      await store.list("ada");
      return;
    } catch {
      await setTimeout(5);
    }
  }
}

describeRedis("a Redis server that is killed with kill -9", () => {
  test("loses no message that was accepted", async () => {
    const server = new RedisServer({ keep: true });
    await server.start();
    try {
      await survivesKills(redisThreads(server.ioredis()), server, () => server.start());
    } finally {
      await server.close();
    }
  });
});

describePostgres("a PostgreSQL server that is killed", () => {
  test("loses no message that was accepted", async () => {
    const server = new PostgresServer();
    await server.start();
    const pool = new pg.Pool({ connectionString: await server.newDatabase() });
    pool.on("error", () => undefined);
    try {
      await survivesKills(postgresThreads(pool), server, () => server.resume());
    } finally {
      await pool.end();
      await server.close();
    }
  });
});
