-- The accounts that moved, on SQLite. The mark of a call is the largest number of a row.
-- on: account

-- name: readLastMoved (sqlite)
-- The number of the last move.
SELECT coalesce(max(moved), 0) FROM watched_accounts;

-- name: listMoved (sqlite)
-- The accounts that moved after a number.
SELECT account, moved FROM watched_accounts WHERE moved > :mark ORDER BY moved LIMIT 10000;

-- name: watch (sqlite)
-- Watches an account.
INSERT INTO watched_accounts (account, moved) VALUES (:account, 0) ON CONFLICT (account) DO NOTHING;

-- name: markMoved (sqlite)
-- Marks an account that is watched, with a number larger than all before, also if the clock was set back or is not finer.
UPDATE watched_accounts
SET moved = max(:databaseNowMs, (SELECT coalesce(max(moved), 0) + 1 FROM watched_accounts))
WHERE account = :account;
