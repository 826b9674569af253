/**
 * A Lua script. Every change of a run is one script, so readers never see a partial change, two producers never share
 * an id, and a producer without a lease cannot write. All scripts are idempotent and can be sent again if the reply was
 * lost.
 *
 * KEYS: the run (a hash), its patches (a stream whose ids are patch numbers), all runs (a sorted set by expiry time).
 *
 * Fields of a run: `token`, `writer` (who may write: the token, a slash and a unique text), `length` (number of
 * patches), `before`, `at`, `value` (see `RunStart`; the value as JSON, empty if undefined), `lease` (its length),
 * `until` (its end, by the clock of Redis), `end` (as JSON, once the run has ended).
 */
export type RedisScript = string;

const prelude = `
local run, patches, runs = KEYS[1], KEYS[2], KEYS[3]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function int(number) return string.format('%.0f', number) end
local function keep(ms)
  redis.call('PEXPIRE', run, int(ms))
  redis.call('PEXPIRE', patches, int(ms))
  redis.call('ZADD', runs, int(now + ms), run)
  if redis.call('PTTL', runs) < ms then redis.call('PEXPIRE', runs, int(ms)) end
end
-- The rest of the lease. If the clock has gone back, a whole lease begins.
local function rest(ends, lease)
  local left = tonumber(ends) - now
  if not lease or left <= tonumber(lease) then return left end
  redis.call('HSET', run, 'until', int(now + lease))
  return tonumber(lease)
end
local function forget(name)
  redis.call('DEL', name, name .. ':patches')
  redis.call('ZREM', runs, name)
end
`;

/** Begins a run. Makes room for it by removing one that has ended or is lost. */
const begin = `
local function begin(token, writer, lease, ttl, most)
  redis.call('ZREMRANGEBYSCORE', runs, '-inf', int(now))
  if most ~= 'Infinity' and redis.call('ZCARD', runs) >= tonumber(most) then
    local first = redis.call('ZRANGE', runs, 0, 0, 'WITHSCORES')
    local has_ended = redis.call('HEXISTS', first[1], 'end') == 1
    if not has_ended and tonumber(first[2]) > now + ttl then return 'too_many_runs' end
    forget(first[1])
  end
  redis.call('DEL', patches)
  redis.call('HSET', run, 'token', token, 'writer', writer, 'length', 0, 'before', 0, 'at', 0, 'value', '',
    'lease', int(lease), 'until', int(now + lease))
  keep(lease + ttl)
  return 'ok'
end
`;

/**
 * ARGV: token, writer, lease, ttl, maximum number of runs. Returns `ok` or an error code. Every change of an active run
 * postpones its expiry, so a run that expires within `ttl` has ended or is lost and can be removed.
 */
export const createScript: RedisScript = `${prelude}${begin}
local state = redis.call('HMGET', run, 'token', 'writer')
if state[2] == ARGV[2] then return 'ok' end
if state[1] then return 'id_taken' end
return begin(ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5])
`;

/**
 * ARGV: as of `createScript`. Makes the caller the writer of the run, and begins the run if it does not exist. The
 * writer before can write nothing more. Returns `ok` or an error code.
 */
export const takeOverScript: RedisScript = `${prelude}${begin}
local token = redis.call('HGET', run, 'token')
local lease, ttl = tonumber(ARGV[3]), tonumber(ARGV[4])
if not token then return begin(ARGV[1], ARGV[2], lease, ttl, ARGV[5]) end
if redis.call('HEXISTS', run, 'end') == 1 then return 'ok' end
redis.call('HSET', run, 'writer', token .. string.sub(ARGV[2], #ARGV[1] + 1), 'lease', int(lease),
  'until', int(now + lease))
keep(lease + ttl)
return 'ok'
`;

/**
 * ARGV: writer, lease, ttl, the readers' channel, number of earlier patches, the end or ""; `before`, `at` and `value`
 * to trim to, or ""; the end of a run that is lost, or "" if it has another writer; then patches. Returns `ok`, `run_lost`, `taken_over`, or the end
 * that the run already has. A run that lacks patches has ended, and readers look at a run that is lost at once.
 */
export const writeScript: RedisScript = `${prelude}
local state = redis.call('HMGET', run, 'writer', 'end', 'until', 'length', 'token')
local function lost()
  redis.call('PUBLISH', ARGV[4], 'lost ' .. string.match(ARGV[1], '^(.*)/'))
  return 'run_lost'
end
if state[1] ~= ARGV[1] then
  local mine = state[5] and string.sub(ARGV[1], 1, #state[5] + 1) == state[5] .. '/'
  return mine and 'taken_over' or lost()
end
if state[2] then return state[2] end
local lease, ttl, first, length = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[5]), tonumber(state[4])
local left = rest(state[3], lease)
if left <= 0 then return lost() end
if first > length then -- Redis returned without the latest patches
  if ARGV[10] ~= '' then
    redis.call('HSET', run, 'end', ARGV[10])
    keep(ttl)
  end
  return lost()
end
local fresh = length == 0
for i = 11, #ARGV do
  local number = first + i - 10
  if number > length then
    redis.call('XADD', patches, int(number) .. '-0', 'patch', ARGV[i])
    length = number
  end
end
redis.call('HSET', run, 'length', int(length))
if fresh then redis.call('PEXPIRE', patches, redis.call('PTTL', run)) end
if ARGV[7] ~= '' then
  redis.call('HSET', run, 'before', ARGV[7], 'at', ARGV[8], 'value', ARGV[9])
  redis.call('XTRIM', patches, 'MINID', int(ARGV[7] + 1) .. '-0')
end
if ARGV[6] ~= '' then
  redis.call('HSET', run, 'end', ARGV[6])
  keep(ttl)
elseif left < lease * 3 / 4 then
  redis.call('HSET', run, 'until', int(now + lease))
  keep(lease + ttl)
end
if #ARGV > 10 or ARGV[6] ~= '' then redis.call('PUBLISH', ARGV[4], 'updated ' .. state[5]) end
return 'ok'
`;

/**
 * ARGV: the token and number of patches that the reader knows. Returns an empty list without a run; otherwise its
 * token, length, end or "", the rest of the lease, `before` (or the reader's number of patches), `at` and `value` (if
 * the reader must start over), and all patches after `before`.
 */
export const readScript: RedisScript = `${prelude}
local state = redis.call('HMGET', run, 'token', 'length', 'end', 'until', 'before', 'at', 'value', 'lease')
if not state[1] then return {} end
local before, at, value = ARGV[2], '', ''
if state[1] ~= ARGV[1] or tonumber(before) < tonumber(state[5]) then
  before, at, value = state[5], state[6], state[7]
end
local kept = {}
for i, entry in ipairs(redis.call('XRANGE', patches, int(before + 1) .. '-0', '+')) do kept[i] = entry[2][2] end
local left = math.max(0, rest(state[4], state[8]))
return {state[1], state[2], state[3] or '', int(left), before, at, value, kept}
`;

/** Returns the end of the run, or `unknown`, `active` or `failed`. */
export const statusScript: RedisScript = `${prelude}
local state = redis.call('HMGET', run, 'token', 'end', 'until', 'lease')
if not state[1] then return 'unknown' end
return state[2] or (rest(state[3], state[4]) > 0 and 'active' or 'failed')
`;

/**
 * ARGV: ttl, the readers' channel, the producer's channel, the end. Returns the token of a run that was active. It stays
 * for the rest of its lease and `ttl`, so that its next writer knows.
 */
export const stopScript: RedisScript = `${prelude}
local state = redis.call('HMGET', run, 'token', 'end', 'until')
if not state[1] or state[2] or tonumber(state[3]) <= now then return '' end
redis.call('HSET', run, 'end', ARGV[4])
keep(tonumber(ARGV[1]))
for i = 1, 2 do redis.call('PEXPIRE', KEYS[i], int(ARGV[1] + state[3] - now)) end
redis.call('PUBLISH', ARGV[2], 'updated ' .. state[1])
redis.call('PUBLISH', ARGV[3], 'stopped ' .. state[1])
return state[1]
`;

/** ARGV: the readers' channel, the producer's channel. Returns the token of a run that existed. */
export const expireScript: RedisScript = `${prelude}
local token = redis.call('HGET', run, 'token')
if not token then return '' end
forget(run)
for i = 1, 2 do redis.call('PUBLISH', ARGV[i], 'expired ' .. token) end
return token
`;
