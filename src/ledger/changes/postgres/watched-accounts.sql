-- The accounts that moved, on one server of PostgreSQL. The mark of a call is a snapshot.
-- on: coordinator

-- name: readHeads (postgres)
-- The heads of the accounts that have one.
SELECT account, head_sequence FROM accounts WHERE account = ANY(:accounts::text[]) AND head_sequence > 0;

-- name: listMoved (postgres)
-- A row is new if it is visible, and its transaction was not in the snapshot before, in whatever order transactions end. Rows of a restored
-- dump can have numbers that this database has not reached.
SELECT
  now.snapshot::text,
  ((pg_snapshot_xmax(now.snapshot) < pg_snapshot_xmax(before.snapshot)) IS TRUE)::int::bigint,
  coalesce((
    SELECT json_agg(account)::text FROM watched_accounts
    WHERE moved >= pg_snapshot_xmin(before.snapshot) AND moved < pg_snapshot_xmax(now.snapshot)
      AND NOT pg_visible_in_snapshot(moved, before.snapshot)
  ), '[]')
FROM (SELECT pg_current_snapshot() AS snapshot) AS now, (SELECT :mark::pg_snapshot AS snapshot) AS before;

-- name: watch (postgres)
-- Watches accounts, in one order, so that two instances never wait for each other.
INSERT INTO watched_accounts (account, moved)
SELECT account, pg_current_xact_id() FROM unnest(:accounts::text[]) AS account ORDER BY account
ON CONFLICT (account) DO NOTHING;
