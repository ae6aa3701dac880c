-- on: coordinator

-- name: listUnsealed
-- Accounts after a given account, with their numbers of unsealed changes. The condition is on both tables, so
-- that Citus can join them on its workers.
SELECT accounts.account, accounts.head_sequence - coalesce(seals.sequence, 0)
FROM accounts LEFT JOIN seals ON seals.account = accounts.account AND seals.account > :after
WHERE accounts.account > :after ORDER BY accounts.account LIMIT :limit;
