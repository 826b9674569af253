export type {
  IoRedisClient,
  IoRedisDuplicate,
  NodeRedisClient,
  NodeRedisDuplicate,
  RedisClient,
} from "./connection.js";
export { redisLog, type RedisLog, type RedisLogOptions } from "./redis-log.js";
