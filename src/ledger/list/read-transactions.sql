-- on: account

-- The columns have the order in which readTransactionRow in transaction.ts reads them.

-- name: retrieveTransaction
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to,
  details, final_details, details_removed_at_ms
FROM transactions WHERE account = :account AND reference = :reference LIMIT 1;

-- name: listRelated (sqlite)
-- Lists the next transactions that are related to a transaction. Reads one range of an index backward.
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to,
  details, final_details, details_removed_at_ms
FROM transactions INDEXED BY transactions_by_related_to_time
WHERE account = :account AND related_to = :relatedTo AND (created_at_ms, reference) < (:afterMs, :afterReference)
ORDER BY created_at_ms DESC, reference DESC LIMIT :limit + 0;

-- name: listRelated (postgres)
-- Like listRelated for SQLite. The comparison of rows leaves the planner only the right index
-- (decisions/postgresql.md).
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to,
  details, final_details, details_removed_at_ms
FROM transactions
WHERE account = :account AND related_to IS NOT NULL AND related_to >= :relatedTo
  AND (related_to, created_at_ms, reference) < (:relatedTo, :afterMs, :afterReference)
ORDER BY related_to DESC, created_at_ms DESC, reference DESC LIMIT :limit;

-- name: readNextStatus (sqlite)
-- Returns the account's next status after a given status, from one entry of an index.
SELECT status FROM transactions INDEXED BY transactions_by_status
WHERE account = :account AND status > :status
ORDER BY status
LIMIT 1;
