-- on: coordinator

-- name: listUnsealed
-- Accounts with their numbers of unsealed changes. Citus can join them, as both tables have the condition.
SELECT accounts.account, accounts.head_sequence - coalesce(seals.sequence, 0)
FROM accounts LEFT JOIN seals ON seals.account = accounts.account AND seals.account > :after
WHERE accounts.account > :after ORDER BY accounts.account LIMIT :limit;
