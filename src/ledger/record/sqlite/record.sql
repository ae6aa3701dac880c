-- The caller's database transaction holds the write lock. The head of an account is its latest sequence
-- number, which is in `accounts`.
-- on: account

-- name: insert (sqlite)
-- Inserts a transaction, unless it is recorded. Numbers are unique, so a wrong head causes an error.
INSERT INTO transactions (
  account, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details,
  final_details, details_removed_at_ms,
  pending_sequence, pending_recorded_at_ms, pending_nonce, final_sequence, final_recorded_at_ms, final_nonce
)
VALUES (
  :account, :reference, :merchantReference, :status, :amountMinor, :currencyCode, :paidAtMs, :createdAtMs, :relatedTo, :details,
  :finalDetails, :detailsRemovedAtMs,
  :pendingSequence, :pendingRecordedAtMs, :pendingNonce, :finalSequence, :finalRecordedAtMs, :finalNonce
)
ON CONFLICT (account, created_at_ms, reference) DO NOTHING
ON CONFLICT (account, reference) DO NOTHING;

-- name: advance (sqlite)
UPDATE transactions
SET status = :status, paid_at_ms = :paidAtMs, final_details = :finalDetails,
  final_sequence = :sequence, final_recorded_at_ms = :recordedAtMs, final_nonce = :nonce
WHERE account = :account AND reference = :reference;

-- name: readHead (sqlite)
SELECT head_sequence, closed_at_sequence, (SELECT before_ms FROM archives WHERE archives.account = accounts.account)
FROM accounts WHERE account = :account;

-- name: readLargestNumber (sqlite)
-- Returns the largest sequence number of an account, or 0, to replace a head that was lost in a restore.
SELECT max(
  coalesce((SELECT max(pending_sequence) FROM transactions WHERE account = :account AND pending_sequence IS NOT NULL), 0),
  coalesce((SELECT max(final_sequence) FROM transactions WHERE account = :account AND final_sequence IS NOT NULL), 0)
);

-- name: storeHead (sqlite)
INSERT INTO accounts (account, head_sequence) VALUES (:account, :sequence)
ON CONFLICT (account) DO UPDATE SET head_sequence = excluded.head_sequence;

-- name: findKey (sqlite)
SELECT fingerprint, reference FROM idempotency_keys WHERE account = :account AND key = :key;

-- name: useKey (sqlite)
INSERT INTO idempotency_keys (account, key, fingerprint, reference) VALUES (:account, :key, :fingerprint, :reference)
ON CONFLICT DO NOTHING;

-- name: noteStatus (sqlite)
INSERT INTO recorded_statuses (status) VALUES (:status) ON CONFLICT DO NOTHING;
