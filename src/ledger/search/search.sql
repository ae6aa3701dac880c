-- Reads up to :compared transactions, newest first, and returns those that match. The last row is the oldest
-- transaction that was read, with the number of transactions read. `:conditions` is replaced in
-- search-store.ts.
-- on: account

-- name: search (sqlite)
-- The last row is missing if there are fewer than :compared transactions.
SELECT scanned.*, NULL
FROM (
  SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to,
    details, final_details, details_removed_at_ms
  FROM transactions NOT INDEXED
  WHERE account = :account AND created_at_ms >= :fromMs AND (created_at_ms, reference) < (:afterMs, :afterReference)
  ORDER BY created_at_ms DESC, reference DESC LIMIT :compared + 0
) AS scanned
WHERE :conditions
  AND (:text IS NULL OR has_text(:text, reference, merchant_reference, coalesce(final_details, details)))
UNION ALL
SELECT reference, NULL, '', 0, '', NULL, created_at_ms, NULL, NULL, NULL, NULL, :compared + 0
FROM (
  SELECT created_at_ms, reference FROM transactions NOT INDEXED
  WHERE account = :account AND created_at_ms >= :fromMs AND (created_at_ms, reference) < (:afterMs, :afterReference)
  ORDER BY created_at_ms DESC, reference DESC LIMIT 1 OFFSET :compared - 1
);

-- name: search (postgres)
-- ASCII texts are not normalised, because they are the same in every form of Unicode.
WITH scanned AS MATERIALIZED (
  SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to,
    details, final_details, details_removed_at_ms
  FROM transactions
  WHERE account = :account AND created_at_ms >= :fromMs AND (created_at_ms, reference) < (:afterMs, :afterReference)
  ORDER BY created_at_ms DESC, reference DESC LIMIT :compared
)
SELECT scanned.*, NULL::bigint AS read
FROM scanned
WHERE :conditions
  AND (CAST(:pattern AS TEXT) IS NULL
    OR CASE WHEN octet_length(reference) > length(reference) THEN normalize(reference) ELSE reference END ~ :pattern
    OR CASE WHEN octet_length(merchant_reference) > length(merchant_reference) THEN normalize(merchant_reference)
      ELSE merchant_reference END ~ :pattern
    OR coalesce(final_details, details) IS NOT NULL AND EXISTS (
      SELECT 1 FROM json_each_text(coalesce(final_details, details)::json)
      WHERE CASE WHEN octet_length(value) > length(value) THEN normalize(value) ELSE value END ~ :pattern))
UNION ALL
(
  SELECT scanned.*, (SELECT count(*) FROM scanned) AS read FROM scanned ORDER BY created_at_ms, reference LIMIT 1
);

-- name: searchMerchantReference (sqlite)
-- Like search, for the transactions with one merchantReference.
SELECT scanned.*, NULL
FROM (
  SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to,
    details, final_details, details_removed_at_ms
  FROM transactions INDEXED BY transactions_by_merchant_reference_time
  WHERE account = :account AND merchant_reference = :merchantReference AND created_at_ms >= :fromMs
    AND (created_at_ms, reference) < (:afterMs, :afterReference)
  ORDER BY created_at_ms DESC, reference DESC LIMIT :compared + 0
) AS scanned
WHERE :conditions
  AND (:text IS NULL OR has_text(:text, reference, merchant_reference, coalesce(final_details, details)))
UNION ALL
SELECT reference, :merchantReference, '', 0, '', NULL, created_at_ms, NULL, NULL, NULL, NULL, :compared + 0
FROM (
  SELECT created_at_ms, reference FROM transactions INDEXED BY transactions_by_merchant_reference_time
  WHERE account = :account AND merchant_reference = :merchantReference AND created_at_ms >= :fromMs
    AND (created_at_ms, reference) < (:afterMs, :afterReference)
  ORDER BY created_at_ms DESC, reference DESC LIMIT 1 OFFSET :compared - 1
);

-- name: searchMerchantReference (postgres)
-- A comparison of rows leaves only one index to use. The scan can run on into smaller merchantReferences.
WITH scanned AS MATERIALIZED (
  SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to,
    details, final_details, details_removed_at_ms
  FROM transactions
  WHERE account = :account AND merchant_reference IS NOT NULL AND merchant_reference >= :merchantReference
    AND (merchant_reference, created_at_ms, reference) < (:merchantReference, :afterMs, :afterReference)
  ORDER BY merchant_reference DESC, created_at_ms DESC, reference DESC LIMIT :compared
)
SELECT scanned.*, NULL::bigint AS read
FROM scanned
WHERE merchant_reference = :merchantReference
  AND :conditions
  AND created_at_ms >= :fromMs
  AND (CAST(:pattern AS TEXT) IS NULL
    OR CASE WHEN octet_length(reference) > length(reference) THEN normalize(reference) ELSE reference END ~ :pattern
    OR CASE WHEN octet_length(merchant_reference) > length(merchant_reference) THEN normalize(merchant_reference)
      ELSE merchant_reference END ~ :pattern
    OR coalesce(final_details, details) IS NOT NULL AND EXISTS (
      SELECT 1 FROM json_each_text(coalesce(final_details, details)::json)
      WHERE CASE WHEN octet_length(value) > length(value) THEN normalize(value) ELSE value END ~ :pattern))
UNION ALL
(
  SELECT scanned.*, (SELECT count(*) FROM scanned) AS read FROM scanned ORDER BY created_at_ms, reference LIMIT 1
);
