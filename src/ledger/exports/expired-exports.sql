-- Exports of all accounts.
-- on: coordinator

-- name: allowRemoval (server)
-- Tells the row-level security of the table that exports from before this time may be removed.
SELECT set_config('transactions.exports_before', CAST(:expiredMs AS text), true);

-- name: removeExpired
-- Removes the exports that began before a time.
DELETE FROM exports WHERE started_at_ms < :expiredMs;
