/** Prefix that marks an argument as a ceiling. The ceiling's key directly follows the key it applies to. */
export const CEILING_MARK = '+';

/**
 * Lua script that atomically takes a slot for each key, using Valkey's own clock. The value of a key is a
 * list of the times at which requests were accepted, in microseconds, ascending. ARGV[1] is the window in
 * milliseconds. Each further argument belongs to a key: its limit (0 takes no slot), then, separated by
 * spaces, the ages in milliseconds of requests that nodes accepted while Valkey was down. An argument that
 * starts with a plus sign makes its key a ceiling for the preceding key: a slot is taken from both or from
 * neither. Returns two numbers per key: the slots left, or -1 if there was none to take, and the
 * milliseconds until the next one becomes free.
 */
export const takeScript = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local window = ARGV[1] * 1000
local answers = {}

local function rewrite(key, ages)
  local moments = {}
  for _, moment in ipairs(redis.call('LRANGE', key, 0, -1)) do table.insert(moments, tonumber(moment)) end
  for _, age in ipairs(ages) do table.insert(moments, now - age * 1000) end
  table.sort(moments)
  -- If the clock was set back, shift all times so that the latest is now.
  local ahead = math.max(0, moments[#moments] - now)
  redis.call('DEL', key)
  for _, moment in ipairs(moments) do redis.call('RPUSH', key, moment - ahead) end
  redis.call('PEXPIRE', key, ARGV[1] + 1000)
end

local function isCeiling(i) return i <= #KEYS and string.sub(ARGV[i + 1], 1, 1) == '${CEILING_MARK}' end

-- Returns a key's limit, the number of slots taken, and the time of the oldest.
local function read(i)
  local key = KEYS[i]
  local given = isCeiling(i) and string.sub(ARGV[i + 1], 2) or ARGV[i + 1]
  local limit = tonumber(given)
  if not limit then
    local ages = {}
    for word in string.gmatch(given, '%S+') do table.insert(ages, tonumber(word)) end
    limit = table.remove(ages, 1)
    rewrite(key, ages)
  end
  local oldest = tonumber(redis.call('LINDEX', key, 0) or nil)
  if oldest and oldest > now then
    rewrite(key, {})
    oldest = tonumber(redis.call('LINDEX', key, 0))
  end
  while oldest and oldest <= now - window do
    redis.call('LPOP', key)
    oldest = tonumber(redis.call('LINDEX', key, 0) or nil)
  end
  return limit, oldest and redis.call('LLEN', key) or 0, oldest
end

local function settle(i, limit, size, oldest, isTaken)
  local left = -1
  if size < limit then
    left = limit - size
    if isTaken then
      left = left - 1
      redis.call('RPUSH', KEYS[i], now)
      -- A second longer than the window: key expiry and TIME use different clocks.
      redis.call('PEXPIRE', KEYS[i], ARGV[1] + 1000)
    end
  elseif size > limit then
    oldest = tonumber(redis.call('LINDEX', KEYS[i], size - limit) or now)
  end
  answers[2 * i - 1] = left
  answers[2 * i] = math.ceil(((oldest or now) + window - now) / 1000)
end

for i = 1, #KEYS do
  if not isCeiling(i) then
    local limit, size, oldest = read(i)
    if isCeiling(i + 1) then
      local most, all, first = read(i + 1)
      local isTaken = size < limit and all < most
      settle(i, limit, size, oldest, isTaken)
      settle(i + 1, most, all, first, isTaken)
    else
      settle(i, limit, size, oldest, true)
    end
  end
end
return answers
`;

/**
 * Lua script that marks a Valkey instance the first time it is seen, and returns its mark. A changed mark
 * means that Valkey lost its data.
 */
export const markScript = `
redis.call('SET', KEYS[1], ARGV[1], 'NX')
return redis.call('GET', KEYS[1])
`;
