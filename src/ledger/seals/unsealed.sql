-- on: coordinator

-- name: listUnsealed
-- Accounts with their numbers of unsealed changes. Both tables have the condition, so Citus can join them.
SELECT accounts.account, accounts.head_sequence - coalesce(seals.sequence, 0)
FROM accounts LEFT JOIN seals ON seals.account = accounts.account AND seals.account > :after
WHERE accounts.account > :after ORDER BY accounts.account LIMIT :limit;
