-- A cluster stores no watched accounts, because each of its workers numbers database transactions separately.
-- Callers there must assume that any account has new changes.
-- on: coordinator

-- name: listMoved (sqlite)
-- Returns three columns: a new mark; 1 if the database has an earlier state than the given mark; and a JSON
-- list of the accounts that were marked since the given mark. If the list is full, the next call returns the
-- others.
SELECT CAST(CASE WHEN last.moved < given.mark OR given.mark IS NULL THEN last.moved ELSE coalesce(page.moved, given.mark) END AS TEXT),
  coalesce(last.moved < given.mark, 0), page.accounts
FROM (SELECT CAST(:mark AS INTEGER) AS mark) AS given
CROSS JOIN (SELECT coalesce(max(moved), 0) AS moved FROM watched_accounts) AS last
CROSS JOIN (SELECT max(moved) AS moved, json_group_array(account) AS accounts
  FROM (SELECT account, moved FROM watched_accounts WHERE moved > CAST(:mark AS INTEGER) ORDER BY moved LIMIT 10000)) AS page;

-- name: listMoved (server)
-- A mark is a snapshot. A row has changed since if it is visible now, but its database transaction was not
-- visible in that snapshot. This is true in whatever order database transactions end. Numbers beyond the
-- current snapshot are from another database, whose dump was restored, and are ignored.
SELECT now.snapshot::text, ((pg_snapshot_xmax(now.snapshot) < pg_snapshot_xmax(before.snapshot)) IS TRUE)::int::bigint,
  coalesce((SELECT json_agg(account)::text FROM watched_accounts
    WHERE moved >= pg_snapshot_xmin(before.snapshot) AND moved < pg_snapshot_xmax(now.snapshot)
      AND NOT pg_visible_in_snapshot(moved, before.snapshot)), '[]')
FROM (SELECT pg_current_snapshot() AS snapshot) AS now, (SELECT CAST(:mark AS pg_snapshot) AS snapshot) AS before;

-- name: watchAccounts (sqlite)
-- Watches the accounts of a JSON list that are not yet watched.
INSERT INTO watched_accounts (account, moved) SELECT value, 0 FROM json_each(:accounts) WHERE true ON CONFLICT (account) DO NOTHING;

-- name: watchAccounts (server)
-- In byte order, so that no two instances wait for each other's locks.
INSERT INTO watched_accounts (account, moved)
SELECT account, pg_current_xact_id() FROM json_array_elements_text(CAST(:accounts AS json)) AS account ORDER BY account
ON CONFLICT (account) DO NOTHING;

-- name: markMoved (sqlite)
-- Marks a watched account with a number that is larger than all others, even if the clock was set back or has
-- not advanced since the last mark.
UPDATE watched_accounts
SET moved = max(:databaseNowMs, (SELECT coalesce(max(moved), 0) + 1 FROM watched_accounts))
WHERE account = :account;
