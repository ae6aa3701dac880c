-- on: account

-- name: listChanges (sqlite)
-- Merges two indexes, of pending and of final sequence numbers. Without "+ 0", SQLite would plan the
-- statement again at each call.
SELECT
  pending_sequence AS sequence, pending_nonce, pending_recorded_at_ms, NULL, 1,
  reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details,
  details_removed_at_ms
FROM transactions INDEXED BY transactions_by_pending_sequence
WHERE account = :account AND pending_sequence >= :after
UNION ALL
SELECT
  final_sequence, final_nonce, final_recorded_at_ms, iif(pending_sequence IS NULL, NULL, 'pending'), 0,
  reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details,
  details_removed_at_ms
FROM transactions INDEXED BY transactions_by_final_sequence
WHERE account = :account AND final_sequence >= :after
ORDER BY sequence
LIMIT :limit + 0;

-- name: readFloor (sqlite)
-- Returns the floor of an account: changes up to this number are archived.
SELECT floor_sequence, floor_nonce FROM archives WHERE account = :account;

-- name: readErased (sqlite)
-- Returns how long ago an account was erased, or 0 while it is being erased.
SELECT iif(closed_at_sequence IS NULL, :databaseNowMs - erased_at_ms, 0) FROM accounts WHERE account = :account;
