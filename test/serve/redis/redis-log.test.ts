import { redisLog, type RedisLog, type RedisLogOptions } from "millrace/redis";
import { afterAll, beforeAll, describe } from "vitest";
import { streamLogContract } from "../support/stream-log-contract.js";
import { describeRedis, RedisServer } from "./support/server.js";

describeRedis("redisLog()", () => {
  const server = new RedisServer();
  let logs = 0;
  let clients: Record<"redis" | "ioredis", Parameters<typeof redisLog>[0]>;
  beforeAll(async () => {
    await server.start();
    clients = { redis: await server.nodeRedis(), ioredis: server.ioredis() };
  });
  afterAll(() => server.close());

  /** On keys that no other test knows. */
  const newLog = (client: keyof typeof clients, options?: RedisLogOptions): RedisLog => {
    const log = redisLog(clients[client], { prefix: `test-${++logs}:`, ...options });
    server.onClose(() => log.close());
    return log;
  };

  describe.each(["redis", "ioredis"] as const)("with the client of the package %s", (client) => {
    streamLogContract((options) => newLog(client, options));
  });
});
