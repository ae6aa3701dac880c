-- on: account

-- name: findExport
SELECT record FROM exports WHERE account = :account AND id = :id;

-- name: removeOwn
-- Removes an account's expired exports, and exports whose start is in the future because the clock was wrong.
DELETE FROM exports WHERE account = :account AND started_at_ms NOT BETWEEN :expiredMs AND :latestMs;

-- name: createExport
-- Stores an export, unless its account has too many.
INSERT INTO exports (account, id, started_at_ms, record)
SELECT :account, :id, CAST(:startedAtMs AS BIGINT), :record
FROM (SELECT count(*) AS stored FROM exports WHERE account = :account) AS own WHERE stored < :perAccount
RETURNING id;

-- name: replaceExport
UPDATE exports SET record = :record WHERE account = :account AND id = :id RETURNING id;

-- on: coordinator

-- name: allowRemoval (server)
-- Row-level security lets this database transaction remove only exports that began before this time.
SELECT set_config('transactions.exports_before', CAST(:expiredMs AS text), true);

-- name: removeExpired
DELETE FROM exports WHERE started_at_ms < :expiredMs;
