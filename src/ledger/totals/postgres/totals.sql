-- on: account

-- name: addUpTotals (postgres)
-- Adds up the stored totals in a range of days. An empty status or currency means all. Each row also has the
-- number and the nonce of the account's last change, and the archive. If there are no totals, one row has
-- only these.
SELECT
  last_number.head_sequence, last_change.nonce AS last_nonce, archive.before_ms, archive.removed_changes,
  day, currency_code, status, count, amount
FROM (
  SELECT coalesce((SELECT accounts.head_sequence FROM accounts WHERE accounts.account = :account), 0) AS head_sequence OFFSET 0
) AS last_number
LEFT JOIN LATERAL (
  SELECT a.before_ms, a.removed_changes, a.floor_sequence, a.floor_nonce FROM archives AS a WHERE a.account = :account OFFSET 0
) AS archive ON true
CROSS JOIN LATERAL (
  SELECT coalesce(
    (SELECT t.pending_nonce FROM transactions AS t WHERE t.account = :account AND t.pending_sequence = last_number.head_sequence),
    (SELECT t.final_nonce FROM transactions AS t WHERE t.account = :account AND t.final_sequence = last_number.head_sequence),
    CASE WHEN archive.floor_sequence = last_number.head_sequence THEN archive.floor_nonce END
  ) AS nonce OFFSET 0
) AS last_change
LEFT JOIN LATERAL (
  SELECT NULL::bigint AS day, currency_code, status, sum(count)::bigint AS count, sum(amount)::text AS amount
  FROM daily_totals
  WHERE account = :account AND day >= :fromDay AND day <= :toDay
    AND (:status::text = '' OR status = :status) AND (:currency::text = '' OR currency_code = :currency)
  GROUP BY currency_code, status
) AS totals ON true;

-- name: listTotals (postgres)
-- Like addUpTotals, with separate totals for each day.
SELECT
  last_number.head_sequence, last_change.nonce AS last_nonce, archive.before_ms, archive.removed_changes,
  day, currency_code, status, count, amount
FROM (
  SELECT coalesce((SELECT accounts.head_sequence FROM accounts WHERE accounts.account = :account), 0) AS head_sequence OFFSET 0
) AS last_number
LEFT JOIN LATERAL (
  SELECT a.before_ms, a.removed_changes, a.floor_sequence, a.floor_nonce FROM archives AS a WHERE a.account = :account OFFSET 0
) AS archive ON true
CROSS JOIN LATERAL (
  SELECT coalesce(
    (SELECT t.pending_nonce FROM transactions AS t WHERE t.account = :account AND t.pending_sequence = last_number.head_sequence),
    (SELECT t.final_nonce FROM transactions AS t WHERE t.account = :account AND t.final_sequence = last_number.head_sequence),
    CASE WHEN archive.floor_sequence = last_number.head_sequence THEN archive.floor_nonce END
  ) AS nonce OFFSET 0
) AS last_change
LEFT JOIN LATERAL (
  SELECT day::bigint AS day, currency_code, status, count, amount::text AS amount
  FROM daily_totals
  WHERE account = :account AND day >= :fromDay AND day <= :toDay
    AND (:status::text = '' OR status = :status) AND (:currency::text = '' OR currency_code = :currency)
) AS totals ON true;

-- name: sumListed (postgres)
-- Sums the next :limit transactions of a list, with the statuses that they had at change :asOf. The last row
-- is the position of the next step. An empty status or currency means all. If :partMs is null, the sums are
-- not split by paidAt.
SELECT
  currency_code, status, part_start_ms, count(*) AS count, sum(amount_minor)::text AS amount, min(created_at_ms) AS first_ms,
  max(created_at_ms) AS created_at_ms, NULL::text AS reference
FROM (
  SELECT
    currency_code, amount_minor, created_at_ms, paid_at_ms, final_sequence,
    paid_at_ms - (paid_at_ms + 62135596800000) % :partMs::bigint AS part_start_ms,
    CASE WHEN final_sequence <= :asOf THEN status WHEN pending_sequence <= :asOf THEN 'pending' END AS status
  FROM transactions
  WHERE account = :account AND created_at_ms >= :fromMs AND (created_at_ms, reference) < (:createdAtMs, :reference)
  ORDER BY created_at_ms DESC, reference DESC
  LIMIT :limit
) AS listed
WHERE status IS NOT NULL
  AND (:status::text = '' OR status = :status) AND (:currency::text = '' OR currency_code = :currency)
  AND (:paidFromMs::bigint IS NULL OR (paid_at_ms >= :paidFromMs AND paid_at_ms < :paidBeforeMs AND final_sequence <= :asOf))
GROUP BY currency_code, status, part_start_ms
UNION ALL
(
  SELECT '', '', NULL, 0, '0', NULL, created_at_ms, reference
  FROM transactions
  WHERE account = :account AND created_at_ms >= :fromMs AND (created_at_ms, reference) < (:createdAtMs, :reference)
  ORDER BY created_at_ms DESC, reference DESC
  OFFSET :limit::bigint - 1 LIMIT 1
);

-- name: sumListed_merchantReference (postgres)
-- Like sumListed, for one merchantReference. Transactions before :fromMs are read, but not counted.
SELECT
  currency_code, status, part_start_ms, count(*) AS count, sum(amount_minor)::text AS amount, min(created_at_ms) AS first_ms,
  max(created_at_ms) AS created_at_ms, NULL::text AS reference
FROM (
  SELECT
    currency_code, amount_minor, created_at_ms, paid_at_ms, final_sequence,
    paid_at_ms - (paid_at_ms + 62135596800000) % :partMs::bigint AS part_start_ms,
    CASE WHEN final_sequence <= :asOf THEN status WHEN pending_sequence <= :asOf THEN 'pending' END AS status
  FROM transactions
  WHERE account = :account AND merchant_reference >= :merchantReference
    AND (merchant_reference, created_at_ms, reference) < (:merchantReference, :createdAtMs, :reference)
  ORDER BY merchant_reference DESC, created_at_ms DESC, reference DESC
  LIMIT :limit
) AS listed
WHERE status IS NOT NULL AND created_at_ms >= :fromMs
  AND (:status::text = '' OR status = :status) AND (:currency::text = '' OR currency_code = :currency)
  AND (:paidFromMs::bigint IS NULL OR (paid_at_ms >= :paidFromMs AND paid_at_ms < :paidBeforeMs AND final_sequence <= :asOf))
GROUP BY currency_code, status, part_start_ms
UNION ALL
(
  SELECT '', '', NULL, 0, '0', NULL, created_at_ms, reference
  FROM transactions
  WHERE account = :account AND merchant_reference >= :merchantReference
    AND (merchant_reference, created_at_ms, reference) < (:merchantReference, :createdAtMs, :reference)
  ORDER BY merchant_reference DESC, created_at_ms DESC, reference DESC
  OFFSET :limit::bigint - 1 LIMIT 1
);
