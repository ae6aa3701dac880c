-- on: coordinator

-- name: listUnsealed
-- Accounts after one with how many of their changes are not sealed. Both tables are read from there: the
-- workers of Citus can merge them.
SELECT accounts.account, accounts.head_sequence - coalesce(seals.sequence, 0)
FROM accounts LEFT JOIN seals ON seals.account = accounts.account AND seals.account > :after
WHERE accounts.account > :after ORDER BY accounts.account LIMIT :limit;
