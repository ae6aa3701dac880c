-- on: coordinator

-- name: listUnsealed
-- Returns accounts with their numbers of unsealed changes. Citus can join only if both tables are filtered.
SELECT accounts.account, accounts.head_sequence - coalesce(seals.sequence, 0)
FROM accounts LEFT JOIN seals ON seals.account = accounts.account AND seals.account > :after
WHERE accounts.account > :after ORDER BY accounts.account LIMIT :limit;
