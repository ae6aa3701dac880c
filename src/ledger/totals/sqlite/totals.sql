-- Amounts are in two parts, so that no sum exceeds 64 bits: see add-to-totals.sql.
-- on: account

-- name: readLastNumber (sqlite)
-- Returns the account's latest sequence number, the nonce of its last change, and its archive.
SELECT head_sequence, coalesce(
  (
    SELECT pending_nonce FROM transactions INDEXED BY transactions_by_pending_sequence
    WHERE account = :account AND pending_sequence = head_sequence
  ),
  (
    SELECT final_nonce FROM transactions INDEXED BY transactions_by_final_sequence
    WHERE account = :account AND final_sequence = head_sequence
  ),
  iif(archives.floor_sequence = head_sequence, archives.floor_nonce, NULL)
), archives.before_ms, archives.removed_changes
FROM (SELECT coalesce((SELECT head_sequence FROM accounts WHERE account = :account), 0) AS head_sequence)
LEFT JOIN archives ON archives.account = :account;

-- name: listTotals (sqlite)
-- Returns the stored totals of an account in a range of days. A null currency or status means all.
SELECT 1, day, currency_code, status, count, amount_high, amount_low
FROM daily_totals
WHERE account = :account AND day BETWEEN :fromDay AND :toDay
  AND (:currency IS NULL OR currency_code = :currency) AND (:status IS NULL OR status = :status)
LIMIT :limit + 0;

-- name: addUpTotals (sqlite)
-- Like listTotals, but added up. The first column is the number of stored totals.
SELECT count(*), NULL, currency_code, status, sum(count), sum(amount_high), sum(amount_low)
FROM (
  SELECT currency_code, status, count, amount_high, amount_low
  FROM daily_totals
  WHERE account = :account AND day BETWEEN :fromDay AND :toDay
    AND (:currency IS NULL OR currency_code = :currency) AND (:status IS NULL OR status = :status)
  LIMIT :limit + 0
)
GROUP BY currency_code, status;

-- name: findEnd (sqlite)
-- Returns the position of the 200th transaction. NOT INDEXED makes SQLite use the primary key.
SELECT created_at_ms, reference
FROM transactions NOT INDEXED
WHERE account = :account AND (created_at_ms, reference) > (:createdAtMs, :reference) AND created_at_ms < :beforeMs
ORDER BY created_at_ms, reference LIMIT 1 OFFSET 199;

-- name: findEnd_merchantReference (sqlite)
-- Like findEnd, for the transactions of one merchantReference.
SELECT created_at_ms, reference
FROM transactions INDEXED BY transactions_by_merchant_reference_time
WHERE account = :account AND merchant_reference = :merchantReference
  AND (created_at_ms, reference) > (:createdAtMs, :reference) AND created_at_ms < :beforeMs
ORDER BY created_at_ms, reference LIMIT 1 OFFSET 199;

-- name: sumListed (sqlite)
-- Sums the transactions between two positions, with the statuses that they had at change :asOf. A range of
-- paidAt leaves out pending ones. A null status or currency means all. A null :partMs means one part.
SELECT
  currency_code, status_then, part_start_ms, count(*), sum(amount_minor / 1000000000), sum(amount_minor % 1000000000),
  min(created_at_ms), max(created_at_ms)
FROM (
  SELECT
    currency_code, amount_minor, created_at_ms, paid_at_ms - (paid_at_ms + 62135596800000) % :partMs AS part_start_ms,
    CASE WHEN final_sequence <= :asOf THEN status WHEN pending_sequence <= :asOf THEN 'pending' END AS status_then
  FROM transactions NOT INDEXED
  WHERE account = :account AND (created_at_ms, reference) > (:createdAtMs, :reference)
    AND (created_at_ms, reference) <= (:endMs, :endReference)
    AND (pending_sequence <= :asOf OR final_sequence <= :asOf)
    AND (:currency IS NULL OR currency_code = :currency)
    AND (:paidFromMs IS NULL OR (paid_at_ms >= :paidFromMs AND paid_at_ms < :paidBeforeMs AND final_sequence <= :asOf))
)
WHERE :status IS NULL OR status_then = :status
GROUP BY currency_code, status_then, part_start_ms;

-- name: sumListed_merchantReference (sqlite)
-- Like sumListed, for the transactions of one merchantReference.
SELECT
  currency_code, status_then, part_start_ms, count(*), sum(amount_minor / 1000000000), sum(amount_minor % 1000000000),
  min(created_at_ms), max(created_at_ms)
FROM (
  SELECT
    currency_code, amount_minor, created_at_ms, paid_at_ms - (paid_at_ms + 62135596800000) % :partMs AS part_start_ms,
    CASE WHEN final_sequence <= :asOf THEN status WHEN pending_sequence <= :asOf THEN 'pending' END AS status_then
  FROM transactions INDEXED BY transactions_by_merchant_reference_time
  WHERE account = :account AND merchant_reference = :merchantReference AND (created_at_ms, reference) > (:createdAtMs, :reference)
    AND (created_at_ms, reference) <= (:endMs, :endReference)
    AND (pending_sequence <= :asOf OR final_sequence <= :asOf)
    AND (:currency IS NULL OR currency_code = :currency)
    AND (:paidFromMs IS NULL OR (paid_at_ms >= :paidFromMs AND paid_at_ms < :paidBeforeMs AND final_sequence <= :asOf))
)
WHERE :status IS NULL OR status_then = :status
GROUP BY currency_code, status_then, part_start_ms;
