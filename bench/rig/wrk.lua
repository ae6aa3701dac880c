-- Sends the requests in a file in turn, and prints the results as JSON.
-- wrk -s wrk.lua URL -- FILE; each line is a path, a space and an API key.

local requests = {}
local sent = 0

function init(args)
  for line in io.lines(args[1]) do
    local path, key = line:match("(%S+) (%S+)")
    requests[#requests + 1] = wrk.format("GET", path, { Host = "127.0.0.1", Authorization = "Bearer " .. key })
  end
end

function request()
  sent = sent + 1
  return requests[(sent - 1) % #requests + 1]
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.timeout + errors.status
  io.stderr:write(string.format(
    '{"perSecond": %f, "p50Ms": %f, "p99Ms": %f, "failed": %d}\n',
    summary.requests / summary.duration * 1e6,
    latency:percentile(50) / 1000,
    latency:percentile(99) / 1000,
    failed
  ))
end
