-- Inserts copied transactions with the sequence numbers that they have in the source.
-- on: account

-- name: insertTransactions (postgres)
INSERT INTO transactions (
  account, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details,
  final_details, details_removed_at_ms,
  pending_sequence, pending_recorded_at_ms, pending_nonce, final_sequence, final_recorded_at_ms, final_nonce
)
SELECT * FROM unnest(
  :account::text[], :reference::text[], :merchantReference::text[], :status::text[], :amountMinor::bigint[], :currencyCode::text[],
  :paidAtMs::bigint[], :createdAtMs::bigint[], :relatedTo::text[], :details::text[], :finalDetails::text[], :detailsRemovedAtMs::bigint[],
  :pendingSequence::bigint[], :pendingRecordedAtMs::bigint[], :pendingNonce::bigint[],
  :finalSequence::bigint[], :finalRecordedAtMs::bigint[], :finalNonce::bigint[]
)
RETURNING 1;

-- name: completeTransactions (postgres)
-- Makes pending transactions final if their other fields are equal. Details may differ after a removal.
UPDATE transactions AS t
SET status = given.status, paid_at_ms = given.paid_at_ms, details = given.details, final_details = given.final_details,
  details_removed_at_ms = given.details_removed_at_ms, final_sequence = given.final_sequence,
  final_recorded_at_ms = given.final_recorded_at_ms, final_nonce = given.final_nonce
FROM unnest(
  :account::text[], :reference::text[], :merchantReference::text[], :status::text[], :amountMinor::bigint[], :currencyCode::text[],
  :paidAtMs::bigint[], :createdAtMs::bigint[], :relatedTo::text[], :details::text[], :finalDetails::text[], :detailsRemovedAtMs::bigint[],
  :pendingSequence::bigint[], :pendingRecordedAtMs::bigint[], :pendingNonce::bigint[],
  :finalSequence::bigint[], :finalRecordedAtMs::bigint[], :finalNonce::bigint[]
) AS given (
  account, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details,
  final_details, details_removed_at_ms,
  pending_sequence, pending_recorded_at_ms, pending_nonce, final_sequence, final_recorded_at_ms, final_nonce
)
WHERE t.account = given.account AND t.reference = given.reference
  AND (
    t.status, t.final_sequence, t.merchant_reference, t.amount_minor, t.currency_code, t.created_at_ms, t.related_to,
    t.pending_sequence, t.pending_recorded_at_ms, t.pending_nonce
  ) IS NOT DISTINCT FROM (
    'pending', NULL::bigint, given.merchant_reference, given.amount_minor, given.currency_code, given.created_at_ms, given.related_to,
    given.pending_sequence, given.pending_recorded_at_ms, given.pending_nonce
  )
RETURNING 1;

-- name: completeTransaction (sqlite)
-- Makes a pending transaction final if its other fields are equal. Details may differ after a removal.
UPDATE transactions
SET status = :status, paid_at_ms = :paidAtMs, details = :details, final_details = :finalDetails,
  details_removed_at_ms = :detailsRemovedAtMs, final_sequence = :finalSequence, final_recorded_at_ms = :finalRecordedAtMs,
  final_nonce = :finalNonce
WHERE account = :account AND reference = :reference AND status = 'pending'
  AND merchant_reference IS :merchantReference AND amount_minor IS :amountMinor AND currency_code IS :currencyCode
  AND created_at_ms IS :createdAtMs AND related_to IS :relatedTo AND pending_sequence IS :pendingSequence
  AND pending_recorded_at_ms IS :pendingRecordedAtMs AND pending_nonce IS :pendingNonce;
