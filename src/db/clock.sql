-- on: coordinator

-- name: readClock
-- Returns the database's time in milliseconds, so that all processes compare times by one clock.
SELECT :databaseNowMs;
