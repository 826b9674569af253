import { Cluster, Redis } from "ioredis";
import { redisLog, type RedisClient } from "millrace/redis";
import type { StreamLog } from "millrace/serve";
import { createClient, createCluster } from "redis";
import { expectTypeOf, test } from "vitest";

test("the clients of both packages fit as they are, with any protocol", () => {
  expectTypeOf(createClient()).toExtend<RedisClient>();
  expectTypeOf(createClient({ RESP: 2 })).toExtend<RedisClient>();
  expectTypeOf(new Redis()).toExtend<RedisClient>();
  expectTypeOf(redisLog(new Redis())).toExtend<StreamLog>();
});

test("what cannot be used does not fit", () => {
  expectTypeOf(createCluster({ rootNodes: [] })).not.toExtend<RedisClient>();
  expectTypeOf(new Cluster([])).not.toExtend<RedisClient>();
  // @ts-expect-error what is no client at all
  redisLog({});
});
