/**
 * What happens to a run in Redis, each as one script: so a run and its patches are never seen half changed, two producers
 * never get one id, and whoever's lease is over writes no more. All may be sent again when their answer was lost.
 *
 * KEYS: the run (a hash), its patches (a stream whose ids are their numbers), all runs (a sorted set by when they expire).
 *
 * Fields of a run: `token`, `length` (patches until now), `before`, `at`, `value` (as in `RunStart`; the value as JSON, empty
 * if there is none), `until` (when the lease is over, by the clock of Redis), `end` (as JSON, once there is one).
 */
export type Script = string;

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
local function forget(name)
  redis.call('DEL', name, name .. ':patches')
  redis.call('ZREM', runs, name)
end
`;

/**
 * ARGV: token, lease, ttl, how many runs there may be. Gives `ok`, or the code of the error. As each change of a run puts
 * off when it expires, those that expire within the time that ended runs are kept have ended, or are lost.
 */
export const create: Script = `${prelude}
local lease, ttl = tonumber(ARGV[2]), tonumber(ARGV[3])
local token = redis.call('HGET', run, 'token')
if token == ARGV[1] then return 'ok' end
if token then return 'id_taken' end
redis.call('ZREMRANGEBYSCORE', runs, '-inf', int(now))
if ARGV[4] ~= 'Infinity' and redis.call('ZCARD', runs) >= tonumber(ARGV[4]) then
  local first = redis.call('ZRANGE', runs, 0, 0, 'WITHSCORES')
  if tonumber(first[2]) > now + ttl then return 'too_many_runs' end
  forget(first[1])
end
redis.call('DEL', patches)
redis.call('HSET', run, 'token', ARGV[1], 'length', 0, 'before', 0, 'at', 0, 'value', '', 'until', int(now + lease))
keep(lease + ttl)
return 'ok'
`;

/**
 * ARGV: token, lease, ttl, the channel of the readers, how many patches came before these, the end or nothing; `before`, `at`
 * and `value` to trim to, or nothing; then patches. Gives `ok`, `run_lost`, or the end that the run has got already.
 */
export const write: Script = `${prelude}
local state = redis.call('HMGET', run, 'token', 'end', 'until', 'length')
if state[1] ~= ARGV[1] then return 'run_lost' end
if state[2] then return state[2] end
local left = tonumber(state[3]) - now
if left <= 0 then return 'run_lost' end
local lease, ttl, first, length = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[5]), tonumber(state[4])
if first > length then return 'run_lost' end -- Redis has come back without the last ones
local fresh = length == 0
for i = 10, #ARGV do
  local number = first + i - 9
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
if #ARGV > 9 or ARGV[6] ~= '' then redis.call('PUBLISH', ARGV[4], 'news ' .. ARGV[1]) end
return 'ok'
`;

/**
 * ARGV: the token that the reader knows, and how many patches it has. Gives nothing if there is no run; else its token, its
 * length, its end or an empty text, what is left of the lease, `before` (or how many patches the reader has), `at` and
 * `value` (if the reader has to begin anew), and all patches after `before`.
 */
export const read: Script = `${prelude}
local state = redis.call('HMGET', run, 'token', 'length', 'end', 'until', 'before', 'at', 'value')
if not state[1] then return {} end
local before, at, value = ARGV[2], '', ''
if state[1] ~= ARGV[1] or tonumber(before) < tonumber(state[5]) then
  before, at, value = state[5], state[6], state[7]
end
local kept = {}
for i, entry in ipairs(redis.call('XRANGE', patches, int(before + 1) .. '-0', '+')) do kept[i] = entry[2][2] end
local left = math.max(0, tonumber(state[4]) - now)
return {state[1], state[2], state[3] or '', int(left), before, at, value, kept}
`;

/** ARGV: ttl, the channel of the readers, that of the producer, the end. Gives the run's token if it went on. */
export const stop: Script = `${prelude}
local state = redis.call('HMGET', run, 'token', 'end', 'until')
if not state[1] or state[2] or tonumber(state[3]) <= now then return '' end
redis.call('HSET', run, 'end', ARGV[4])
keep(tonumber(ARGV[1]))
redis.call('PUBLISH', ARGV[2], 'news ' .. state[1])
redis.call('PUBLISH', ARGV[3], 'stopped ' .. state[1])
return state[1]
`;

/** ARGV: the channels of the readers and of the producer. Gives the run's token if there was one. */
export const expire: Script = `${prelude}
local token = redis.call('HGET', run, 'token')
if not token then return '' end
forget(run)
for i = 1, 2 do redis.call('PUBLISH', ARGV[i], 'expired ' .. token) end
return token
`;
