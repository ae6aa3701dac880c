-- on: account

-- name: readArchive
SELECT before_ms, floor_sequence, floor_nonce, floor_seal, rest, removed_changes FROM archives WHERE account = :account LIMIT 1;
