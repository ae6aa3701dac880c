-- on: account

-- A step stores the seal of a range of changes. It does so only if the range still begins after the last
-- sealed change (another instance may have sealed the range), and if the last change of the range still
-- exists (the account may have been erased).

-- name: readSeal
SELECT sequence, nonce, seal, digests FROM seals WHERE account = :account LIMIT 1;

-- name: readBlocks
SELECT sequence, seal, digests FROM seal_blocks WHERE account = :account AND sequence > :after AND sequence <= :upTo ORDER BY sequence;

-- name: commitLater (postgres)
-- The commit need not wait for the disk: a lost step is sealed again. SET LOCAL would need a BEGIN.
SELECT set_config('synchronous_commit', 'off', true);

-- name: beginSeal
INSERT INTO seals (account, sequence, seal, digests)
SELECT account, 0, '0000000000000000000000000000000000000000000000000000000000000000', '' FROM accounts
WHERE account = :account AND coalesce(
  (SELECT t.pending_nonce FROM transactions AS t WHERE t.account = :account AND t.pending_sequence = :sequence),
  (SELECT t.final_nonce FROM transactions AS t WHERE t.account = :account AND t.final_sequence = :sequence),
  (SELECT archives.floor_nonce FROM archives WHERE archives.account = :account AND archives.floor_sequence = :sequence)) = :nonce
ON CONFLICT (account) DO NOTHING;

-- name: lockSeal (postgres)
-- Locks the seal, so that no other step of the account is stored until this database transaction ends.
SELECT sequence FROM seals WHERE account = :account FOR NO KEY UPDATE;

-- name: addBlocks (sqlite)
-- Adds the blocks that a step completes, from JSON.
INSERT INTO seal_blocks (account, sequence, seal, digests)
SELECT seals.account, json_each.value ->> 'sequence', json_each.value ->> 'seal', json_each.value ->> 'digests'
FROM seals CROSS JOIN json_each(:blocks)
WHERE seals.account = :account AND seals.sequence = :from AND coalesce(
  (SELECT t.pending_nonce FROM transactions AS t WHERE t.account = :account AND t.pending_sequence = :sequence),
  (SELECT t.final_nonce FROM transactions AS t WHERE t.account = :account AND t.final_sequence = :sequence),
  (SELECT archives.floor_nonce FROM archives WHERE archives.account = :account AND archives.floor_sequence = :sequence)) = :nonce;

-- name: addBlocks (postgres)
INSERT INTO seal_blocks (account, sequence, seal, digests)
SELECT seals.account, CAST(block.value ->> 'sequence' AS BIGINT), block.value ->> 'seal', block.value ->> 'digests'
FROM seals CROSS JOIN json_array_elements(CAST(:blocks AS json)) AS block (value)
WHERE seals.account = :account AND seals.sequence = :from AND coalesce(
  (SELECT t.pending_nonce FROM transactions AS t WHERE t.account = :account AND t.pending_sequence = :sequence),
  (SELECT t.final_nonce FROM transactions AS t WHERE t.account = :account AND t.final_sequence = :sequence),
  (SELECT archives.floor_nonce FROM archives WHERE archives.account = :account AND archives.floor_sequence = :sequence)) = :nonce;

-- name: storeSeal
UPDATE seals SET sequence = :sequence, nonce = :nonce, seal = :seal, digests = :digests
WHERE account = :account AND sequence = :from AND coalesce(
  (SELECT t.pending_nonce FROM transactions AS t WHERE t.account = :account AND t.pending_sequence = :sequence),
  (SELECT t.final_nonce FROM transactions AS t WHERE t.account = :account AND t.final_sequence = :sequence),
  (SELECT archives.floor_nonce FROM archives WHERE archives.account = :account AND archives.floor_sequence = :sequence)) = :nonce
RETURNING sequence;

-- on: coordinator

-- name: listUnsealed
-- Returns accounts, each with a count of unsealed changes. Citus can join only if both tables are filtered.
SELECT accounts.account, accounts.head_sequence - coalesce(seals.sequence, 0)
FROM accounts LEFT JOIN seals ON seals.account = accounts.account AND seals.account > :after
WHERE accounts.account > :after ORDER BY accounts.account LIMIT :limit;
