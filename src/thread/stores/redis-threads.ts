import { connectionOf, type IoRedisClient, type RedisClient } from "../../serve/redis/connection.js";
import { encodeId } from "../../serve/redis/store.js";
import { checkOptions, type OptionNames } from "../../text/check-options.js";
import {
  checkedThreads,
  rowHead,
  rowsWithin,
  threadBoundNames,
  type ThreadBounds,
} from "./checked-threads.js";
import type { ThreadKey, ThreadStore } from "./thread-store.js";

/** The options of `redisThreads()`. */
export interface RedisThreadsOptions extends ThreadBounds {
  /** The beginning of all keys. Default: `millrace:`. */
  readonly prefix?: string;
}

const optionNames = { ...threadBoundNames, prefix: true } satisfies OptionNames<RedisThreadsOptions>;

/**
 * Keeps threads in Redis (6.2 or later): a hash for each, and a sorted set of the threads of each owner. All keys of an
 * owner are in one slot of a cluster. A thread survives a crash of Redis as far as its persistence is set so
 * (`appendfsync always`).
 *
 * @param client a connected client of the package `redis` or `ioredis`, or a `Cluster` of `ioredis`
 * @throws {RangeError} if a limit is out of range
 * @throws {TypeError} for another client, such as `createCluster()` of `redis`
 *
 * @example
 * ```ts no-run
 * import { Redis } from "ioredis";
 * import { createAgent } from "millrace";
 * import { openai } from "millrace/openai";
 * import { redisThreads, thread } from "millrace/thread";
 *
 * const agent = createAgent({ model: openai({ model: "gpt-6.1-terra" }) });
 * const chat = await thread(agent, { store: redisThreads(new Redis()), id: "1", owner: "ada" });
 * for await (const event of chat.stream("Hi")) console.log(event);
 * ```
 */
export function redisThreads(
  client: RedisClient | Pick<IoRedisClient, "call">,
  options: RedisThreadsOptions = {},
): ThreadStore {
  checkOptions("redisThreads()", options, optionNames);
  const { prefix = "millrace:", ...bounds } = options;
  const { maxAge = Infinity } = bounds;
  const connection = connectionOf(client, "redisThreads()");
  // An owner may have any characters, and those of the hash tag decide the slot.
  const setOf = (owner: string): string => `${prefix}threads:{${encodeId(owner)}}`;
  const keyOf = ({ owner, id }: ThreadKey): string => `${setOf(owner)}:${id}`;
  const run = (
    script: string,
    keys: readonly string[],
    args: readonly (string | number)[] = [],
  ): Promise<unknown> =>
    connection.command("EVAL", script, String(keys.length), ...keys, ...args.map(String));
  return checkedThreads(
    {
      async read(key) {
        const [version, title, status, updatedAt, text] = (await connection.command(
          "HMGET",
          keyOf(key),
          ...fields,
        )) as readonly (string | null)[];
        if (typeof version !== "string") return undefined;
        return { version, ...rowHead(title, status, updatedAt), text: String(text) };
      },
      async write(key, row, expected, { maxThreads, oldest }) {
        const { version, title, status, updatedAt, text } = row;
        const age = Number.isFinite(maxAge) ? maxAge : 0;
        const args = [expected ?? "", version, title, status, updatedAt, text, maxThreads, oldest, age];
        const outcome = await run(writeScript, [keyOf(key), setOf(key.owner)], [...args, key.id]);
        return outcome as "saved" | "conflict" | "full";
      },
      async list(owner, range) {
        const { oldest, after, limit } = range;
        const rows = await run(listScript, [setOf(owner)], [after.updatedAt, oldest, limit]);
        const heads = (rows as readonly (readonly (string | null)[])[]).flatMap(
          ([id, title, status, updatedAt]) =>
            status === null ? [] : { id: String(id), ...rowHead(title, status, updatedAt) },
        );
        return rowsWithin(heads, range);
      },
      remove: async (key) => (await run(removeScript, [keyOf(key), setOf(key.owner)], [key.id])) === 1,
    },
    bounds,
  );
}

const fields = ["version", "title", "status", "updatedAt", "record"] as const;

/** Can be sent again if the reply was lost. */
const writeScript = `
local thread, set = KEYS[1], KEYS[2]
local expected, version, title, status, updated, record = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local now = redis.call('HMGET', thread, 'version', 'updatedAt')
local current = now[1] or ''
if current == version then return 'saved' end
if current ~= '' and tonumber(now[2]) < tonumber(ARGV[8]) then current = '' end
if current ~= expected then return 'conflict' end
if current == '' and redis.call('ZCOUNT', set, ARGV[8], '+inf') >= tonumber(ARGV[7]) then return 'full' end
-- The first write: Redis refuses a script over maxmemory only until it has written.
redis.call('HSET', thread, 'version', version, 'title', title, 'status', status, 'updatedAt', updated, 'record', record)
redis.call('ZREMRANGEBYSCORE', set, '-inf', '(' .. ARGV[8])
redis.call('ZADD', set, updated, ARGV[10])
if ARGV[9] ~= '0' then
  redis.call('PEXPIRE', thread, ARGV[9])
  redis.call('PEXPIRE', set, ARGV[9])
else
  redis.call('PERSIST', thread)
  redis.call('PERSIST', set)
end
return 'saved'
`;

/** All threads of the time itself, and the first of those before it. Their keys are in the slot of their set. */
const listScript = `
local set, time, oldest, rows = KEYS[1], ARGV[1], ARGV[2], {}
local function add(ids)
  for _, id in ipairs(ids) do
    local head = redis.call('HMGET', set .. ':' .. id, 'title', 'status', 'updatedAt')
    rows[#rows + 1] = { id, head[1], head[2], head[3] }
  end
end
add(redis.call('ZRANGEBYSCORE', set, time, time))
add(redis.call('ZREVRANGEBYSCORE', set, '(' .. time, oldest, 'LIMIT', 0, ARGV[3]))
return rows
`;

const removeScript = `
redis.call('ZREM', KEYS[2], ARGV[1])
return redis.call('DEL', KEYS[1])
`;
