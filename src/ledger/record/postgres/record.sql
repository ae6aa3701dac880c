-- Recordings on one server. The head of an account is its row in `accounts`, which has the latest sequence
-- number. A database transaction locks the heads of its accounts before it records.
-- on: account

-- name: makeHeads (server)
-- Creates missing heads, with the largest sequence number of the account's transactions.
INSERT INTO accounts (account, head_sequence)
SELECT
  given.account,
  greatest(
    0,
    (SELECT max(pending_sequence) FROM transactions AS t WHERE t.account = given.account AND pending_sequence IS NOT NULL),
    (SELECT max(final_sequence) FROM transactions AS t WHERE t.account = given.account AND final_sequence IS NOT NULL)
  )
FROM (SELECT set_config('lock_timeout', :waitMs, true) OFFSET 0) AS lock_timeout
CROSS JOIN unnest(:accounts::text[]) AS given (account)
ORDER BY given.account COLLATE "C"
ON CONFLICT (account) DO NOTHING;

-- name: lockHeads (server)
-- Locks heads in a fixed order, so that two recordings never wait for each other. Returns how many are
-- locked. A setting tells the next statement whether all are locked. If that statement counted heads itself,
-- it could count one that was inserted after the lock.
WITH locked AS MATERIALIZED (
  SELECT accounts.account
  FROM (SELECT set_config('lock_timeout', :waitMs, true) OFFSET 0) AS lock_timeout
  CROSS JOIN accounts
  WHERE accounts.account = ANY(:accounts::text[])
  ORDER BY accounts.account
  FOR NO KEY UPDATE OF accounts
)
SELECT count, set_config('transactions.has_locked_all', (count = cardinality(:accounts::text[]))::text, true)
FROM (SELECT count(*) FROM locked) AS all_locked;

-- name: record (server)
-- Records a group if the heads of all its accounts are locked. Kinds of returned rows: 0 is a new
-- transaction, 1 is a pending transaction that became final, 2 is a transaction that was not recorded. If its
-- row has no reference, its day is archived. Otherwise, the caller must compare it with the row. The
-- statement fails if another program records one of the transactions meanwhile, because skipping the
-- transaction would leave a gap in the numbers. For the same reason, a pending transaction is locked before
-- it gets its number. The status is compared as part of a row value, and heads are looked up one by one.
-- Otherwise, the planner could read a whole index, or all heads. Only locked accounts are marked in
-- `watched_accounts`, so that a recording and a change of an endpoint never wait for each other.
WITH found AS MATERIALIZED (
  SELECT
    head.account, given.reference COLLATE "C" AS reference, given.merchant_reference, given.status, given.amount_minor,
    given.currency_code, given.paid_at_ms, given.created_at_ms, given.related_to, given.details,
    CASE WHEN t.reference IS NOT NULL AND t.details_removed_at_ms IS NULL THEN nullif(given.details, t.details) END AS final_details,
    CASE WHEN t.reference IS NULL THEN given.details_removed_at_ms ELSE t.details_removed_at_ms END AS details_removed_at_ms,
    ordinal, head.head_sequence, head.archived_before_ms,
    t.reference IS NULL AND (given.created_at_ms < head.archived_before_ms) IS NOT TRUE AS is_new,
    given.status <> 'pending'
      AND (t.status, t.merchant_reference, t.amount_minor, t.currency_code, t.created_at_ms, t.related_to) IS NOT DISTINCT FROM
        ('pending', given.merchant_reference, given.amount_minor, given.currency_code, given.created_at_ms, given.related_to)
      AND (t.details_removed_at_ms IS NOT NULL OR t.details IS NULL OR (given.details::jsonb @> t.details::jsonb) IS TRUE) AS advances,
    t.reference AS existing_reference, t.merchant_reference AS existing_merchant_reference, t.status AS existing_status,
    t.amount_minor AS existing_amount_minor, t.currency_code AS existing_currency_code, t.paid_at_ms AS existing_paid_at_ms,
    t.created_at_ms AS existing_created_at_ms, t.related_to AS existing_related_to, t.details AS existing_details,
    t.final_details AS existing_final_details, t.details_removed_at_ms AS existing_details_removed_at_ms
  FROM (SELECT set_config('lock_timeout', :waitMs, true) OFFSET 0) AS lock_timeout
  CROSS JOIN unnest(
    :accounts::text[], :references::text[], :merchantReferences::text[], :statuses::text[], :amounts::bigint[], :currencies::text[],
    :paidAtMs::bigint[], :createdAtMs::bigint[], :relatedTo::text[], :details::text[], :detailsRemovedAtMs::bigint[]
  ) WITH ORDINALITY AS given (
    account, reference, merchant_reference, status, amount_minor, currency_code,
    paid_at_ms, created_at_ms, related_to, details, details_removed_at_ms, ordinal
  )
  CROSS JOIN LATERAL (
    SELECT account, head_sequence,
      (SELECT before_ms FROM archives WHERE archives.account = accounts.account AND accounts.closed_at_sequence IS NULL) AS archived_before_ms
    FROM accounts WHERE accounts.account = given.account OFFSET 0
  ) AS head
  LEFT JOIN transactions AS t ON t.account = given.account AND t.reference = given.reference
  WHERE (SELECT current_setting('transactions.has_locked_all')) = 'true'
), advancing AS MATERIALIZED (
  SELECT
    found.account, found.reference, found.merchant_reference, found.status, found.amount_minor, found.currency_code, found.paid_at_ms,
    found.created_at_ms, found.related_to, found.details, found.final_details, found.details_removed_at_ms, found.ordinal, found.head_sequence
  FROM found JOIN transactions AS t ON t.account = found.account AND t.reference = found.reference
  WHERE found.advances AND (t.status, t.reference) IS NOT DISTINCT FROM ('pending', found.reference)
  ORDER BY found.account, found.reference
  FOR NO KEY UPDATE OF t
), numbered AS MATERIALIZED (
  SELECT *, head_sequence + count(*) OVER (PARTITION BY account ORDER BY ordinal ROWS UNBOUNDED PRECEDING) AS sequence
  FROM (
    SELECT account, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details,
      final_details, details_removed_at_ms, ordinal, head_sequence, true AS is_new
    FROM found WHERE is_new
    UNION ALL
    SELECT advancing.*, false FROM advancing
  ) AS changes
), inserted AS (
  INSERT INTO transactions (
    account, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details,
    final_details, details_removed_at_ms,
    pending_sequence, pending_recorded_at_ms, pending_nonce, final_sequence, final_recorded_at_ms, final_nonce
  )
  SELECT
    account, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details,
    final_details, details_removed_at_ms,
    CASE WHEN status = 'pending' THEN sequence END,
    CASE WHEN status = 'pending' THEN :recordedAtMs::bigint END,
    CASE WHEN status = 'pending' THEN :nonce::bigint END,
    CASE WHEN status <> 'pending' THEN sequence END,
    CASE WHEN status <> 'pending' THEN :recordedAtMs::bigint END,
    CASE WHEN status <> 'pending' THEN :nonce::bigint END
  FROM numbered WHERE is_new
  ORDER BY numbered.account, numbered.reference
  RETURNING 1
), advanced AS (
  UPDATE transactions AS t
  SET status = numbered.status, paid_at_ms = numbered.paid_at_ms, final_details = numbered.final_details,
    final_sequence = numbered.sequence, final_recorded_at_ms = :recordedAtMs, final_nonce = :nonce
  FROM numbered
  WHERE NOT numbered.is_new AND t.account = numbered.account AND t.reference = numbered.reference
  RETURNING 1
), heads AS (
  UPDATE accounts SET head_sequence = last.sequence
  FROM (SELECT account, max(sequence) AS sequence FROM numbered GROUP BY account) AS last
  WHERE accounts.account = ANY(ARRAY[last.account])
), totals AS (
  -- Adds the time from year 1 to 1970, because division would round a negative time up, to the next day.
  INSERT INTO daily_totals AS t (account, day, currency_code, status, count, amount)
  SELECT account, (created_at_ms + 62135596800000) / 86400000 - 719162, currency_code, status, sum(count), sum(amount)
  FROM (
    SELECT account, created_at_ms, currency_code, status, 1 AS count, amount_minor AS amount FROM numbered
    UNION ALL
    SELECT account, created_at_ms, currency_code, 'pending', -1, -amount_minor FROM numbered WHERE NOT is_new
  ) AS changes
  GROUP BY 1, 2, 3, 4
  ON CONFLICT (account, day, currency_code, status)
  DO UPDATE SET count = t.count + EXCLUDED.count, amount = t.amount + EXCLUDED.amount
  -- Fails if the stored count becomes negative. Why the column has no CHECK: see add-to-totals.sql.
  RETURNING CASE WHEN t.count < 0 THEN
    ('the stored totals of the account ' || t.account || ' are damaged, and nothing was recorded: run "transactions verify", which names them, and repair them as docs/backup.md says')::bigint
  END
), moved AS (
  UPDATE watched_accounts SET moved = pg_current_xact_id()
  FROM (SELECT DISTINCT account FROM numbered) AS moving
  WHERE watched_accounts.account = ANY(ARRAY[moving.account])
), written AS MATERIALIZED (
  SELECT (SELECT count(*) FROM inserted) + (SELECT count(*) FROM advanced) AS count
)
SELECT
  CASE
    WHEN (SELECT count FROM written) = (SELECT count(*) FROM numbered) THEN ordinal
    ELSE concat('the database left out a row: it wrote ', (SELECT count FROM written))::bigint
  END,
  CASE WHEN is_new THEN 0 ELSE 1 END::bigint,
  NULL, NULL, NULL, NULL::bigint, NULL, NULL::bigint, NULL::bigint, NULL, NULL, NULL, details_removed_at_ms, sequence
FROM numbered
UNION ALL
SELECT
  ordinal, 2, existing_reference, existing_merchant_reference, existing_status, existing_amount_minor, existing_currency_code,
  existing_paid_at_ms, existing_created_at_ms, existing_related_to, existing_details, existing_final_details,
  existing_details_removed_at_ms, CASE WHEN existing_reference IS NULL THEN archived_before_ms END
FROM found WHERE NOT is_new AND NOT advances;

-- name: useKey (server)
-- Uses an idempotency key. Returns no row if the key was used before or the transaction's day is archived.
INSERT INTO idempotency_keys (account, key, fingerprint, reference)
SELECT :account, :key, :fingerprint, :reference
FROM (SELECT set_config('lock_timeout', :waitMs, true) OFFSET 0) AS lock_timeout
WHERE NOT EXISTS (
  SELECT 1 FROM archives
  WHERE account = :account AND before_ms > :createdAtMs
    AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.account = archives.account AND closed_at_sequence IS NOT NULL)
)
ON CONFLICT (account, key) DO NOTHING
RETURNING reference;

-- name: readArchivedBefore (postgres)
-- Returns the end of an account's archived days if it is after :createdAtMs and no erasure has begun.
SELECT before_ms FROM archives
WHERE account = :account AND before_ms > :createdAtMs
  AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.account = archives.account AND closed_at_sequence IS NOT NULL);

-- name: readKey (postgres)
SELECT fingerprint, reference FROM idempotency_keys WHERE account = :account AND key = :key;

-- name: isRecorded (postgres)
SELECT 1::bigint FROM transactions WHERE account = :account AND reference = :reference;
