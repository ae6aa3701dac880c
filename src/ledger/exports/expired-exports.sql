-- on: coordinator

-- name: allowRemoval (server)
-- Row-level security lets this database transaction remove only exports that began before this time.
SELECT set_config('transactions.exports_before', CAST(:expiredMs AS text), true);

-- name: removeExpired
-- Removes the exports that began before a time.
DELETE FROM exports WHERE started_at_ms < :expiredMs;
