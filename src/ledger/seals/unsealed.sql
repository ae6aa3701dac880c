-- on: coordinator

-- name: listUnsealed
-- The accounts after a given one, each with its number of unsealed changes. The condition is on both tables,
-- so that Citus can merge them on its workers.
SELECT accounts.account, accounts.head_sequence - coalesce(seals.sequence, 0)
FROM accounts LEFT JOIN seals ON seals.account = accounts.account AND seals.account > :after
WHERE accounts.account > :after ORDER BY accounts.account LIMIT :limit;
