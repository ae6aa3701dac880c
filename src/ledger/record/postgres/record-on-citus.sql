-- Recordings on Citus. Every statement contains the account, from which Citus finds the shard.
-- A recording's statements are sent as one text. Otherwise, Citus would not run them as one transaction.
-- on: account

-- name: makeHead (cluster)
INSERT INTO accounts (account, head_sequence) VALUES (:account, 0) ON CONFLICT (account) DO NOTHING;

-- name: findHead (cluster)
-- Sets the latest sequence number of an account whose row was lost, for example in a restore.
UPDATE accounts SET head_sequence = greatest(became_pending.sequence, became_final.sequence)
FROM
  (SELECT max(pending_sequence) AS sequence FROM transactions WHERE account = :account AND pending_sequence IS NOT NULL) AS became_pending,
  (SELECT max(final_sequence) AS sequence FROM transactions WHERE account = :account AND final_sequence IS NOT NULL) AS became_final
WHERE accounts.account = :account AND head_sequence = 0 AND greatest(became_pending.sequence, became_final.sequence) > 0;

-- name: lockHead (cluster)
-- Locks the head. Later statements read it again: unlike this one, they see all commits before the lock.
SELECT head_sequence FROM accounts WHERE account = :account FOR NO KEY UPDATE;

-- name: insert (cluster)
-- Inserts a transaction with the next sequence number, unless it is already recorded or from an archived day.
INSERT INTO transactions (
  account, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details,
  details_removed_at_ms, pending_sequence, pending_recorded_at_ms, pending_nonce, final_sequence, final_recorded_at_ms, final_nonce
)
SELECT
  accounts.account, :reference::text, :merchantReference::text, :status::text, :amountMinor::bigint, :currencyCode::text,
  :paidAtMs::bigint, :createdAtMs::bigint, :relatedTo::text, :details::text, :detailsRemovedAtMs::bigint,
  CASE WHEN :status::text = 'pending' THEN accounts.head_sequence + 1 END,
  CASE WHEN :status::text = 'pending' THEN :recordedAtMs::bigint END,
  CASE WHEN :status::text = 'pending' THEN :nonce::bigint END,
  CASE WHEN :status::text <> 'pending' THEN accounts.head_sequence + 1 END,
  CASE WHEN :status::text <> 'pending' THEN :recordedAtMs::bigint END,
  CASE WHEN :status::text <> 'pending' THEN :nonce::bigint END
FROM accounts
WHERE accounts.account = :account AND NOT EXISTS (
  SELECT 1 FROM archives
  WHERE account = :account AND before_ms > :createdAtMs
    AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.account = archives.account AND closed_at_sequence IS NOT NULL)
)
ON CONFLICT (account, reference) DO NOTHING
RETURNING coalesce(pending_sequence, final_sequence);

-- name: advance (cluster)
-- Makes a pending transaction final if its immutable fields are equal.
UPDATE transactions AS t
SET status = :status, paid_at_ms = :paidAtMs,
  final_details = CASE WHEN t.details_removed_at_ms IS NULL THEN nullif(:details::text, t.details) END,
  final_sequence = accounts.head_sequence + 1, final_recorded_at_ms = :recordedAtMs::bigint, final_nonce = :nonce::bigint
FROM accounts
WHERE accounts.account = :account AND t.account = :account AND t.reference = :reference AND :status <> 'pending'
  AND (t.status, t.merchant_reference, t.amount_minor, t.currency_code, t.created_at_ms, t.related_to) IS NOT DISTINCT FROM
    ('pending', :merchantReference::text, :amountMinor::bigint, :currencyCode::text, :createdAtMs::bigint, :relatedTo::text)
  AND (t.details_removed_at_ms IS NOT NULL OR t.details IS NULL OR (:details::text::jsonb @> t.details::jsonb) IS TRUE)
RETURNING t.final_sequence;

-- name: addToTotals (cluster)
-- Counts the transaction if it was recorded. If it was pending before, subtracts it from the pending totals.
INSERT INTO daily_totals AS t (account, day, currency_code, status, count, amount)
SELECT
  t.account, (created_at_ms + 62135596800000) / 86400000 - 719162, t.currency_code,
  CASE WHEN change.count > 0 THEN t.status ELSE 'pending' END, change.count, change.count * t.amount_minor
FROM transactions AS t
JOIN accounts ON accounts.account = t.account
CROSS JOIN unnest('{1,-1}'::bigint[]) AS change (count)
WHERE t.account = :account AND accounts.account = :account AND t.reference = :reference
  AND greatest(t.pending_sequence, t.final_sequence) = accounts.head_sequence + 1
  AND (change.count > 0 OR (t.pending_sequence IS NOT NULL AND t.final_sequence IS NOT NULL))
ON CONFLICT (account, day, currency_code, status)
DO UPDATE SET count = t.count + EXCLUDED.count, amount = t.amount + EXCLUDED.amount
RETURNING CASE WHEN t.count < 0 THEN
  ('the stored totals of the account ' || t.account || ' are damaged, and nothing was recorded: run "transactions verify", which names them, and repair them as docs/backup.md says')::bigint
END;

-- name: moveHead (cluster)
-- Advances the head if the transaction has the next number, which means that it was recorded.
UPDATE accounts SET head_sequence = head_sequence + 1
WHERE account = :account AND EXISTS (
  SELECT 1 FROM transactions AS t
  WHERE t.account = :account AND t.reference = :reference
    AND greatest(t.pending_sequence, t.final_sequence) = accounts.head_sequence + 1
);

-- name: readRecorded (cluster)
SELECT
  reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details,
  details_removed_at_ms
FROM transactions WHERE account = :account AND reference = :reference;

-- name: useKey (cluster)
-- Uses an idempotency key for a new transaction. Returns no row if the key was used before.
INSERT INTO idempotency_keys (account, key, fingerprint, reference) VALUES (:account, :key, :fingerprint, :reference)
ON CONFLICT (account, key) DO NOTHING
RETURNING reference;
