-- Work that lives on memory: tables of every shape, strings, closures and queues. Each part prints a figure that
-- depends on all it made. Nothing depends on addresses, on time or on the order of pairs().

local seed = 20261
local function random(limit) -- 1..limit
  seed = (seed * 1103515245 + 12345) & 0x7fffffff
  return (seed >> 8) % limit + 1
end

local function mix(sum, value) return (sum * 31 + value) & 0xffffffff end

-- Trees that are built and dropped, beside one that stays.
local function tree(depth)
  if depth == 0 then return { 1 } end
  return { tree(depth - 1), tree(depth - 1) }
end

local function nodes(node)
  if node[2] == nil then return node[1] end
  return 1 + nodes(node[1]) + nodes(node[2])
end

local function trees(depth, rounds)
  local stays, count = tree(depth + 2), 0
  for _ = 1, rounds do count = count + nodes(tree(depth)) end
  return count + nodes(stays)
end

-- A cache of records under string keys, with a limit: the oldest goes when a new one comes.
local function cache(requests, limit)
  local entries, order, first, last, hits = {}, {}, 1, 0, 0
  for i = 1, requests do
    local key = "user:" .. random(limit * 2) .. ":profile"
    local entry = entries[key]
    if entry then
      hits = hits + 1
      entry.visits[#entry.visits + 1] = i
    else
      last = last + 1
      order[last] = key
      entries[key] = { name = key:upper(), visits = { i }, tags = { "a" .. i % 7, "b" .. i % 11 } }
      if last - first >= limit then
        entries[order[first]] = nil
        order[first] = nil
        first = first + 1
      end
    end
  end
  local sum = hits
  for i = first, last do
    local entry = entries[order[i]]
    sum = mix(sum, #entry.name + #entry.visits * 3 + #entry.tags[2])
  end
  return sum
end

-- Text: records are written, taken apart, counted and joined.
local function text(lines)
  local made = {}
  for i = 1, lines do
    made[i] = string.format("%d;%s;%s", random(100000), ("x"):rep(random(40)), "field " .. random(500))
  end
  local whole = table.concat(made, "\n")
  local words, total = {}, 0
  for number, mark, field in whole:gmatch("(%d+);(x+);([%w ]+)") do
    words[field] = (words[field] or 0) + #mark
    total = total + tonumber(number)
  end
  local names = {}
  for field in pairs(words) do names[#names + 1] = field end
  table.sort(names)
  local sum = total
  for _, field in ipairs(names) do sum = mix(sum, words[field] + #field) end
  return mix(sum, #whole:gsub("field", "F"):reverse())
end

-- Closures over upvalues, in lists that grow, are shuffled and shrink.
local function closures(count, rounds)
  local list, sum = {}, 0
  for round = 1, rounds do
    for i = 1, count do
      local held = { i, round }
      list[#list + 1] = function(x)
        held[1] = held[1] + x
        return held[1] * held[2]
      end
    end
    for i = #list, 2, -1 do
      local j = random(i)
      list[i], list[j] = list[j], list[i]
    end
    for i = #list, #list // 2, -1 do
      sum = mix(sum, list[i](i))
      list[i] = nil
    end
  end
  return sum
end

-- A simulation: events wait in a heap, each makes others, all carry a table and a string.
local function simulation(events)
  local queue, size, sum = {}, 0, 0
  local function push(event)
    size = size + 1
    local at = size
    while at > 1 and queue[at // 2].time > event.time do
      queue[at] = queue[at // 2]
      at = at // 2
    end
    queue[at] = event
  end
  local function pop()
    local first, last = queue[1], queue[size]
    queue[size] = nil
    size = size - 1
    local at = 1
    while at * 2 <= size do
      local child = at * 2
      if child < size and queue[child + 1].time < queue[child].time then child = child + 1 end
      if queue[child].time >= last.time then break end
      queue[at] = queue[child]
      at = child
    end
    if size > 0 then queue[at] = last end
    return first
  end
  for i = 1, 2000 do push({ time = random(1000), kind = "start " .. i, carries = {} }) end
  for i = 1, events do
    local event = pop()
    sum = mix(sum, event.time + #event.kind + #event.carries)
    local carries = table.move(event.carries, #event.carries > 8 and 5 or 1, #event.carries, 1, {})
    carries[#carries + 1] = i
    push({ time = event.time + random(1000), kind = "step " .. event.time % 977, carries = carries })
  end
  return sum
end

-- A document: nested tables to text and back.
local function write(value, out)
  if type(value) == "table" then
    if value[1] ~= nil then
      out[#out + 1] = "["
      for i, item in ipairs(value) do
        if i > 1 then out[#out + 1] = "," end
        write(item, out)
      end
      out[#out + 1] = "]"
    else
      local keys = {}
      for key in pairs(value) do keys[#keys + 1] = key end
      table.sort(keys)
      out[#out + 1] = "{"
      for i, key in ipairs(keys) do
        if i > 1 then out[#out + 1] = "," end
        out[#out + 1] = '"' .. key .. '":'
        write(value[key], out)
      end
      out[#out + 1] = "}"
    end
  else
    out[#out + 1] = type(value) == "string" and '"' .. value .. '"' or tostring(value)
  end
end

local function read(source)
  local at = 1
  local value
  local function list(close, item)
    local made = {}
    at = at + 1
    while source:byte(at) ~= close do
      item(made)
      if source:byte(at) == 44 then at = at + 1 end
    end
    at = at + 1
    return made
  end
  local function quoted()
    local stop = source:find('"', at + 1, true)
    local found = source:sub(at + 1, stop - 1)
    at = stop + 1
    return found
  end
  function value()
    local byte = source:byte(at)
    if byte == 91 then return list(93, function(made) made[#made + 1] = value() end) end
    if byte == 123 then
      return list(125, function(made)
        local key = quoted()
        at = at + 1
        made[key] = value()
      end)
    end
    if byte == 34 then return quoted() end
    local _, stop = source:find("^%-?%d+", at)
    local number = math.tointeger(source:sub(at, stop))
    at = stop + 1
    return number
  end
  return value()
end

local function document(rows, rounds)
  local rowsMade = {}
  for i = 1, rows do
    rowsMade[i] = { id = i, name = "row " .. random(1000), values = { random(9), random(99), random(999) }, at = { x = i, y = -i } }
  end
  local current, sum = { title = "rows", rows = rowsMade }, 0
  for _ = 1, rounds do
    local out = {}
    write(current, out)
    local source = table.concat(out)
    sum = mix(sum, #source)
    current = read(source)
    for _, row in ipairs(current.rows) do row.values[#row.values + 1] = random(9999) end
  end
  return mix(sum, #current.rows)
end

print("trees", trees(12, 40))
print("cache", cache(150000, 20000))
print("text", text(40000))
print("closures", closures(15000, 7))
print("simulation", simulation(60000))
print("document", document(3000, 5))
collectgarbage()
print("kilobytes are few", collectgarbage("count") < 4096)
