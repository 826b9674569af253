import { Cluster, Redis } from "ioredis";
import { redisLog, type RedisClient } from "millrace/redis";
import type { StreamLog } from "millrace/serve";
import { redisThreads, type ThreadStore } from "millrace/thread";
import { createClient, createCluster } from "redis";
import { expectTypeOf, test } from "vitest";

test("accepts the clients of both packages, with any protocol", () => {
  expectTypeOf(createClient()).toExtend<RedisClient>();
  expectTypeOf(createClient({ RESP: 2 })).toExtend<RedisClient>();
  expectTypeOf(new Redis()).toExtend<RedisClient>();
  expectTypeOf(redisLog(new Redis())).toExtend<StreamLog>();
});

test("threads also accept a cluster of ioredis", () => {
  expectTypeOf(redisThreads(new Cluster([]))).toExtend<ThreadStore>();
  // @ts-expect-error its sendCommand() has other parameters
  redisThreads(createCluster({ rootNodes: [] }));
});

test("rejects clusters and other objects", () => {
  expectTypeOf(createCluster({ rootNodes: [] })).not.toExtend<RedisClient>();
  expectTypeOf(new Cluster([])).not.toExtend<RedisClient>();
  // @ts-expect-error not a client
  redisLog({});
});
