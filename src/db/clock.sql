-- on: coordinator

-- name: readClock
-- The time by the clock of the database, in milliseconds: for what several processes compare, whose own
-- clocks differ.
SELECT :databaseNowMs;
