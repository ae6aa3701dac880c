-- on: coordinator

-- name: allowRemoval (server)
-- Sets the time that row-level security compares: only exports that began before this time can be removed.
SELECT set_config('transactions.exports_before', CAST(:expiredMs AS text), true);

-- name: removeExpired
-- Removes the exports that began before a time.
DELETE FROM exports WHERE started_at_ms < :expiredMs;
