-- on: coordinator

-- name: readClock
-- The database's time in milliseconds, for times that several processes compare.
SELECT :databaseNowMs;
