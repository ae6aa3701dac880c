-- on: coordinator

-- name: readClock
-- The time by the clock of the database, in milliseconds: for times that several processes compare, because
-- their own clocks differ.
SELECT :databaseNowMs;
