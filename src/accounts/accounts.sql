-- on: coordinator

-- name: listHeads
SELECT account, head_sequence, coalesce(
  (SELECT t.pending_nonce FROM transactions AS t WHERE t.account = accounts.account AND t.pending_sequence = accounts.head_sequence),
  (SELECT t.final_nonce FROM transactions AS t WHERE t.account = accounts.account AND t.final_sequence = accounts.head_sequence),
  (SELECT CASE WHEN archives.floor_sequence = accounts.head_sequence THEN archives.floor_nonce ELSE -1 END FROM archives
    WHERE archives.account = accounts.account AND archives.floor_sequence >= accounts.head_sequence))
FROM accounts WHERE account > :after AND account >= :from AND account < :before AND head_sequence > 0
ORDER BY account LIMIT :limit;

-- name: listAccountsWithKeys
-- Each account costs one index search.
WITH RECURSIVE found(account) AS (
  SELECT min(account) FROM api_keys WHERE kind = 'key' AND account > :after AND account >= :from AND account < :before
  UNION ALL
  SELECT (SELECT min(k.account) FROM api_keys AS k WHERE k.kind = 'key' AND k.account > found.account AND k.account < :before)
  FROM found WHERE found.account IS NOT NULL
)
SELECT account FROM found WHERE account IS NOT NULL LIMIT :limit;
