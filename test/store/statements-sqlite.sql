-- Every statement of the store on SQLite as it is sent, under the call of the store that sends it first (src/store/store.ts),
-- with the steps of its plan. Lists with filters and a range at once are composed in the same way.
-- Written by "npm run statements".

-- listTransactions
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, (SELECT before_ms FROM archives WHERE account = ?1)
FROM transactions NOT INDEXED
WHERE account = ?1
ORDER BY created_at_ms DESC, reference DESC
LIMIT 11;
-- SEARCH transactions USING PRIMARY KEY (account=?)
-- SEARCH archives USING PRIMARY KEY (account=?)

BEGIN;

SELECT status FROM transactions INDEXED BY transactions_by_status
WHERE account = ? AND status > ? ORDER BY status LIMIT 1;
-- SEARCH transactions USING COVERING INDEX transactions_by_status (account=? AND status>?)

COMMIT;

SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, (SELECT before_ms FROM archives WHERE account = ?1)
FROM transactions INDEXED BY transactions_by_status
WHERE account = ?1 AND status = ?2
ORDER BY created_at_ms DESC, reference DESC
LIMIT 11;
-- SEARCH transactions USING INDEX transactions_by_status (account=? AND status=?)
-- SEARCH archives USING PRIMARY KEY (account=?)

SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, (SELECT before_ms FROM archives WHERE account = ?1)
FROM transactions INDEXED BY transactions_by_status_currency
WHERE account = ?1 AND status = ?2 AND currency_code = ?3
ORDER BY created_at_ms DESC, reference DESC
LIMIT 11;
-- SEARCH transactions USING INDEX transactions_by_status_currency (account=? AND status=? AND currency_code=?)
-- SEARCH archives USING PRIMARY KEY (account=?)

SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, (SELECT before_ms FROM archives WHERE account = ?1)
FROM transactions INDEXED BY transactions_by_merchant_reference_time
WHERE account = ?1 AND merchant_reference = ?2
ORDER BY created_at_ms DESC, reference DESC
LIMIT 11;
-- SEARCH transactions USING INDEX transactions_by_merchant_reference_time (account=? AND merchant_reference=?)
-- SEARCH archives USING PRIMARY KEY (account=?)

SELECT transactions.reference, transactions.merchant_reference, transactions.status, transactions.amount_minor, transactions.currency_code, transactions.paid_at_ms, transactions.created_at_ms, transactions.related_to, transactions.details, transactions.final_details, transactions.details_removed_at_ms, (SELECT before_ms FROM archives WHERE account = ?1)
FROM (
  SELECT created_at_ms, reference FROM transactions INDEXED BY transactions_by_merchant_reference_time
  WHERE account = ?1 AND merchant_reference = ?2 AND currency_code = ?3
  ORDER BY created_at_ms DESC, reference DESC
  LIMIT 11
) AS found CROSS JOIN transactions NOT INDEXED
WHERE transactions.account = ?1 AND transactions.created_at_ms = found.created_at_ms
  AND transactions.reference = found.reference
ORDER BY found.created_at_ms DESC, found.reference DESC;
-- SEARCH transactions USING COVERING INDEX transactions_by_merchant_reference_time (account=? AND merchant_reference=?)
-- SCAN found
-- SEARCH transactions USING PRIMARY KEY (account=? AND created_at_ms=? AND reference=?)
-- SEARCH archives USING PRIMARY KEY (account=?)

SELECT transactions.reference, transactions.merchant_reference, transactions.status, transactions.amount_minor, transactions.currency_code, transactions.paid_at_ms, transactions.created_at_ms, transactions.related_to, transactions.details, transactions.final_details, transactions.details_removed_at_ms, (SELECT before_ms FROM archives WHERE account = ?1)
FROM (
  SELECT created_at_ms, reference FROM transactions INDEXED BY transactions_by_merchant_reference_time
  WHERE account = ?1 AND merchant_reference = ?2 AND status = ?3
  ORDER BY created_at_ms DESC, reference DESC
  LIMIT 11
) AS found CROSS JOIN transactions NOT INDEXED
WHERE transactions.account = ?1 AND transactions.created_at_ms = found.created_at_ms
  AND transactions.reference = found.reference
ORDER BY found.created_at_ms DESC, found.reference DESC;
-- SEARCH transactions USING COVERING INDEX transactions_by_merchant_reference_time (account=? AND merchant_reference=?)
-- SCAN found
-- SEARCH transactions USING PRIMARY KEY (account=? AND created_at_ms=? AND reference=?)
-- SEARCH archives USING PRIMARY KEY (account=?)

SELECT transactions.reference, transactions.merchant_reference, transactions.status, transactions.amount_minor, transactions.currency_code, transactions.paid_at_ms, transactions.created_at_ms, transactions.related_to, transactions.details, transactions.final_details, transactions.details_removed_at_ms, (SELECT before_ms FROM archives WHERE account = ?1)
FROM (
  SELECT created_at_ms, reference FROM transactions INDEXED BY transactions_by_merchant_reference_time
  WHERE account = ?1 AND merchant_reference = ?2 AND status = ?3 AND currency_code = ?4
  ORDER BY created_at_ms DESC, reference DESC
  LIMIT 11
) AS found CROSS JOIN transactions NOT INDEXED
WHERE transactions.account = ?1 AND transactions.created_at_ms = found.created_at_ms
  AND transactions.reference = found.reference
ORDER BY found.created_at_ms DESC, found.reference DESC;
-- SEARCH transactions USING COVERING INDEX transactions_by_merchant_reference_time (account=? AND merchant_reference=?)
-- SCAN found
-- SEARCH transactions USING PRIMARY KEY (account=? AND created_at_ms=? AND reference=?)
-- SEARCH archives USING PRIMARY KEY (account=?)

SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, (SELECT before_ms FROM archives WHERE account = ?1)
FROM transactions NOT INDEXED
WHERE account = ?1 AND created_at_ms >= ?2
ORDER BY created_at_ms DESC, reference DESC
LIMIT 11;
-- SEARCH transactions USING PRIMARY KEY (account=? AND created_at_ms>?)
-- SEARCH archives USING PRIMARY KEY (account=?)

SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, (SELECT before_ms FROM archives WHERE account = ?1)
FROM transactions NOT INDEXED
WHERE account = ?1 AND created_at_ms < ?2
ORDER BY created_at_ms DESC, reference DESC
LIMIT 11;
-- SEARCH transactions USING PRIMARY KEY (account=? AND created_at_ms<?)
-- SEARCH archives USING PRIMARY KEY (account=?)

SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, (SELECT before_ms FROM archives WHERE account = ?1)
FROM transactions NOT INDEXED
WHERE account = ?1 AND (created_at_ms, reference) < (?2, ?3)
ORDER BY created_at_ms DESC, reference DESC
LIMIT 11;
-- SEARCH transactions USING PRIMARY KEY (account=? AND (created_at_ms,reference)<(?,?))
-- SEARCH archives USING PRIMARY KEY (account=?)

SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, (SELECT before_ms FROM archives WHERE account = ?1)
FROM transactions NOT INDEXED
WHERE account = ?1 AND created_at_ms >= ?2 AND (created_at_ms, reference) < (?3, ?4)
ORDER BY created_at_ms DESC, reference DESC
LIMIT 11;
-- SEARCH transactions USING PRIMARY KEY (account=? AND created_at_ms>? AND (created_at_ms,reference)<(?,?))
-- SEARCH archives USING PRIMARY KEY (account=?)

-- searchTransactions
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM (
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM transactions NOT INDEXED
WHERE account = ?1
ORDER BY created_at_ms DESC, reference DESC
LIMIT 2000
)
WHERE (?2 IS NULL OR merchant_reference = ?2)
  AND (?3 IS NULL OR status = ?3)
  AND (?4 IS NULL OR currency_code = ?4)
  AND (?5 IS NULL OR created_at_ms >= ?5)
  AND (?6 IS NULL OR amount_minor >= ?6)
  AND (?7 IS NULL OR amount_minor <= ?7)
  AND (?8 IS NULL OR paid_at_ms >= ?8)
  AND (?9 IS NULL OR paid_at_ms < ?9)
  AND (?10 IS NULL OR has_text(?10, reference, merchant_reference, coalesce(final_details, details)))
ORDER BY created_at_ms DESC, reference DESC;
-- SEARCH transactions USING PRIMARY KEY (account=?)
-- SCAN (subquery-1)

SELECT created_at_ms AS createdAtMs, reference
FROM (
SELECT created_at_ms, reference
FROM transactions NOT INDEXED
WHERE account = ?1
ORDER BY created_at_ms DESC, reference DESC
LIMIT 2000
)
ORDER BY created_at_ms DESC, reference DESC
LIMIT 1 OFFSET 1999;
-- SEARCH transactions USING PRIMARY KEY (account=?)
-- SCAN (subquery-1)

SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM (
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM transactions INDEXED BY transactions_by_merchant_reference_time
WHERE account = ?1 AND merchant_reference = ?2
ORDER BY created_at_ms DESC, reference DESC
LIMIT 2000
)
WHERE (?3 IS NULL OR merchant_reference = ?3)
  AND (?4 IS NULL OR status = ?4)
  AND (?5 IS NULL OR currency_code = ?5)
  AND (?6 IS NULL OR created_at_ms >= ?6)
  AND (?7 IS NULL OR amount_minor >= ?7)
  AND (?8 IS NULL OR amount_minor <= ?8)
  AND (?9 IS NULL OR paid_at_ms >= ?9)
  AND (?10 IS NULL OR paid_at_ms < ?10)
  AND (?11 IS NULL OR has_text(?11, reference, merchant_reference, coalesce(final_details, details)))
ORDER BY created_at_ms DESC, reference DESC;
-- SEARCH transactions USING INDEX transactions_by_merchant_reference_time (account=? AND merchant_reference=?)
-- SCAN (subquery-1)

SELECT created_at_ms AS createdAtMs, reference
FROM (
SELECT created_at_ms, reference
FROM transactions INDEXED BY transactions_by_merchant_reference_time
WHERE account = ?1 AND merchant_reference = ?2
ORDER BY created_at_ms DESC, reference DESC
LIMIT 2000
)
ORDER BY created_at_ms DESC, reference DESC
LIMIT 1 OFFSET 1999;
-- SEARCH transactions USING COVERING INDEX transactions_by_merchant_reference_time (account=? AND merchant_reference=?)
-- SCAN (subquery-1)

-- listNumbered
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, pending_sequence, pending_recorded_at_ms, final_sequence, final_recorded_at_ms
FROM transactions NOT INDEXED
WHERE account = ?1
ORDER BY created_at_ms DESC, reference DESC
LIMIT 100;
-- SEARCH transactions USING PRIMARY KEY (account=?)

SELECT transactions.reference, transactions.merchant_reference, transactions.status, transactions.amount_minor, transactions.currency_code, transactions.paid_at_ms, transactions.created_at_ms, transactions.related_to, transactions.details, transactions.final_details, transactions.details_removed_at_ms, transactions.pending_sequence, transactions.pending_recorded_at_ms, transactions.final_sequence, transactions.final_recorded_at_ms
FROM (
  SELECT created_at_ms, reference FROM transactions INDEXED BY transactions_by_merchant_reference_time
  WHERE account = ?1 AND merchant_reference = ?2 AND status = ?3 AND currency_code = ?4
  ORDER BY created_at_ms DESC, reference DESC
  LIMIT 100
) AS found CROSS JOIN transactions NOT INDEXED
WHERE transactions.account = ?1 AND transactions.created_at_ms = found.created_at_ms
  AND transactions.reference = found.reference
ORDER BY found.created_at_ms DESC, found.reference DESC;
-- SEARCH transactions USING COVERING INDEX transactions_by_merchant_reference_time (account=? AND merchant_reference=?)
-- SCAN found
-- SEARCH transactions USING PRIMARY KEY (account=? AND created_at_ms=? AND reference=?)

-- retrieveTransaction
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms FROM transactions WHERE account = ? AND reference = ?;
-- SEARCH transactions USING INDEX transactions_by_reference (account=? AND reference=?)

-- listRelated
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM transactions INDEXED BY transactions_by_related_to_time
WHERE account = ? AND related_to = ? AND (created_at_ms, reference) < (?, ?)
ORDER BY created_at_ms DESC, reference DESC
LIMIT ? + 0;
-- SEARCH transactions USING INDEX transactions_by_related_to_time (account=? AND related_to=? AND (created_at_ms,reference)<(?,?))

-- recordTransactions
SELECT head_sequence, closed_at_sequence, (SELECT before_ms FROM archives WHERE archives.account = accounts.account)
     FROM accounts WHERE account = ?;
-- SEARCH accounts USING PRIMARY KEY (account=?)
-- SEARCH archives USING PRIMARY KEY (account=?)

SELECT max(coalesce((SELECT max(pending_sequence) FROM transactions WHERE account = ?1 AND pending_sequence IS NOT NULL), 0), coalesce((SELECT max(final_sequence) FROM transactions WHERE account = ?1 AND final_sequence IS NOT NULL), 0));
-- SCAN CONSTANT ROW
-- SEARCH transactions USING COVERING INDEX transactions_by_pending_sequence (account=? AND pending_sequence>?)
-- SEARCH transactions USING COVERING INDEX transactions_by_final_sequence (account=? AND final_sequence>?)

INSERT INTO transactions (account, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, pending_sequence, pending_recorded_at_ms, pending_nonce)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (account, created_at_ms, reference) DO NOTHING ON CONFLICT (account, reference) DO NOTHING;

INSERT INTO transactions (account, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, final_sequence, final_recorded_at_ms, final_nonce)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (account, created_at_ms, reference) DO NOTHING ON CONFLICT (account, reference) DO NOTHING;

UPDATE daily_totals SET count = count + ?5, amount_high = amount_high + ?6 + (amount_low + ?7) / 1000000000,
       amount_low = (amount_low + ?7) % 1000000000
     WHERE account = ?1 AND day = ?2 AND currency_code = ?3 AND status = ?4;
-- SEARCH daily_totals USING PRIMARY KEY (account=? AND day=? AND currency_code=? AND status=?)

INSERT INTO daily_totals (account, day, currency_code, status, count, amount_high, amount_low)
     VALUES (?, ?, ?, ?, ?, ?, ?);

INSERT INTO accounts (account, head_sequence) VALUES (?, ?)
     ON CONFLICT (account) DO UPDATE SET head_sequence = excluded.head_sequence;

UPDATE watched_accounts SET moved = max(CAST(unixepoch('subsec') * 1000 AS INTEGER), (SELECT coalesce(max(moved), 0) + 1 FROM watched_accounts)) WHERE account = ?;
-- SEARCH watched_accounts USING PRIMARY KEY (account=?)
-- SEARCH watched_accounts USING COVERING INDEX watched_accounts_moved

UPDATE transactions SET status = ?, final_sequence = ?, final_recorded_at_ms = ?, final_nonce = ?, paid_at_ms = ?, final_details = ?
     WHERE account = ? AND reference = ?;
-- SEARCH transactions USING COVERING INDEX transactions_by_reference (account=? AND reference=?)

DELETE FROM daily_totals WHERE account = ?1 AND day = ?2 AND currency_code = ?3 AND status = ?4 AND count = 0;
-- SEARCH daily_totals USING PRIMARY KEY (account=? AND day=? AND currency_code=? AND status=?)

INSERT INTO recorded_statuses (status) VALUES (?) ON CONFLICT DO NOTHING;

-- recordOnce
SELECT fingerprint, reference FROM idempotency_keys WHERE account = ? AND key = ?;
-- SEARCH idempotency_keys USING PRIMARY KEY (account=? AND key=?)

INSERT INTO idempotency_keys (account, key, fingerprint, reference) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING;

-- removeDetails
UPDATE transactions SET details = NULL, final_details = NULL, details_removed_at_ms = ?1
WHERE account = ?2 AND reference = ?3 AND (details IS NOT NULL OR final_details IS NOT NULL);
-- SEARCH transactions USING INDEX transactions_by_reference (account=? AND reference=?)

SELECT 1 FROM transactions WHERE account = ? AND reference = ?;
-- SEARCH transactions USING COVERING INDEX transactions_by_reference (account=? AND reference=?)

-- listChanges
SELECT pending_sequence AS sequence, pending_nonce, pending_recorded_at_ms, NULL, 1, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM transactions INDEXED BY transactions_by_pending_sequence
WHERE account = ?1 AND pending_sequence >= ?2
UNION ALL
SELECT final_sequence, final_nonce, final_recorded_at_ms, iif(pending_sequence IS NULL, NULL, 'pending'), 0, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM transactions INDEXED BY transactions_by_final_sequence
WHERE account = ?1 AND final_sequence >= ?2
ORDER BY sequence
LIMIT ?3 + 0;
-- SEARCH transactions USING INDEX transactions_by_pending_sequence (account=? AND pending_sequence>?)
-- SEARCH transactions USING INDEX transactions_by_final_sequence (account=? AND final_sequence>?)

SELECT floor_sequence AS sequence, floor_nonce AS nonce FROM archives WHERE account = ?;
-- SEARCH archives USING PRIMARY KEY (account=?)

-- listTransactionChanges
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, pending_sequence, pending_recorded_at_ms, pending_nonce, final_sequence, final_recorded_at_ms, final_nonce FROM transactions WHERE account = ? AND reference = ?;
-- SEARCH transactions USING INDEX transactions_by_reference (account=? AND reference=?)

-- findMissingChanges
SELECT floor_sequence AS floor FROM archives WHERE account = ?;
-- SEARCH archives USING PRIMARY KEY (account=?)

SELECT iif(closed_at_sequence IS NULL, CAST(unixepoch('subsec') * 1000 AS INTEGER) - erased_at_ms, 0) AS erasedAgoMs FROM accounts WHERE account = ?;
-- SEARCH accounts USING PRIMARY KEY (account=?)

SELECT coalesce((SELECT pending_nonce FROM transactions INDEXED BY transactions_by_pending_sequence
  WHERE transactions.account = ?1 AND pending_sequence = ?2), (SELECT final_nonce FROM transactions INDEXED BY transactions_by_final_sequence
  WHERE transactions.account = ?1 AND final_sequence = ?2),
  (SELECT iif(floor_sequence = ?2, floor_nonce, -1) FROM archives
  WHERE archives.account = ?1 AND floor_sequence >= ?2)) AS nonce;
-- SCAN CONSTANT ROW
-- SEARCH transactions USING INDEX transactions_by_pending_sequence (account=? AND pending_sequence=?)
-- SEARCH transactions USING INDEX transactions_by_final_sequence (account=? AND final_sequence=?)
-- SEARCH archives USING PRIMARY KEY (account=?)

-- readStoredTotals
SELECT head_sequence, coalesce((SELECT pending_nonce FROM transactions INDEXED BY transactions_by_pending_sequence
  WHERE transactions.account = ?1 AND pending_sequence = head_sequence), (SELECT final_nonce FROM transactions INDEXED BY transactions_by_final_sequence
  WHERE transactions.account = ?1 AND final_sequence = head_sequence),
  (SELECT iif(floor_sequence = head_sequence, floor_nonce, -1) FROM archives
  WHERE archives.account = ?1 AND floor_sequence >= head_sequence))
FROM (SELECT coalesce((SELECT head_sequence FROM accounts WHERE account = ?1), 0) AS head_sequence);
-- SCAN CONSTANT ROW
-- SEARCH accounts USING PRIMARY KEY (account=?)
-- SCAN (subquery-5)
-- SEARCH transactions USING INDEX transactions_by_pending_sequence (account=? AND pending_sequence=?)
-- SEARCH transactions USING INDEX transactions_by_final_sequence (account=? AND final_sequence=?)
-- SEARCH archives USING PRIMARY KEY (account=?)

SELECT count(*), NULL, currency_code, status, sum(count), sum(amount_high), sum(amount_low) FROM (
SELECT currency_code, status, count, amount_high, amount_low
FROM daily_totals
WHERE account = ?1 AND day BETWEEN ?2 AND ?3
  AND (?4 IS NULL OR currency_code = ?4) AND (?5 IS NULL OR status = ?5)
LIMIT ?6 + 0
) GROUP BY currency_code, status;
-- SEARCH daily_totals USING PRIMARY KEY (account=? AND day>? AND day<?)
-- SCAN (subquery-1)
-- USE TEMP B-TREE FOR GROUP BY

SELECT 1, day, currency_code, status, count, amount_high, amount_low
FROM daily_totals
WHERE account = ?1 AND day BETWEEN ?2 AND ?3
  AND (?4 IS NULL OR currency_code = ?4) AND (?5 IS NULL OR status = ?5)
LIMIT ?6 + 0;
-- SEARCH daily_totals USING PRIMARY KEY (account=? AND day>? AND day<?)

-- listUnsealed
SELECT accounts.account, head_sequence - coalesce(seals.sequence, 0)
FROM accounts LEFT JOIN seals ON seals.account = accounts.account
WHERE accounts.account > ? ORDER BY accounts.account LIMIT ? + 0;
-- SEARCH accounts USING PRIMARY KEY (account>?)
-- SEARCH seals USING PRIMARY KEY (account=?) LEFT-JOIN

-- readSeal
SELECT sequence, nonce, seal, digests FROM seals WHERE account = ?1;
-- SEARCH seals USING PRIMARY KEY (account=?)

-- storeSeals
INSERT INTO seals (account, sequence, seal, digests) VALUES (?, 0, '0000000000000000000000000000000000000000000000000000000000000000', '') ON CONFLICT DO NOTHING;

UPDATE seals SET sequence = ?3, nonce = ?4, seal = ?5, digests = ?6 WHERE account = ?1 AND sequence = ?2;
-- SEARCH seals USING PRIMARY KEY (account=?)

-- sumListed
SELECT created_at_ms, reference FROM transactions INDEXED BY transactions_by_merchant_reference_time
  WHERE account = $account AND merchant_reference = $merchantReference AND (created_at_ms, reference) > ($createdAtMs, $reference) AND created_at_ms < $beforeMs
ORDER BY created_at_ms, reference LIMIT 1 OFFSET 199;
-- SEARCH transactions USING COVERING INDEX transactions_by_merchant_reference_time (account=? AND merchant_reference=? AND (created_at_ms,reference)>(?,?) AND created_at_ms<?)

SELECT currency_code, status_then, part_start_ms, count(*), sum(amount_minor / 1000000000), sum(amount_minor % 1000000000),
  min(created_at_ms), max(created_at_ms)
FROM (
  SELECT currency_code, amount_minor, created_at_ms, NULL AS part_start_ms,
    CASE WHEN final_sequence <= $asOf THEN status WHEN pending_sequence <= $asOf THEN 'pending' END AS status_then
  FROM transactions INDEXED BY transactions_by_merchant_reference_time
  WHERE account = $account AND merchant_reference = $merchantReference AND (created_at_ms, reference) > ($createdAtMs, $reference) AND (created_at_ms, reference) <= ($endMs, $endReference)
    AND (pending_sequence <= $asOf OR final_sequence <= $asOf) AND currency_code = $currency
)
WHERE status_then = $status
GROUP BY currency_code, status_then, part_start_ms;
-- SEARCH transactions USING INDEX transactions_by_merchant_reference_time (account=? AND merchant_reference=? AND (created_at_ms,reference)>(?,?) AND (created_at_ms,reference)<(?,?))
-- USE TEMP B-TREE FOR GROUP BY

SELECT currency_code, status_then, part_start_ms, count(*), sum(amount_minor / 1000000000), sum(amount_minor % 1000000000),
  min(created_at_ms), max(created_at_ms)
FROM (
  SELECT currency_code, amount_minor, created_at_ms, paid_at_ms - (paid_at_ms + 62135596800000) % $partMs AS part_start_ms,
    CASE WHEN final_sequence <= $asOf THEN status WHEN pending_sequence <= $asOf THEN 'pending' END AS status_then
  FROM transactions INDEXED BY transactions_by_merchant_reference_time
  WHERE account = $account AND merchant_reference = $merchantReference AND (created_at_ms, reference) > ($createdAtMs, $reference) AND (created_at_ms, reference) <= ($endMs, $endReference)
    AND (pending_sequence <= $asOf OR final_sequence <= $asOf) AND currency_code = $currency AND paid_at_ms >= $paidFromMs AND paid_at_ms < $paidBeforeMs AND final_sequence <= $asOf
)
WHERE status_then = $status
GROUP BY currency_code, status_then, part_start_ms;
-- SEARCH transactions USING INDEX transactions_by_merchant_reference_time (account=? AND merchant_reference=? AND (created_at_ms,reference)>(?,?) AND (created_at_ms,reference)<(?,?))
-- USE TEMP B-TREE FOR GROUP BY

SELECT currency_code, status_then, part_start_ms, count(*), sum(amount_minor / 1000000000), sum(amount_minor % 1000000000),
  min(created_at_ms), max(created_at_ms)
FROM (
  SELECT currency_code, amount_minor, created_at_ms, NULL AS part_start_ms,
    CASE WHEN final_sequence <= $asOf THEN status WHEN pending_sequence <= $asOf THEN 'pending' END AS status_then
  FROM transactions INDEXED BY transactions_by_merchant_reference_time
  WHERE account = $account AND merchant_reference = $merchantReference AND (created_at_ms, reference) > ($createdAtMs, $reference) AND (created_at_ms, reference) <= ($endMs, $endReference)
    AND (pending_sequence <= $asOf OR final_sequence <= $asOf)
)
WHERE status_then = $status
GROUP BY currency_code, status_then, part_start_ms;
-- SEARCH transactions USING INDEX transactions_by_merchant_reference_time (account=? AND merchant_reference=? AND (created_at_ms,reference)>(?,?) AND (created_at_ms,reference)<(?,?))
-- USE TEMP B-TREE FOR GROUP BY

SELECT currency_code, status_then, part_start_ms, count(*), sum(amount_minor / 1000000000), sum(amount_minor % 1000000000),
  min(created_at_ms), max(created_at_ms)
FROM (
  SELECT currency_code, amount_minor, created_at_ms, paid_at_ms - (paid_at_ms + 62135596800000) % $partMs AS part_start_ms,
    CASE WHEN final_sequence <= $asOf THEN status WHEN pending_sequence <= $asOf THEN 'pending' END AS status_then
  FROM transactions INDEXED BY transactions_by_merchant_reference_time
  WHERE account = $account AND merchant_reference = $merchantReference AND (created_at_ms, reference) > ($createdAtMs, $reference) AND (created_at_ms, reference) <= ($endMs, $endReference)
    AND (pending_sequence <= $asOf OR final_sequence <= $asOf) AND paid_at_ms >= $paidFromMs AND paid_at_ms < $paidBeforeMs AND final_sequence <= $asOf
)
WHERE status_then = $status
GROUP BY currency_code, status_then, part_start_ms;
-- SEARCH transactions USING INDEX transactions_by_merchant_reference_time (account=? AND merchant_reference=? AND (created_at_ms,reference)>(?,?) AND (created_at_ms,reference)<(?,?))
-- USE TEMP B-TREE FOR GROUP BY

SELECT currency_code, status_then, part_start_ms, count(*), sum(amount_minor / 1000000000), sum(amount_minor % 1000000000),
  min(created_at_ms), max(created_at_ms)
FROM (
  SELECT currency_code, amount_minor, created_at_ms, NULL AS part_start_ms,
    CASE WHEN final_sequence <= $asOf THEN status WHEN pending_sequence <= $asOf THEN 'pending' END AS status_then
  FROM transactions INDEXED BY transactions_by_merchant_reference_time
  WHERE account = $account AND merchant_reference = $merchantReference AND (created_at_ms, reference) > ($createdAtMs, $reference) AND (created_at_ms, reference) <= ($endMs, $endReference)
    AND (pending_sequence <= $asOf OR final_sequence <= $asOf) AND currency_code = $currency
)

GROUP BY currency_code, status_then, part_start_ms;
-- SEARCH transactions USING INDEX transactions_by_merchant_reference_time (account=? AND merchant_reference=? AND (created_at_ms,reference)>(?,?) AND (created_at_ms,reference)<(?,?))
-- USE TEMP B-TREE FOR GROUP BY

SELECT currency_code, status_then, part_start_ms, count(*), sum(amount_minor / 1000000000), sum(amount_minor % 1000000000),
  min(created_at_ms), max(created_at_ms)
FROM (
  SELECT currency_code, amount_minor, created_at_ms, paid_at_ms - (paid_at_ms + 62135596800000) % $partMs AS part_start_ms,
    CASE WHEN final_sequence <= $asOf THEN status WHEN pending_sequence <= $asOf THEN 'pending' END AS status_then
  FROM transactions INDEXED BY transactions_by_merchant_reference_time
  WHERE account = $account AND merchant_reference = $merchantReference AND (created_at_ms, reference) > ($createdAtMs, $reference) AND (created_at_ms, reference) <= ($endMs, $endReference)
    AND (pending_sequence <= $asOf OR final_sequence <= $asOf) AND currency_code = $currency AND paid_at_ms >= $paidFromMs AND paid_at_ms < $paidBeforeMs AND final_sequence <= $asOf
)

GROUP BY currency_code, status_then, part_start_ms;
-- SEARCH transactions USING INDEX transactions_by_merchant_reference_time (account=? AND merchant_reference=? AND (created_at_ms,reference)>(?,?) AND (created_at_ms,reference)<(?,?))
-- USE TEMP B-TREE FOR GROUP BY

SELECT currency_code, status_then, part_start_ms, count(*), sum(amount_minor / 1000000000), sum(amount_minor % 1000000000),
  min(created_at_ms), max(created_at_ms)
FROM (
  SELECT currency_code, amount_minor, created_at_ms, NULL AS part_start_ms,
    CASE WHEN final_sequence <= $asOf THEN status WHEN pending_sequence <= $asOf THEN 'pending' END AS status_then
  FROM transactions INDEXED BY transactions_by_merchant_reference_time
  WHERE account = $account AND merchant_reference = $merchantReference AND (created_at_ms, reference) > ($createdAtMs, $reference) AND (created_at_ms, reference) <= ($endMs, $endReference)
    AND (pending_sequence <= $asOf OR final_sequence <= $asOf)
)

GROUP BY currency_code, status_then, part_start_ms;
-- SEARCH transactions USING INDEX transactions_by_merchant_reference_time (account=? AND merchant_reference=? AND (created_at_ms,reference)>(?,?) AND (created_at_ms,reference)<(?,?))
-- USE TEMP B-TREE FOR GROUP BY

SELECT currency_code, status_then, part_start_ms, count(*), sum(amount_minor / 1000000000), sum(amount_minor % 1000000000),
  min(created_at_ms), max(created_at_ms)
FROM (
  SELECT currency_code, amount_minor, created_at_ms, paid_at_ms - (paid_at_ms + 62135596800000) % $partMs AS part_start_ms,
    CASE WHEN final_sequence <= $asOf THEN status WHEN pending_sequence <= $asOf THEN 'pending' END AS status_then
  FROM transactions INDEXED BY transactions_by_merchant_reference_time
  WHERE account = $account AND merchant_reference = $merchantReference AND (created_at_ms, reference) > ($createdAtMs, $reference) AND (created_at_ms, reference) <= ($endMs, $endReference)
    AND (pending_sequence <= $asOf OR final_sequence <= $asOf) AND paid_at_ms >= $paidFromMs AND paid_at_ms < $paidBeforeMs AND final_sequence <= $asOf
)

GROUP BY currency_code, status_then, part_start_ms;
-- SEARCH transactions USING INDEX transactions_by_merchant_reference_time (account=? AND merchant_reference=? AND (created_at_ms,reference)>(?,?) AND (created_at_ms,reference)<(?,?))
-- USE TEMP B-TREE FOR GROUP BY

SELECT created_at_ms, reference FROM transactions NOT INDEXED
  WHERE account = $account AND (created_at_ms, reference) > ($createdAtMs, $reference) AND created_at_ms < $beforeMs
ORDER BY created_at_ms, reference LIMIT 1 OFFSET 199;
-- SEARCH transactions USING PRIMARY KEY (account=? AND (created_at_ms,reference)>(?,?) AND created_at_ms<?)

SELECT currency_code, status_then, part_start_ms, count(*), sum(amount_minor / 1000000000), sum(amount_minor % 1000000000),
  min(created_at_ms), max(created_at_ms)
FROM (
  SELECT currency_code, amount_minor, created_at_ms, NULL AS part_start_ms,
    CASE WHEN final_sequence <= $asOf THEN status WHEN pending_sequence <= $asOf THEN 'pending' END AS status_then
  FROM transactions NOT INDEXED
  WHERE account = $account AND (created_at_ms, reference) > ($createdAtMs, $reference) AND (created_at_ms, reference) <= ($endMs, $endReference)
    AND (pending_sequence <= $asOf OR final_sequence <= $asOf) AND currency_code = $currency
)
WHERE status_then = $status
GROUP BY currency_code, status_then, part_start_ms;
-- SEARCH transactions USING PRIMARY KEY (account=? AND (created_at_ms,reference)>(?,?) AND (created_at_ms,reference)<(?,?))
-- USE TEMP B-TREE FOR GROUP BY

SELECT currency_code, status_then, part_start_ms, count(*), sum(amount_minor / 1000000000), sum(amount_minor % 1000000000),
  min(created_at_ms), max(created_at_ms)
FROM (
  SELECT currency_code, amount_minor, created_at_ms, paid_at_ms - (paid_at_ms + 62135596800000) % $partMs AS part_start_ms,
    CASE WHEN final_sequence <= $asOf THEN status WHEN pending_sequence <= $asOf THEN 'pending' END AS status_then
  FROM transactions NOT INDEXED
  WHERE account = $account AND (created_at_ms, reference) > ($createdAtMs, $reference) AND (created_at_ms, reference) <= ($endMs, $endReference)
    AND (pending_sequence <= $asOf OR final_sequence <= $asOf) AND currency_code = $currency AND paid_at_ms >= $paidFromMs AND paid_at_ms < $paidBeforeMs AND final_sequence <= $asOf
)
WHERE status_then = $status
GROUP BY currency_code, status_then, part_start_ms;
-- SEARCH transactions USING PRIMARY KEY (account=? AND (created_at_ms,reference)>(?,?) AND (created_at_ms,reference)<(?,?))
-- USE TEMP B-TREE FOR GROUP BY

SELECT currency_code, status_then, part_start_ms, count(*), sum(amount_minor / 1000000000), sum(amount_minor % 1000000000),
  min(created_at_ms), max(created_at_ms)
FROM (
  SELECT currency_code, amount_minor, created_at_ms, NULL AS part_start_ms,
    CASE WHEN final_sequence <= $asOf THEN status WHEN pending_sequence <= $asOf THEN 'pending' END AS status_then
  FROM transactions NOT INDEXED
  WHERE account = $account AND (created_at_ms, reference) > ($createdAtMs, $reference) AND (created_at_ms, reference) <= ($endMs, $endReference)
    AND (pending_sequence <= $asOf OR final_sequence <= $asOf)
)
WHERE status_then = $status
GROUP BY currency_code, status_then, part_start_ms;
-- SEARCH transactions USING PRIMARY KEY (account=? AND (created_at_ms,reference)>(?,?) AND (created_at_ms,reference)<(?,?))
-- USE TEMP B-TREE FOR GROUP BY

SELECT currency_code, status_then, part_start_ms, count(*), sum(amount_minor / 1000000000), sum(amount_minor % 1000000000),
  min(created_at_ms), max(created_at_ms)
FROM (
  SELECT currency_code, amount_minor, created_at_ms, paid_at_ms - (paid_at_ms + 62135596800000) % $partMs AS part_start_ms,
    CASE WHEN final_sequence <= $asOf THEN status WHEN pending_sequence <= $asOf THEN 'pending' END AS status_then
  FROM transactions NOT INDEXED
  WHERE account = $account AND (created_at_ms, reference) > ($createdAtMs, $reference) AND (created_at_ms, reference) <= ($endMs, $endReference)
    AND (pending_sequence <= $asOf OR final_sequence <= $asOf) AND paid_at_ms >= $paidFromMs AND paid_at_ms < $paidBeforeMs AND final_sequence <= $asOf
)
WHERE status_then = $status
GROUP BY currency_code, status_then, part_start_ms;
-- SEARCH transactions USING PRIMARY KEY (account=? AND (created_at_ms,reference)>(?,?) AND (created_at_ms,reference)<(?,?))
-- USE TEMP B-TREE FOR GROUP BY

SELECT currency_code, status_then, part_start_ms, count(*), sum(amount_minor / 1000000000), sum(amount_minor % 1000000000),
  min(created_at_ms), max(created_at_ms)
FROM (
  SELECT currency_code, amount_minor, created_at_ms, NULL AS part_start_ms,
    CASE WHEN final_sequence <= $asOf THEN status WHEN pending_sequence <= $asOf THEN 'pending' END AS status_then
  FROM transactions NOT INDEXED
  WHERE account = $account AND (created_at_ms, reference) > ($createdAtMs, $reference) AND (created_at_ms, reference) <= ($endMs, $endReference)
    AND (pending_sequence <= $asOf OR final_sequence <= $asOf) AND currency_code = $currency
)

GROUP BY currency_code, status_then, part_start_ms;
-- SEARCH transactions USING PRIMARY KEY (account=? AND (created_at_ms,reference)>(?,?) AND (created_at_ms,reference)<(?,?))
-- USE TEMP B-TREE FOR GROUP BY

SELECT currency_code, status_then, part_start_ms, count(*), sum(amount_minor / 1000000000), sum(amount_minor % 1000000000),
  min(created_at_ms), max(created_at_ms)
FROM (
  SELECT currency_code, amount_minor, created_at_ms, paid_at_ms - (paid_at_ms + 62135596800000) % $partMs AS part_start_ms,
    CASE WHEN final_sequence <= $asOf THEN status WHEN pending_sequence <= $asOf THEN 'pending' END AS status_then
  FROM transactions NOT INDEXED
  WHERE account = $account AND (created_at_ms, reference) > ($createdAtMs, $reference) AND (created_at_ms, reference) <= ($endMs, $endReference)
    AND (pending_sequence <= $asOf OR final_sequence <= $asOf) AND currency_code = $currency AND paid_at_ms >= $paidFromMs AND paid_at_ms < $paidBeforeMs AND final_sequence <= $asOf
)

GROUP BY currency_code, status_then, part_start_ms;
-- SEARCH transactions USING PRIMARY KEY (account=? AND (created_at_ms,reference)>(?,?) AND (created_at_ms,reference)<(?,?))
-- USE TEMP B-TREE FOR GROUP BY

SELECT currency_code, status_then, part_start_ms, count(*), sum(amount_minor / 1000000000), sum(amount_minor % 1000000000),
  min(created_at_ms), max(created_at_ms)
FROM (
  SELECT currency_code, amount_minor, created_at_ms, NULL AS part_start_ms,
    CASE WHEN final_sequence <= $asOf THEN status WHEN pending_sequence <= $asOf THEN 'pending' END AS status_then
  FROM transactions NOT INDEXED
  WHERE account = $account AND (created_at_ms, reference) > ($createdAtMs, $reference) AND (created_at_ms, reference) <= ($endMs, $endReference)
    AND (pending_sequence <= $asOf OR final_sequence <= $asOf)
)

GROUP BY currency_code, status_then, part_start_ms;
-- SEARCH transactions USING PRIMARY KEY (account=? AND (created_at_ms,reference)>(?,?) AND (created_at_ms,reference)<(?,?))
-- USE TEMP B-TREE FOR GROUP BY

SELECT currency_code, status_then, part_start_ms, count(*), sum(amount_minor / 1000000000), sum(amount_minor % 1000000000),
  min(created_at_ms), max(created_at_ms)
FROM (
  SELECT currency_code, amount_minor, created_at_ms, paid_at_ms - (paid_at_ms + 62135596800000) % $partMs AS part_start_ms,
    CASE WHEN final_sequence <= $asOf THEN status WHEN pending_sequence <= $asOf THEN 'pending' END AS status_then
  FROM transactions NOT INDEXED
  WHERE account = $account AND (created_at_ms, reference) > ($createdAtMs, $reference) AND (created_at_ms, reference) <= ($endMs, $endReference)
    AND (pending_sequence <= $asOf OR final_sequence <= $asOf) AND paid_at_ms >= $paidFromMs AND paid_at_ms < $paidBeforeMs AND final_sequence <= $asOf
)

GROUP BY currency_code, status_then, part_start_ms;
-- SEARCH transactions USING PRIMARY KEY (account=? AND (created_at_ms,reference)>(?,?) AND (created_at_ms,reference)<(?,?))
-- USE TEMP B-TREE FOR GROUP BY

-- createExport
DELETE FROM exports WHERE account = ? AND started_at_ms NOT BETWEEN ? AND ?;
-- SEARCH exports USING PRIMARY KEY (account=?)

SELECT count(*) AS count FROM exports WHERE account = ?;
-- SEARCH exports USING PRIMARY KEY (account=?)

INSERT INTO exports (account, id, started_at_ms, record) VALUES (?, ?, ?, ?);

-- removeExpiredExports
DELETE FROM exports WHERE started_at_ms < ?;
-- SEARCH exports USING INDEX exports_by_start (started_at_ms<?)

-- findExport
SELECT record FROM exports WHERE account = ? AND id = ?;
-- SEARCH exports USING PRIMARY KEY (account=? AND id=?)

-- replaceExport
UPDATE exports SET record = ? WHERE account = ? AND id = ?;
-- SEARCH exports USING PRIMARY KEY (account=? AND id=?)

-- createWebhook
SELECT count(*) AS stored FROM webhook_endpoints WHERE account = ?;
-- SEARCH webhook_endpoints USING PRIMARY KEY (account=?)

INSERT INTO webhook_endpoints (account, id, created_at_ms, url, types, label, ordered, secret, previous_secret, previous_secret_until_ms, disabled_reason, disabled_at_ms, version, replay_version, acknowledged_sequence, failing_since_ms, quick) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (account, id) DO NOTHING;

INSERT INTO account_audit (account, at_ms, id, action, subject, detail, via, actor, address) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?);

INSERT INTO watched_accounts (account, moved) VALUES (?, 0) ON CONFLICT (account) DO NOTHING;

SELECT 1 FROM api_keys WHERE id = ? AND revoked_at_ms IS NULL;
-- SEARCH api_keys USING INDEX api_keys_by_id (id=?)

-- listWebhooks
SELECT account, id, created_at_ms, url, types, label, ordered, secret, previous_secret, previous_secret_until_ms, disabled_reason, disabled_at_ms, version, replay_version, acknowledged_sequence, failing_since_ms, quick,
  (SELECT count(*) FROM webhook_failures AS f WHERE f.account = ?1 AND f.endpoint_id = e.id) AS failure_count
FROM webhook_endpoints AS e WHERE e.account = ?1;
-- SEARCH e USING PRIMARY KEY (account=?)
-- SEARCH f USING PRIMARY KEY (account=? AND endpoint_id=?)

-- findWebhook
SELECT account, id, created_at_ms, url, types, label, ordered, secret, previous_secret, previous_secret_until_ms, disabled_reason, disabled_at_ms, version, replay_version, acknowledged_sequence, failing_since_ms, quick,
  (SELECT count(*) FROM webhook_failures AS f WHERE f.account = ?1 AND f.endpoint_id = e.id) AS failure_count
FROM webhook_endpoints AS e WHERE e.account = ?1 AND e.id = ?2;
-- SEARCH e USING PRIMARY KEY (account=? AND id=?)
-- SEARCH f USING PRIMARY KEY (account=? AND endpoint_id=?)

-- readWebhookRules
SELECT instance, rules FROM webhook_lease WHERE only_row = 1;
-- SEARCH webhook_lease USING INTEGER PRIMARY KEY (rowid=?)

-- replaceWebhook
UPDATE webhook_endpoints SET url = ?, types = ?, label = ?, ordered = ?, secret = ?, previous_secret = ?, previous_secret_until_ms = ?, disabled_reason = ?, disabled_at_ms = ?, version = version + 1,
       replay_version = iif(?, version + 1, replay_version), acknowledged_sequence = coalesce(?, acknowledged_sequence),
       failing_since_ms = iif(disabled_at_ms IS NULL OR ?, failing_since_ms, NULL)
     WHERE account = ? AND id = ? AND version = ?;
-- SEARCH webhook_endpoints USING PRIMARY KEY (account=? AND id=?)

DELETE FROM webhook_failures WHERE account = ? AND endpoint_id = ? AND sequence > ?;
-- SEARCH webhook_failures USING PRIMARY KEY (account=? AND endpoint_id=? AND sequence>?)

-- listWebhookFailures
SELECT sequence, attempts, first_failed_at_ms, last_failed_at_ms, next_attempt_at_ms, response_status, error FROM webhook_failures
WHERE account = ? AND endpoint_id = ? AND sequence > ? ORDER BY sequence LIMIT ? + 0;
-- SEARCH webhook_failures USING PRIMARY KEY (account=? AND endpoint_id=? AND sequence>?)

-- retryWebhookFailure
UPDATE webhook_failures SET next_attempt_at_ms = ? WHERE account = ? AND endpoint_id = ? AND sequence = ?;
-- SEARCH webhook_failures USING PRIMARY KEY (account=? AND endpoint_id=? AND sequence=?)

-- leaseWebhooks
INSERT INTO webhook_lease (only_row, instance, rules, expires_at_ms) VALUES (1, $1, $2, CAST(unixepoch('subsec') * 1000 AS INTEGER) + $3)
ON CONFLICT (only_row) DO UPDATE SET instance = excluded.instance, rules = excluded.rules, expires_at_ms = excluded.expires_at_ms
WHERE webhook_lease.instance = excluded.instance OR webhook_lease.expires_at_ms NOT BETWEEN
  CAST(unixepoch('subsec') * 1000 AS INTEGER) + 1 - CASE WHEN webhook_lease.rules = excluded.rules THEN 0 ELSE 30000 END AND CAST(unixepoch('subsec') * 1000 AS INTEGER) + 60000;

-- listDeliverable
SELECT account, id, created_at_ms, url, types, label, ordered, secret, previous_secret, previous_secret_until_ms, disabled_reason, disabled_at_ms, version, replay_version, acknowledged_sequence, failing_since_ms, quick,
  (SELECT f.sequence FROM webhook_failures AS f WHERE f.account = e.account AND f.endpoint_id = e.id ORDER BY f.sequence LIMIT 1),
  EXISTS (SELECT 1 FROM watched_accounts AS w WHERE w.account = e.account)
FROM webhook_endpoints AS e INDEXED BY webhook_endpoints_enabled
WHERE (account, id) > (?, ?) AND disabled_at_ms IS NULL ORDER BY account, id LIMIT ? + 0;
-- SEARCH e USING INDEX webhook_endpoints_enabled ((account,id)>(?,?))
-- SEARCH f USING PRIMARY KEY (account=? AND endpoint_id=?)
-- SEARCH w USING PRIMARY KEY (account=?)

SELECT account, id, created_at_ms, url, types, label, ordered, secret, previous_secret, previous_secret_until_ms, disabled_reason, disabled_at_ms, version, replay_version, acknowledged_sequence, failing_since_ms, quick,
  (SELECT f.sequence FROM webhook_failures AS f WHERE f.account = e.account AND f.endpoint_id = e.id ORDER BY f.sequence LIMIT 1),
  EXISTS (SELECT 1 FROM watched_accounts AS w WHERE w.account = e.account)
FROM webhook_endpoints AS e WHERE account IN (SELECT value FROM json_each(?)) AND disabled_at_ms IS NULL;
-- SEARCH e USING PRIMARY KEY (account=?)
-- SCAN json_each VIRTUAL TABLE INDEX 1:
-- SEARCH f USING PRIMARY KEY (account=? AND endpoint_id=?)
-- SEARCH w USING PRIMARY KEY (account=?)

-- listMovedAccounts
SELECT coalesce(max(moved), 0) AS moved FROM watched_accounts;
-- SEARCH watched_accounts USING COVERING INDEX watched_accounts_moved

-- storeProgress
UPDATE webhook_endpoints SET acknowledged_sequence = max(acknowledged_sequence, ?), failing_since_ms = ?, quick = ?
     WHERE account = ? AND id = ? AND replay_version <= ? AND acknowledged_sequence >= ?;
-- SEARCH webhook_endpoints USING PRIMARY KEY (account=? AND id=?)

-- disableWebhook
UPDATE webhook_endpoints SET disabled_reason = ?, disabled_at_ms = ?, version = version + 1
     WHERE account = ? AND id = ? AND version = ?;
-- SEARCH webhook_endpoints USING PRIMARY KEY (account=? AND id=?)

-- deleteWebhook
DELETE FROM webhook_endpoints WHERE account = ? AND id = ?;
-- SEARCH webhook_endpoints USING PRIMARY KEY (account=? AND id=?)

-- createApiKey
INSERT INTO api_keys (id, account, kind, hash, key_start, label, scopes, account_prefix, created_at_ms, expires_at_ms,
  person, reason, code_expires_at_ms, made_by)
SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, CAST(?9 AS BIGINT),
  CAST(?10 AS BIGINT), ?11, ?12, CAST(?13 AS BIGINT), ?14
WHERE CAST(?15 AS TEXT) IS NULL
  OR EXISTS (SELECT 1 FROM api_keys WHERE account = ?2 AND id = ?15 AND revoked_at_ms IS NULL);
-- SCAN CONSTANT ROW
-- SEARCH api_keys USING PRIMARY KEY (account=? AND id=?)

INSERT INTO key_audit (account, at_ms, id, action, subject, detail, via, actor, address)
SELECT ?1, CAST(?2 AS BIGINT), ?3, ?4, ?5, ?6, ?7, ?8, ?9
WHERE EXISTS (SELECT 1 FROM api_keys WHERE hash = ?10);
-- SEARCH api_keys EXISTS USING COVERING INDEX api_keys_by_hash (hash=?)

-- findApiKey
SELECT k.id, k.account, k.kind, k.hash, k.key_start, k.label, k.scopes, k.account_prefix, k.created_at_ms, k.expires_at_ms,
  k.person, k.reason, k.code_expires_at_ms, k.made_by, k.opened_at_ms, k.revoked_at_ms, k.rolled_at_ms, k.expires_before_roll_ms,
  k.last_used_at_ms, maker.id, maker.revoked_at_ms, maker.expires_at_ms
FROM api_keys AS k LEFT JOIN api_keys AS maker ON maker.account = '*' AND maker.id = k.made_by
WHERE k.hash = ?1;
-- SEARCH k USING INDEX api_keys_by_hash (hash=?)
-- SEARCH maker USING PRIMARY KEY (account=? AND id=?) LEFT-JOIN

-- retrieveApiKey
SELECT k.id, k.account, k.kind, k.hash, k.key_start, k.label, k.scopes, k.account_prefix, k.created_at_ms, k.expires_at_ms,
  k.person, k.reason, k.code_expires_at_ms, k.made_by, k.opened_at_ms, k.revoked_at_ms, k.rolled_at_ms, k.expires_before_roll_ms,
  k.last_used_at_ms, maker.id, maker.revoked_at_ms, maker.expires_at_ms
FROM api_keys AS k LEFT JOIN api_keys AS maker ON maker.account = '*' AND maker.id = k.made_by
WHERE k.id = ?1;
-- SEARCH k USING INDEX api_keys_by_id (id=?)
-- SEARCH maker USING PRIMARY KEY (account=? AND id=?) LEFT-JOIN

-- listApiKeys
SELECT id, account, kind, hash, key_start, label, scopes, account_prefix, created_at_ms, expires_at_ms,
  person, reason, code_expires_at_ms, made_by, opened_at_ms, revoked_at_ms, rolled_at_ms, expires_before_roll_ms, last_used_at_ms
FROM api_keys
WHERE account = ?1 AND kind = 'key' AND (created_at_ms, id) > (?2, ?3)
ORDER BY created_at_ms, id LIMIT ?4;
-- SEARCH api_keys USING INDEX api_keys_by_time (account=? AND (created_at_ms,id)>(?,?))

SELECT id, account, kind, hash, key_start, label, scopes, account_prefix, created_at_ms, expires_at_ms,
  person, reason, code_expires_at_ms, made_by, opened_at_ms, revoked_at_ms, rolled_at_ms, expires_before_roll_ms, last_used_at_ms
FROM api_keys
WHERE kind = 'key' AND (account, created_at_ms, id) > (?1, ?2, ?3)
ORDER BY account, created_at_ms, id LIMIT ?4;
-- SEARCH api_keys USING INDEX api_keys_by_time ((account,created_at_ms,id)>(?,?,?))

-- rollApiKey
SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER);
-- SCAN CONSTANT ROW

INSERT INTO key_audit (account, at_ms, id, action, subject, detail, via, actor, address)
SELECT ?1, CAST(?2 AS BIGINT), ?3, ?4, ?5, ?6, ?7, ?8, ?9
WHERE EXISTS (SELECT 1 FROM api_keys WHERE id = ?10 AND revoked_at_ms IS NULL)
ON CONFLICT DO NOTHING;
-- SEARCH api_keys EXISTS USING INDEX api_keys_by_id (id=?)

UPDATE api_keys SET rolled_at_ms = coalesce(rolled_at_ms, CAST(?1 AS BIGINT)),
  end_recorded_at_ms = (SELECT max(ms) FROM (SELECT CAST(?2 AS BIGINT) AS ms
    UNION ALL SELECT max(end_recorded_at_ms) + 1 FROM api_keys WHERE end_recorded_at_ms IS NOT NULL) AS times),
  expires_before_roll_ms = CASE WHEN rolled_at_ms IS NULL THEN expires_at_ms ELSE expires_before_roll_ms END,
  expires_at_ms = CASE WHEN expires_at_ms < CAST(?3 AS BIGINT) THEN expires_at_ms ELSE CAST(?3 AS BIGINT) END,
  revoked_at_ms = CASE WHEN CAST(?3 AS BIGINT) <= CAST(?1 AS BIGINT) THEN CAST(?1 AS BIGINT) END
WHERE account = ?4 AND id = ?5 AND revoked_at_ms IS NULL
RETURNING id, account, kind, hash, key_start, label, scopes, account_prefix, created_at_ms, expires_at_ms,
  person, reason, code_expires_at_ms, made_by, opened_at_ms, revoked_at_ms, rolled_at_ms, expires_before_roll_ms, last_used_at_ms;
-- SEARCH api_keys USING PRIMARY KEY (account=? AND id=?)
-- SCAN CONSTANT ROW
-- SEARCH api_keys USING COVERING INDEX api_keys_by_end (end_recorded_at_ms>?)
-- SEARCH times

-- revokeApiKey
UPDATE api_keys SET revoked_at_ms = CAST(?1 AS BIGINT),
  end_recorded_at_ms = (SELECT max(ms) FROM (SELECT CAST(?2 AS BIGINT) AS ms
    UNION ALL SELECT max(end_recorded_at_ms) + 1 FROM api_keys WHERE end_recorded_at_ms IS NOT NULL) AS times)
WHERE id = ?3 AND revoked_at_ms IS NULL RETURNING id;
-- SEARCH api_keys USING INDEX api_keys_by_id (id=?)
-- SCAN CONSTANT ROW
-- SEARCH api_keys USING COVERING INDEX api_keys_by_end (end_recorded_at_ms>?)
-- SEARCH times

-- openSession
UPDATE api_keys SET hash = ?1, key_start = ?2, opened_at_ms = CAST(?3 AS BIGINT)
WHERE hash = ?4 AND kind = 'session' AND opened_at_ms IS NULL AND code_expires_at_ms > CAST(?3 AS BIGINT)
  AND revoked_at_ms IS NULL AND expires_at_ms > CAST(?3 AS BIGINT)
RETURNING id;
-- SEARCH api_keys USING INDEX api_keys_by_hash (hash=?)

-- listSessions
SELECT k.id, k.account, k.kind, k.hash, k.key_start, k.label, k.scopes, k.account_prefix, k.created_at_ms, k.expires_at_ms,
  k.person, k.reason, k.code_expires_at_ms, k.made_by, k.opened_at_ms, k.revoked_at_ms, k.rolled_at_ms, k.expires_before_roll_ms,
  k.last_used_at_ms, maker.id, maker.revoked_at_ms, maker.expires_at_ms
FROM api_keys AS k LEFT JOIN api_keys AS maker ON maker.account = '*' AND maker.id = k.made_by
WHERE k.kind = 'session' AND k.account = ?1 AND (k.created_at_ms, k.id) < (?2, ?3)
ORDER BY k.created_at_ms DESC, k.id DESC LIMIT ?4;
-- SEARCH k USING INDEX sessions_by_time (account=? AND (created_at_ms,id)<(?,?))
-- SEARCH maker USING PRIMARY KEY (account=? AND id=?) LEFT-JOIN

SELECT k.id, k.account, k.kind, k.hash, k.key_start, k.label, k.scopes, k.account_prefix, k.created_at_ms, k.expires_at_ms,
  k.person, k.reason, k.code_expires_at_ms, k.made_by, k.opened_at_ms, k.revoked_at_ms, k.rolled_at_ms, k.expires_before_roll_ms,
  k.last_used_at_ms, maker.id, maker.revoked_at_ms, maker.expires_at_ms
FROM api_keys AS k LEFT JOIN api_keys AS maker ON maker.account = '*' AND maker.id = k.made_by
WHERE k.kind = 'session' AND k.account = ?1 AND k.person = ?2 AND (k.created_at_ms, k.id) < (?3, ?4)
ORDER BY k.created_at_ms DESC, k.id DESC LIMIT ?5;
-- SEARCH k USING INDEX sessions_by_person (account=? AND person=? AND (created_at_ms,id)<(?,?))
-- SEARCH maker USING PRIMARY KEY (account=? AND id=?) LEFT-JOIN

SELECT k.id, k.account, k.kind, k.hash, k.key_start, k.label, k.scopes, k.account_prefix, k.created_at_ms, k.expires_at_ms,
  k.person, k.reason, k.code_expires_at_ms, k.made_by, k.opened_at_ms, k.revoked_at_ms, k.rolled_at_ms, k.expires_before_roll_ms,
  k.last_used_at_ms, maker.id, maker.revoked_at_ms, maker.expires_at_ms
FROM api_keys AS k LEFT JOIN api_keys AS maker ON maker.account = '*' AND maker.id = k.made_by
WHERE k.kind = 'session' AND k.person = ?1 AND (k.created_at_ms, k.id) < (?2, ?3)
ORDER BY k.created_at_ms DESC, k.id DESC LIMIT ?4;
-- SEARCH k USING INDEX sessions_of_everywhere (person=? AND (created_at_ms,id)<(?,?))
-- SEARCH maker USING PRIMARY KEY (account=? AND id=?) LEFT-JOIN

-- endSessions
SELECT id FROM api_keys INDEXED BY sessions_by_person
WHERE kind = 'session' AND account = ?1 AND person = ?2 AND revoked_at_ms IS NULL;
-- SEARCH api_keys USING INDEX sessions_by_person (account=? AND person=?)

SELECT id FROM api_keys WHERE kind = 'session' AND account = ?1 AND id = ?2 AND revoked_at_ms IS NULL;
-- SEARCH api_keys USING PRIMARY KEY (account=? AND id=?)

SELECT id FROM api_keys INDEXED BY sessions_by_time
WHERE kind = 'session' AND account = ?1 AND revoked_at_ms IS NULL LIMIT ?2;
-- SEARCH api_keys USING INDEX sessions_by_time (account=?)

SELECT id FROM api_keys INDEXED BY sessions_by_expiry
WHERE kind = 'session' AND expires_at_ms > 0 AND revoked_at_ms IS NULL LIMIT ?1;
-- SEARCH api_keys USING INDEX sessions_by_expiry (expires_at_ms>?)

-- removeExpiredSessions
DELETE FROM api_keys WHERE id IN
  (SELECT id FROM api_keys WHERE kind = 'session' AND expires_at_ms < ?1 ORDER BY expires_at_ms LIMIT ?2)
RETURNING id;
-- SEARCH api_keys USING INDEX api_keys_by_id (id=?)
-- SEARCH api_keys USING COVERING INDEX sessions_by_expiry (expires_at_ms<?)

-- listAudit
SELECT account, at_ms, id, action, subject, detail, via, actor, address FROM key_audit
WHERE account = ?1 AND (at_ms, id) > (?2, ?3) ORDER BY at_ms, id LIMIT ?4;
-- SEARCH key_audit USING PRIMARY KEY (account=? AND (at_ms,id)>(?,?))

SELECT account, at_ms, id, action, subject, detail, via, actor, address FROM account_audit
WHERE account = ?1 AND (at_ms, id) > (?2, ?3) ORDER BY at_ms, id LIMIT ?4;
-- SEARCH account_audit USING PRIMARY KEY (account=? AND (at_ms,id)>(?,?))

SELECT account, at_ms, id, action, subject, detail, via, actor, address FROM key_audit
WHERE (at_ms, id) > (?1, ?2) ORDER BY at_ms, id LIMIT ?3;
-- SEARCH key_audit USING INDEX key_audit_by_time ((at_ms,id)>(?,?))

SELECT account, at_ms, id, action, subject, detail, via, actor, address FROM account_audit
WHERE (at_ms, id) > (?1, ?2) ORDER BY at_ms, id LIMIT ?3;
-- SEARCH account_audit USING INDEX account_audit_by_time ((at_ms,id)>(?,?))

-- listKeyEnds
SELECT id, revoked_at_ms, expires_at_ms, end_recorded_at_ms FROM api_keys
WHERE end_recorded_at_ms >= coalesce(CAST(?1 AS BIGINT), (SELECT min(ms) FROM (SELECT CAST(?2 AS BIGINT) AS ms
    UNION ALL SELECT max(end_recorded_at_ms) FROM api_keys WHERE end_recorded_at_ms IS NOT NULL) AS times))
ORDER BY end_recorded_at_ms LIMIT ?3;
-- SEARCH api_keys USING INDEX api_keys_by_end (end_recorded_at_ms>?)
-- SCAN CONSTANT ROW
-- SEARCH api_keys USING COVERING INDEX api_keys_by_end (end_recorded_at_ms>?)
-- SEARCH times

-- touchApiKeys
UPDATE api_keys SET last_used_at_ms = CAST(?1 AS BIGINT)
WHERE id = ?2 AND (last_used_at_ms IS NULL
  OR last_used_at_ms NOT BETWEEN CAST(?1 AS BIGINT) AND CAST(?1 AS BIGINT) + CAST(?3 AS BIGINT));
-- SEARCH api_keys USING INDEX api_keys_by_id (id=?)

-- listRecordedStatuses
SELECT status FROM recorded_statuses ORDER BY status;
-- SCAN recorded_statuses

-- listAccounts
SELECT account, head_sequence, coalesce(
  (SELECT pending_nonce FROM transactions AS t INDEXED BY transactions_by_pending_sequence
    WHERE t.account = accounts.account AND t.pending_sequence = accounts.head_sequence),
  (SELECT final_nonce FROM transactions AS t INDEXED BY transactions_by_final_sequence
    WHERE t.account = accounts.account AND t.final_sequence = accounts.head_sequence),
  (SELECT CASE WHEN a.floor_sequence = accounts.head_sequence THEN a.floor_nonce ELSE -1 END FROM archives AS a
    WHERE a.account = accounts.account AND a.floor_sequence >= accounts.head_sequence))
FROM accounts WHERE account > ?1 AND account >= ?2 AND account < ?3 AND head_sequence > 0
ORDER BY account LIMIT ?4;
-- SEARCH accounts USING PRIMARY KEY (account>? AND account<?)
-- SEARCH t USING INDEX transactions_by_pending_sequence (account=? AND pending_sequence=?)
-- SEARCH t USING INDEX transactions_by_final_sequence (account=? AND final_sequence=?)
-- SEARCH a USING PRIMARY KEY (account=?)

WITH RECURSIVE found(account) AS (
  SELECT min(account) FROM api_keys WHERE kind = 'key' AND account > ?1 AND account >= ?2 AND account < ?3
  UNION ALL
  SELECT (SELECT min(k.account) FROM api_keys AS k WHERE k.kind = 'key' AND k.account > found.account AND k.account < ?3)
  FROM found WHERE found.account IS NOT NULL
)
SELECT account FROM found WHERE account IS NOT NULL LIMIT ?4;
-- SEARCH api_keys USING COVERING INDEX api_keys_by_time (account>? AND account<?)
-- SCAN found
-- SEARCH k USING COVERING INDEX api_keys_by_time (account>? AND account<?)

-- openImport
SELECT 1 FROM transactions WHERE account = ? LIMIT 1;
-- SEARCH transactions USING COVERING INDEX transactions_by_status (account=?)

PRAGMA wal_checkpoint(NOOP);

-- readArchive
SELECT before_ms, floor_sequence, floor_nonce, floor_seal, rest, removed_changes FROM archives WHERE account = ?1;
-- SEARCH archives USING PRIMARY KEY (account=?)

-- storeCursorSecret
SELECT secret FROM cursor_secret;
-- SCAN cursor_secret

INSERT INTO cursor_secret (only_row, secret, created_at_ms) VALUES (1, ?1, ?2) ON CONFLICT DO NOTHING;

-- ping
SELECT 1 FROM schema_migrations LIMIT 1;
-- SCAN schema_migrations

-- noteInstance
INSERT INTO instances (instance, host, version, settings, started_at_ms, seen_at_ms)
VALUES (?1, ?2, ?3, ?4, CAST(unixepoch('subsec') * 1000 AS INTEGER), CAST(unixepoch('subsec') * 1000 AS INTEGER))
ON CONFLICT (instance) DO UPDATE SET seen_at_ms = EXCLUDED.seen_at_ms;

DELETE FROM instances WHERE seen_at_ms NOT BETWEEN CAST(unixepoch('subsec') * 1000 AS INTEGER) - ?1 AND CAST(unixepoch('subsec') * 1000 AS INTEGER);
-- SCAN instances

-- listInstances
SELECT instance, host, version, settings, started_at_ms, seen_at_ms FROM instances
WHERE seen_at_ms BETWEEN CAST(unixepoch('subsec') * 1000 AS INTEGER) - CAST(?1 AS BIGINT) AND CAST(unixepoch('subsec') * 1000 AS INTEGER) ORDER BY instance;
-- SCAN instances

-- removeInstance
DELETE FROM instances WHERE instance = ?1;
-- SEARCH instances USING PRIMARY KEY (instance=?)
