-- on: account

-- name: readNonce
-- Returns the nonce of a change, or -1 if the change was archived and its nonce is unknown.
SELECT coalesce(
  (SELECT t.pending_nonce FROM transactions AS t WHERE t.account = :account AND t.pending_sequence = :sequence),
  (SELECT t.final_nonce FROM transactions AS t WHERE t.account = :account AND t.final_sequence = :sequence),
  (
    SELECT CASE WHEN floor_sequence = :sequence THEN floor_nonce ELSE -1 END
    FROM archives WHERE archives.account = :account AND floor_sequence >= :sequence
  )
) AS nonce;

-- name: listTransactionChanges
-- Returns a transaction with the sequence numbers of its changes.
SELECT
  reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details,
  details_removed_at_ms, pending_sequence, pending_recorded_at_ms, pending_nonce, final_sequence, final_recorded_at_ms, final_nonce
FROM transactions
WHERE account = :account AND reference = :reference
LIMIT 1;
