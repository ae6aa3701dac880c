-- Not used on a cluster, where transactions have no common order. There, any account may have new changes.
-- on: coordinator

-- name: listMoved (sqlite)
-- Returns a new mark, and up to 10000 accounts that were marked after the given mark. The second column is 1
-- if the database is older than the given mark.
SELECT CAST(CASE WHEN last.moved < given.mark OR given.mark IS NULL THEN last.moved ELSE coalesce(page.moved, given.mark) END AS TEXT),
  coalesce(last.moved < given.mark, 0), page.accounts
FROM (SELECT CAST(:mark AS INTEGER) AS mark) AS given
CROSS JOIN (SELECT coalesce(max(moved), 0) AS moved FROM watched_accounts) AS last
CROSS JOIN (SELECT max(moved) AS moved, json_group_array(account) AS accounts
  FROM (SELECT account, moved FROM watched_accounts WHERE moved > CAST(:mark AS INTEGER) ORDER BY moved LIMIT 10000)) AS page;

-- name: listMoved (server)
-- Returns a new snapshot, and the accounts that were marked after the given snapshot. The second column is 1
-- if the given snapshot is later than the new one, and therefore from another database.
SELECT now.snapshot::text, ((pg_snapshot_xmax(now.snapshot) < pg_snapshot_xmax(before.snapshot)) IS TRUE)::int::bigint,
  coalesce((SELECT json_agg(account)::text FROM watched_accounts
    WHERE moved >= pg_snapshot_xmin(before.snapshot) AND moved < pg_snapshot_xmax(now.snapshot)
      AND NOT pg_visible_in_snapshot(moved, before.snapshot)), '[]')
FROM (SELECT pg_current_snapshot() AS snapshot) AS now, (SELECT CAST(:mark AS pg_snapshot) AS snapshot) AS before;

-- name: watchAccounts (sqlite)
-- Watches the accounts of a JSON list that are not yet watched.
INSERT INTO watched_accounts (account, moved) SELECT value, 0 FROM json_each(:accounts) WHERE true ON CONFLICT (account) DO NOTHING;

-- name: watchAccounts (server)
-- Watches the accounts of a JSON list, in byte order, so that instances never wait for each other's locks.
INSERT INTO watched_accounts (account, moved)
SELECT account, pg_current_xact_id() FROM json_array_elements_text(CAST(:accounts AS json)) AS account ORDER BY account
ON CONFLICT (account) DO NOTHING;

-- name: markMoved (sqlite)
-- Gives a watched account the largest mark, even if the clock was set back or has not advanced.
UPDATE watched_accounts
SET moved = max(:databaseNowMs, (SELECT coalesce(max(moved), 0) + 1 FROM watched_accounts))
WHERE account = :account;
