-- on: account

-- name: readNonce
-- Returns the nonce of a change, or -1 if the change was archived and its nonce is unknown.
SELECT coalesce(
  (SELECT t.pending_nonce FROM transactions AS t WHERE t.account = :account AND t.pending_sequence = :sequence),
  (SELECT t.final_nonce FROM transactions AS t WHERE t.account = :account AND t.final_sequence = :sequence),
  (
    SELECT CASE WHEN floor_sequence = :sequence THEN floor_nonce ELSE -1 END
    FROM archives WHERE archives.account = :account AND floor_sequence >= :sequence
  )
) AS nonce;

-- name: listTransactionChanges
SELECT
  reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details,
  details_removed_at_ms, pending_sequence, pending_recorded_at_ms, pending_nonce, final_sequence, final_recorded_at_ms, final_nonce
FROM transactions
WHERE account = :account AND reference = :reference
LIMIT 1;

-- on: coordinator
-- A cluster does not use these statements, because database transactions on its nodes have no common order.

-- name: listMoved (sqlite)
-- Returns the new mark, then 1 if the database is older than the given mark, and then up to 10000 accounts
-- that were marked since.
SELECT CAST(CASE WHEN last.moved < given.mark OR given.mark IS NULL THEN last.moved ELSE coalesce(page.moved, given.mark) END AS TEXT),
  coalesce(last.moved < given.mark, 0), page.accounts
FROM (SELECT CAST(:mark AS INTEGER) AS mark) AS given
CROSS JOIN (SELECT coalesce(max(moved), 0) AS moved FROM watched_accounts) AS last
CROSS JOIN (SELECT max(moved) AS moved, json_group_array(account) AS accounts
  FROM (SELECT account, moved FROM watched_accounts WHERE moved > CAST(:mark AS INTEGER) ORDER BY moved LIMIT 10000)) AS page;

-- name: listMoved (server)
-- Like listMoved for SQLite, with a snapshot as the mark. If the given snapshot is later than the new one, it
-- is from a different database.
SELECT now.snapshot::text, ((pg_snapshot_xmax(now.snapshot) < pg_snapshot_xmax(before.snapshot)) IS TRUE)::int::bigint,
  coalesce((SELECT json_agg(account)::text FROM watched_accounts
    WHERE moved >= pg_snapshot_xmin(before.snapshot) AND moved < pg_snapshot_xmax(now.snapshot)
      AND NOT pg_visible_in_snapshot(moved, before.snapshot)), '[]')
FROM (SELECT pg_current_snapshot() AS snapshot) AS now, (SELECT CAST(:mark AS pg_snapshot) AS snapshot) AS before;

-- name: watchAccounts (sqlite)
INSERT INTO watched_accounts (account, moved) SELECT value, 0 FROM json_each(:accounts) WHERE true ON CONFLICT (account) DO NOTHING;

-- name: watchAccounts (server)
-- Inserts in byte order, so that two instances never wait for each other's locks.
INSERT INTO watched_accounts (account, moved)
SELECT account, pg_current_xact_id() FROM json_array_elements_text(CAST(:accounts AS json)) AS account ORDER BY account
ON CONFLICT (account) DO NOTHING;

-- name: markMoved (sqlite)
-- The new mark is larger than all others, even if the clock was set back.
UPDATE watched_accounts
SET moved = max(:databaseNowMs, (SELECT coalesce(max(moved), 0) + 1 FROM watched_accounts))
WHERE account = :account;
