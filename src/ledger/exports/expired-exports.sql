-- Exports of all accounts.
-- on: coordinator

-- name: allowRemoval (server)
-- Allows the removal of exports that began before a time, under the row-level security of the table.
SELECT set_config('transactions.exports_before', CAST(:expiredMs AS text), true);

-- name: removeExpired
-- Removes the exports that began before a time.
DELETE FROM exports WHERE started_at_ms < :expiredMs;
