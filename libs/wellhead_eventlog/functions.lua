-- The writes of the event log, each one atomic step on the keys of one partition (architecture §3).
--
-- An error in a function rolls nothing back. So each of them first reads every key it will write, which raises if one
-- has the wrong type, then decides, then writes; nothing between the first write and the last can fail.

local SCORE_DIGITS = 20

local function number_id(number)
  return string.format('%.0f-0', number)
end

-- The number and the fields of the last entry of a stream or feed; 0 if there is none.
local function tail(key)
  local last = redis.call('XREVRANGE', key, '+', '-', 'COUNT', 1)[1]
  if not last then return 0 end
  return tonumber(string.match(last[1], '^%d+')), last[2]
end

-- The fields of entry `number`, or nil.
local function entry(key, number)
  local found = redis.call('XRANGE', key, number_id(number), number_id(number))[1]
  return found and found[2]
end

-- Fields are written in this order: digest, command, public, private, mark, and trace if there is one.
local function digest_of(fields) return fields[2] end
local function command_of(fields) return fields[4] end

-- The last position given out in a feed, or nil and that position if the feed does not end there: it was lost (R-LOG-7).
local function feed_position(feed, position)
  local announced = tonumber(redis.call('GET', position) or 0)
  if tail(feed) ~= announced then return nil, announced end
  return announced
end

local function announce(feed, position, number, name, revision, mark)
  redis.call('XADD', feed, number_id(number), 'stream', name, 'revision', revision, 'mark', mark)
  redis.call('SET', position, number)
end

local function freeze_stream(frozen, deadlines, name, reason)
  redis.call('HSETNX', frozen, name, reason)
  redis.call('ZREM', deadlines, name)
end

local function now_ms()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

local function holds(lease, epoch)
  return redis.call('HGET', lease, 'epoch') == epoch
end


-- Streams -------------------------------------------------------------------------------------------------------------

local function append(keys, args)
  local stream, streams, frozen, deadlines, feed, position = unpack(keys)
  local name, expected, believed = args[1], tonumber(args[2]), args[3]
  local digest, command, public, private, mark, deadline, trace = unpack(args, 4)
  local revision = expected + 1

  -- 1. Read.
  local reason = redis.call('HGET', frozen, name)
  local reached, last = tail(stream)
  local announced, lost_at = feed_position(feed, position)
  redis.call('ZSCORE', streams, name)
  redis.call('ZSCORE', deadlines, name)

  -- 2. Decide.
  if reason then return {'frozen', reason} end
  if not announced then return {'feed missing', lost_at} end
  if reached < expected then
    freeze_stream(frozen, deadlines, name, string.format('lost tail: ends at %d, %d was seen', reached, expected))
    return {'lost tail', reached}
  end
  if reached > expected and expected > 0 then last = entry(stream, expected) end
  if expected > 0 and not (last and digest_of(last) == believed) then
    freeze_stream(frozen, deadlines, name, string.format('fork: another commit %d was seen', expected))
    return {'fork', expected}
  end
  if reached > expected then
    local rival = entry(stream, revision)
    if rival and command_of(rival) == command then return {'duplicate', revision, digest_of(rival)} end
    return {'conflict', reached}
  end

  -- 3. Write. The first write can fail in one way only: the stream once reached further than it does now.
  local fields = {'digest', digest, 'command', command, 'public', public, 'private', private, 'mark', mark}
  if trace ~= '' then
    fields[#fields + 1] = 'trace'
    fields[#fields + 1] = trace
  end
  local added = redis.pcall('XADD', stream, number_id(revision), unpack(fields))
  if type(added) == 'table' and added.err then
    freeze_stream(frozen, deadlines, name, string.format('lost tail: ends at %d, more was there', reached))
    return {'lost tail', reached}
  end
  announce(feed, position, announced + 1, name, revision, mark)
  if revision == 1 then redis.call('ZADD', streams, 0, name) end
  if deadline == '0' then
    redis.call('ZREM', deadlines, name)
  elseif deadline ~= '' then
    redis.call('ZADD', deadlines, deadline, name)
  end
  return {'appended', revision}
end

local function freeze(keys, args)
  local frozen, deadlines = unpack(keys)
  local name, reason = unpack(args)
  redis.call('HGET', frozen, name)
  redis.call('ZSCORE', deadlines, name)
  freeze_stream(frozen, deadlines, name, reason)
  return {'ok'}
end


-- Feeds ---------------------------------------------------------------------------------------------------------------

local function trim(keys, args)
  local feed, checkpoints = unpack(keys)
  local slowest = tail(feed)
  local registered = redis.call('HVALS', checkpoints)
  if #registered == 0 or slowest == 0 then return {'ok', 0} end
  for _, checkpoint in ipairs(registered) do slowest = math.min(slowest, tonumber(checkpoint)) end
  return {'ok', redis.call('XTRIM', feed, 'MINID', number_id(slowest))}
end


-- Consumers -----------------------------------------------------------------------------------------------------------

local function attend(keys, args)
  local members = keys[1]
  local owner, ttl = unpack(args)
  local now = now_ms()
  redis.call('ZREMRANGEBYSCORE', members, '-inf', now)
  redis.call('ZADD', members, now + ttl, owner)
  return {'ok', redis.call('ZCARD', members)}
end

-- Says that a service is there. A time in which nobody has said so for longer than `gap` is noted, and stays. A repeat
-- of the call finds itself and notes nothing more.
local function beat(keys, args)
  local alive, outages = unpack(keys)
  local now, gap, after, most = unpack(args)
  local last = redis.call('GET', alive)
  redis.call('ZCARD', outages)
  if last and tonumber(now) - tonumber(last) > tonumber(gap) then
    redis.call('ZADD', outages, now, last .. ' ' .. now)
    redis.call('ZREMRANGEBYRANK', outages, 0, -tonumber(most) - 1)
  end
  if not last or tonumber(now) > tonumber(last) then redis.call('SET', alive, now) end
  return {'ok', redis.call('ZRANGEBYSCORE', outages, '(' .. after, '+inf')}
end

local function acquire(keys, args)
  local lease = keys[1]
  local owner, ttl = unpack(args)
  local now = now_ms()
  local epoch, holder, ends = unpack(redis.call('HMGET', lease, 'epoch', 'owner', 'until'))
  if holder and holder ~= owner and tonumber(ends) > now then return {'taken'} end
  epoch = (epoch or 0) + 1
  redis.call('HSET', lease, 'epoch', epoch, 'owner', owner, 'until', now + ttl)
  return {'ok', epoch}
end

local function renew(keys, args)
  local lease = keys[1]
  local epoch, ttl = unpack(args)
  if not holds(lease, epoch) then return {'stale'} end
  redis.call('HSET', lease, 'until', now_ms() + ttl)
  return {'ok'}
end

local function release(keys, args)
  local lease = keys[1]
  local epoch = args[1]
  if holds(lease, epoch) then redis.call('HSET', lease, 'until', 0) end
  return {'ok'}
end

-- The epoch stays and rises, so that whoever still holds a lease is fenced off.
local function retire(keys, args)
  local lease, parked, checkpoints = unpack(keys)
  local consumer = args[1]
  local epoch = redis.call('HGET', lease, 'epoch')
  redis.call('HGET', checkpoints, consumer)
  redis.call('HDEL', checkpoints, consumer)
  redis.call('DEL', parked)
  if epoch then redis.call('HSET', lease, 'epoch', epoch + 1, 'until', 0) end
  return {'ok'}
end

-- KEYS after the third come in pairs, documents and places of a collection; ARGV after the third in fives:
-- 'put', which pair, id, score, value or 'delete', which pair, id, '', ''.
local function commit(keys, args)
  local lease, checkpoints, position = keys[1], keys[2], keys[3]
  local epoch, consumer, reached = args[1], args[2], args[3]

  -- 1. Read.
  local announced = tonumber(redis.call('GET', position) or 0)
  redis.call('HGET', checkpoints, consumer)
  for i = 4, #keys, 2 do
    redis.call('HLEN', keys[i])
    redis.call('ZCARD', keys[i + 1])
  end

  -- 2. Decide.
  if not holds(lease, epoch) then return {'stale'} end
  if tonumber(reached) > announced then return {'feed missing', tonumber(reached)} end

  -- 3. Write.
  for i = 4, #args, 5 do
    local verb, pair, id, score, value = args[i], args[i + 1], args[i + 2], args[i + 3], args[i + 4]
    local documents, places = keys[2 * pair + 2], keys[2 * pair + 3]
    local old = redis.call('HGET', documents, id)
    if old then redis.call('ZREM', places, string.sub(old, 1, SCORE_DIGITS) .. id) end
    if verb == 'put' then
      redis.call('HSET', documents, id, score .. value)
      redis.call('ZADD', places, 0, score .. id)
    else
      redis.call('HDEL', documents, id)
    end
  end
  redis.call('HSET', checkpoints, consumer, reached)
  return {'ok'}
end

-- Answers a page as place, score and value, place, score and value, ...
local function scan(keys, args)
  local documents, places = unpack(keys)
  local after, limit, order = unpack(args)
  local found
  if order == 'descending' then
    found = redis.call('ZRANGE', places, after == '' and '+' or '(' .. after, '-', 'BYLEX', 'REV', 'LIMIT', 0, limit)
  else
    found = redis.call('ZRANGE', places, after == '' and '-' or '(' .. after, '+', 'BYLEX', 'LIMIT', 0, limit)
  end
  local page = {}
  for _, place in ipairs(found) do
    page[#page + 1] = place
    page[#page + 1] = redis.call('HGET', documents, string.sub(place, SCORE_DIGITS + 1))
  end
  return page
end

local function park(keys, args)
  local lease, parked = unpack(keys)
  local epoch, name, record = unpack(args)
  redis.call('HGET', parked, name)
  if not holds(lease, epoch) then return {'stale'} end
  redis.call('HSET', parked, name, record)
  return {'ok'}
end

local function unpark(keys, args)
  local stream, feed, position, parked = unpack(keys)
  local name, mark = unpack(args)
  local waiting = redis.call('HEXISTS', parked, name)
  local reached = tail(stream)
  local announced, lost_at = feed_position(feed, position)
  if waiting == 0 then return {'not parked'} end
  if not announced then return {'feed missing', lost_at} end
  redis.call('HDEL', parked, name)
  announce(feed, position, announced + 1, name, reached, mark)
  return {'ok'}
end


local function register(name, callback, flags)
  redis.register_function{function_name = PREFIX .. name, callback = callback, flags = flags or {}}
end

register('append', append)
register('freeze', freeze)
register('trim', trim)
register('attend', attend)
register('beat', beat)
register('acquire', acquire)
register('renew', renew)
register('release', release)
register('retire', retire)
register('commit', commit)
register('scan', scan, {'no-writes'})
register('park', park)
register('unpark', unpark)
