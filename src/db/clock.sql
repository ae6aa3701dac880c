-- on: coordinator

-- name: readClock
-- The time by the clock of the database, in milliseconds. Times that several processes compare come from it,
-- because the processes' own clocks differ.
SELECT :databaseNowMs;
