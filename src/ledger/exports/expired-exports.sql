-- Exports of all accounts.
-- on: coordinator

-- name: allowRemoval (server)
-- Tells the policies of the table the time before which exports are removed.
SELECT set_config('transactions.exports_before', CAST(:expiredMs AS text), true);

-- name: removeExpired
-- Removes the exports that began before a time.
DELETE FROM exports WHERE started_at_ms < :expiredMs;
