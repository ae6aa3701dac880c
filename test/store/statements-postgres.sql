-- Every statement of the store on PostgreSQL as it is sent, under the call of the store that sends it first (src/store/store.ts),
-- with what its plan reads and sorts. Lists with filters and a range at once are composed in the same way.
-- Written by "npm run statements".
--
-- Each is prepared once, as the service does, and can be pasted into psql with the settings at the beginning. A cluster has the same statements in a form that Citus can send to one shard: those that differ are in
-- the second half. Background work begins with a statement_timeout, which is left out.
SET jit = off;
SET plan_cache_mode = force_generic_plan;
SET enable_indexscan = on;
SET enable_indexonlyscan = on;
SET enable_nestloop = on;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SET enable_sort = off;
SET enable_incremental_sort = off;

-- ON ONE SERVER

-- listTransactions
PREPARE s1 AS
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, (SELECT before_ms FROM archives WHERE account = $1)
FROM (SELECT set_config('transactions.account', $1, true) AS account OFFSET 0) AS caller
CROSS JOIN LATERAL (
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM transactions
WHERE account = caller.account
ORDER BY created_at_ms DESC, reference DESC
LIMIT $2
) AS found;
-- Index archives_pkey (account)
-- Index transactions_by_time backward (account)
EXECUTE s1 ('acct-0007', 11);

PREPARE s2 AS
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, (SELECT before_ms FROM archives WHERE account = $1)
FROM (SELECT set_config('transactions.account', $1, true) AS account OFFSET 0) AS caller
CROSS JOIN LATERAL (
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms FROM (
(SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms FROM (
(SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM transactions
WHERE account = caller.account AND status = $4 AND currency_code >= $2 AND currency_code <= $2
ORDER BY currency_code DESC, created_at_ms DESC, reference DESC
LIMIT $3)
UNION ALL
(SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM transactions
WHERE account = caller.account AND status = $5 AND currency_code >= $2 AND currency_code <= $2
ORDER BY currency_code DESC, created_at_ms DESC, reference DESC
LIMIT $3)
) AS ranges
ORDER BY currency_code DESC, created_at_ms DESC, reference DESC
LIMIT $3)
UNION ALL
(SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM transactions
WHERE account = caller.account AND status < $4
ORDER BY status DESC, created_at_ms DESC, reference DESC
LIMIT 1)
UNION ALL
(SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM transactions
WHERE account = caller.account AND status > $4 AND status < $5
ORDER BY status DESC, created_at_ms DESC, reference DESC
LIMIT 1)
UNION ALL
(SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM transactions
WHERE account = caller.account AND status > $5
ORDER BY status DESC, created_at_ms DESC, reference DESC
LIMIT 1)
) AS merged
) AS found;
-- Index archives_pkey (account)
-- Index transactions_by_status_currency backward (account, status, currency_code, currency_code)
-- Index transactions_by_status backward (account, status)
-- Index transactions_by_status backward (account, status, status)
EXECUTE s2 ('acct-0007', 'EUR', 11, 'completed', 'pending');

PREPARE s3 AS
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, (SELECT before_ms FROM archives WHERE account = $1)
FROM (SELECT set_config('transactions.account', $1, true) AS account OFFSET 0) AS caller
CROSS JOIN LATERAL (
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM transactions
WHERE account = caller.account AND status >= $2 AND status <= $2
ORDER BY status DESC, created_at_ms DESC, reference DESC
LIMIT $3
) AS found;
-- Index archives_pkey (account)
-- Index transactions_by_status backward (account, status, status)
EXECUTE s3 ('acct-0007', 'completed', 11);

PREPARE s4 AS
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, (SELECT before_ms FROM archives WHERE account = $1)
FROM (SELECT set_config('transactions.account', $1, true) AS account OFFSET 0) AS caller
CROSS JOIN LATERAL (
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM transactions
WHERE account = caller.account AND status >= $2 AND (status, currency_code) <= ($2, $3)
ORDER BY status DESC, currency_code DESC, created_at_ms DESC, reference DESC
LIMIT $4
) AS found;
-- Index archives_pkey (account)
-- Index transactions_by_status_currency backward (account, status, ROW(status, currency_code))
EXECUTE s4 ('acct-0007', 'completed', 'EUR', 11);

PREPARE s5 AS
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, (SELECT before_ms FROM archives WHERE account = $1)
FROM (SELECT set_config('transactions.account', $1, true) AS account OFFSET 0) AS caller
CROSS JOIN LATERAL (
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM transactions
WHERE account = caller.account AND merchant_reference IS NOT NULL AND merchant_reference >= $2 AND merchant_reference <= $2
ORDER BY merchant_reference DESC, created_at_ms DESC, reference DESC
LIMIT $3
) AS found;
-- Index archives_pkey (account)
-- Index transactions_by_merchant_reference_time backward (account, merchant_reference, merchant_reference)
EXECUTE s5 ('acct-0007', 'order-1', 11);

PREPARE s6 AS
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, (SELECT before_ms FROM archives WHERE account = $1)
FROM (SELECT set_config('transactions.account', $1, true) AS account OFFSET 0) AS caller
CROSS JOIN LATERAL (
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM transactions
WHERE account = caller.account AND merchant_reference IS NOT NULL AND merchant_reference >= $2 AND merchant_reference <= $2 AND currency_code = $3
ORDER BY merchant_reference DESC, created_at_ms DESC, reference DESC
LIMIT $4
) AS found;
-- Index archives_pkey (account)
-- Index transactions_by_merchant_reference_time backward (account, merchant_reference, merchant_reference, currency_code)
EXECUTE s6 ('acct-0007', 'order-1', 'EUR', 11);

PREPARE s7 AS
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, (SELECT before_ms FROM archives WHERE account = $1)
FROM (SELECT set_config('transactions.account', $1, true) AS account OFFSET 0) AS caller
CROSS JOIN LATERAL (
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM transactions
WHERE account = caller.account AND merchant_reference IS NOT NULL AND merchant_reference >= $2 AND merchant_reference <= $2 AND status = $3
ORDER BY merchant_reference DESC, created_at_ms DESC, reference DESC
LIMIT $4
) AS found;
-- Index archives_pkey (account)
-- Index transactions_by_merchant_reference_time backward (account, merchant_reference, merchant_reference, status)
EXECUTE s7 ('acct-0007', 'order-1', 'completed', 11);

PREPARE s8 AS
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, (SELECT before_ms FROM archives WHERE account = $1)
FROM (SELECT set_config('transactions.account', $1, true) AS account OFFSET 0) AS caller
CROSS JOIN LATERAL (
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM transactions
WHERE account = caller.account AND merchant_reference IS NOT NULL AND merchant_reference >= $2 AND merchant_reference <= $2 AND status = $3 AND currency_code = $4
ORDER BY merchant_reference DESC, created_at_ms DESC, reference DESC
LIMIT $5
) AS found;
-- Index archives_pkey (account)
-- Index transactions_by_merchant_reference_time backward (account, merchant_reference, merchant_reference, status, currency_code)
EXECUTE s8 ('acct-0007', 'order-1', 'completed', 'EUR', 11);

PREPARE s9 AS
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, (SELECT before_ms FROM archives WHERE account = $1)
FROM (SELECT set_config('transactions.account', $1, true) AS account OFFSET 0) AS caller
CROSS JOIN LATERAL (
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM transactions
WHERE account = caller.account AND created_at_ms >= $2
ORDER BY created_at_ms DESC, reference DESC
LIMIT $3
) AS found;
-- Index archives_pkey (account)
-- Index transactions_by_time backward (account, created_at_ms)
EXECUTE s9 ('acct-0007', 1769904000000, 11);

PREPARE s10 AS
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, (SELECT before_ms FROM archives WHERE account = $1)
FROM (SELECT set_config('transactions.account', $1, true) AS account OFFSET 0) AS caller
CROSS JOIN LATERAL (
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM transactions
WHERE account = caller.account AND created_at_ms < $2
ORDER BY created_at_ms DESC, reference DESC
LIMIT $3
) AS found;
-- Index archives_pkey (account)
-- Index transactions_by_time backward (account, created_at_ms)
EXECUTE s10 ('acct-0007', 1769990400000, 11);

PREPARE s11 AS
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, (SELECT before_ms FROM archives WHERE account = $1)
FROM (SELECT set_config('transactions.account', $1, true) AS account OFFSET 0) AS caller
CROSS JOIN LATERAL (
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM transactions
WHERE account = caller.account AND (created_at_ms, reference) < ($2, $3)
ORDER BY created_at_ms DESC, reference DESC
LIMIT $4
) AS found;
-- Index archives_pkey (account)
-- Index transactions_by_time backward (account, ROW(created_at_ms, reference))
EXECUTE s11 ('acct-0007', 1769904000000, 'tx_04000', 11);

PREPARE s12 AS
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, (SELECT before_ms FROM archives WHERE account = $1)
FROM (SELECT set_config('transactions.account', $1, true) AS account OFFSET 0) AS caller
CROSS JOIN LATERAL (
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM transactions
WHERE account = caller.account AND created_at_ms >= $2 AND (created_at_ms, reference) < ($3, $4)
ORDER BY created_at_ms DESC, reference DESC
LIMIT $5
) AS found;
-- Index archives_pkey (account)
-- Index transactions_by_time backward (account, created_at_ms, ROW(created_at_ms, reference))
EXECUTE s12 ('acct-0007', 1769904000000, 1769907398400, 'tx_04000', 11);

-- searchTransactions
PREPARE s13 AS
WITH scanned AS MATERIALIZED (
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM (SELECT set_config('transactions.account', $1, true) AS account OFFSET 0) AS caller
CROSS JOIN LATERAL (
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM transactions
WHERE account = caller.account
ORDER BY created_at_ms DESC, reference DESC
LIMIT $2
) AS found
)
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, NULL::bigint AS read
FROM scanned
WHERE ($3::text IS NULL OR merchant_reference = $3::text)
  AND ($4::text IS NULL OR status = $4::text)
  AND ($5::text IS NULL OR currency_code = $5::text)
  AND ($6::bigint IS NULL OR created_at_ms >= $6::bigint)
  AND ($7::bigint IS NULL OR amount_minor >= $7::bigint)
  AND ($8::bigint IS NULL OR amount_minor <= $8::bigint)
  AND ($9::bigint IS NULL OR paid_at_ms >= $9::bigint)
  AND ($10::bigint IS NULL OR paid_at_ms < $10::bigint)
  AND ($11::text IS NULL OR CASE WHEN octet_length(reference) > length(reference) THEN normalize(reference) ELSE reference END ~ $11::text
    OR CASE WHEN octet_length(merchant_reference) > length(merchant_reference) THEN normalize(merchant_reference) ELSE merchant_reference END ~ $11::text
    OR coalesce(final_details, details) IS NOT NULL
      AND EXISTS (SELECT 1 FROM json_each_text(coalesce(final_details, details)::json) WHERE CASE WHEN octet_length(value) > length(value) THEN normalize(value) ELSE value END ~ $11::text))
UNION ALL
(SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, (SELECT count(*) FROM scanned) AS read
FROM scanned
ORDER BY created_at_ms, reference
LIMIT 1);
-- Index transactions_by_time backward (account)
-- Sort
EXECUTE s13 ('acct-0007', 2000, NULL, NULL, NULL, NULL, 1, NULL, NULL, NULL, '[AaÀ-Åà-åĀ-ąǍ-ǎǞ-ǡǺ-ǻȀ-ȃȦ-ȧḀ-ḁẠ-ặＡａ][BbḂ-ḇＢｂ][CcÇçĆ-čḈ-ḉＣｃ]');

PREPARE s14 AS
WITH scanned AS MATERIALIZED (
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM (SELECT set_config('transactions.account', $1, true) AS account OFFSET 0) AS caller
CROSS JOIN LATERAL (
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM transactions
WHERE account = caller.account AND merchant_reference IS NOT NULL AND merchant_reference >= $2 AND merchant_reference <= $2
ORDER BY merchant_reference DESC, created_at_ms DESC, reference DESC
LIMIT $3
) AS found
)
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, NULL::bigint AS read
FROM scanned
WHERE ($4::text IS NULL OR merchant_reference = $4::text)
  AND ($5::text IS NULL OR status = $5::text)
  AND ($6::text IS NULL OR currency_code = $6::text)
  AND ($7::bigint IS NULL OR created_at_ms >= $7::bigint)
  AND ($8::bigint IS NULL OR amount_minor >= $8::bigint)
  AND ($9::bigint IS NULL OR amount_minor <= $9::bigint)
  AND ($10::bigint IS NULL OR paid_at_ms >= $10::bigint)
  AND ($11::bigint IS NULL OR paid_at_ms < $11::bigint)
  AND ($12::text IS NULL OR CASE WHEN octet_length(reference) > length(reference) THEN normalize(reference) ELSE reference END ~ $12::text
    OR CASE WHEN octet_length(merchant_reference) > length(merchant_reference) THEN normalize(merchant_reference) ELSE merchant_reference END ~ $12::text
    OR coalesce(final_details, details) IS NOT NULL
      AND EXISTS (SELECT 1 FROM json_each_text(coalesce(final_details, details)::json) WHERE CASE WHEN octet_length(value) > length(value) THEN normalize(value) ELSE value END ~ $12::text))
UNION ALL
(SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, (SELECT count(*) FROM scanned) AS read
FROM scanned
ORDER BY created_at_ms, reference
LIMIT 1);
-- Index transactions_by_merchant_reference_time backward (account, merchant_reference, merchant_reference)
-- Sort
EXECUTE s14 ('acct-0007', 'order-1', 2000, 'order-1', 'completed', 'EUR', NULL, 1, NULL, NULL, NULL, '[AaÀ-Åà-åĀ-ąǍ-ǎǞ-ǡǺ-ǻȀ-ȃȦ-ȧḀ-ḁẠ-ặＡａ][BbḂ-ḇＢｂ][CcÇçĆ-čḈ-ḉＣｃ]');

-- listNumbered
PREPARE s15 AS
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, pending_sequence, pending_recorded_at_ms, final_sequence, final_recorded_at_ms
FROM (SELECT set_config('transactions.account', $1, true) AS account OFFSET 0) AS caller
CROSS JOIN LATERAL (
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, pending_sequence, pending_recorded_at_ms, final_sequence, final_recorded_at_ms
FROM transactions
WHERE account = caller.account
ORDER BY created_at_ms DESC, reference DESC
LIMIT $2
) AS found;
-- Index transactions_by_time backward (account)
EXECUTE s15 ('acct-0007', 100);

PREPARE s16 AS
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, pending_sequence, pending_recorded_at_ms, final_sequence, final_recorded_at_ms
FROM (SELECT set_config('transactions.account', $1, true) AS account OFFSET 0) AS caller
CROSS JOIN LATERAL (
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, pending_sequence, pending_recorded_at_ms, final_sequence, final_recorded_at_ms
FROM transactions
WHERE account = caller.account AND merchant_reference IS NOT NULL AND merchant_reference >= $2 AND merchant_reference <= $2 AND status = $3 AND currency_code = $4
ORDER BY merchant_reference DESC, created_at_ms DESC, reference DESC
LIMIT $5
) AS found;
-- Index transactions_by_merchant_reference_time backward (account, merchant_reference, merchant_reference, status, currency_code)
EXECUTE s16 ('acct-0007', 'order-1', 'completed', 'EUR', 100);

-- retrieveTransaction
PREPARE s17 AS
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM (SELECT set_config('transactions.account', $1, true) AS account OFFSET 0) AS caller
CROSS JOIN LATERAL (
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms FROM transactions WHERE account = caller.account AND reference = $2 LIMIT 1
) AS found;
-- Index transactions_pkey (account, reference)
EXECUTE s17 ('acct-0007', 'acct-0007.1');

-- listRelated
PREPARE s18 AS
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM (SELECT set_config('transactions.account', $1, true) AS account OFFSET 0) AS caller
CROSS JOIN LATERAL (
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM transactions
WHERE account = caller.account AND related_to IS NOT NULL AND related_to >= $2 AND (related_to, created_at_ms, reference) < ($2, $3, $4)
ORDER BY related_to DESC, created_at_ms DESC, reference DESC
LIMIT $5
) AS found;
-- Index transactions_by_related_to_time backward (account, related_to, ROW(related_to, created_at_ms, reference))
EXECUTE s18 ('acct-0007', 'acct-0007.1', 9007199254740991, '', 11);

-- recordTransactions
PREPARE s19 AS
WITH locked AS MATERIALIZED (
  SELECT accounts.account FROM (SELECT set_config('lock_timeout', $2, true) OFFSET 0) AS lock_timeout CROSS JOIN accounts
  WHERE accounts.account = ANY($1::text[]) ORDER BY accounts.account FOR NO KEY UPDATE OF accounts
)
SELECT count, set_config('transactions.has_locked_all', (count = cardinality($1))::text, true)
FROM (SELECT count(*) FROM locked) AS all_locked;
-- Index accounts_pkey (account)
PREPARE s20 AS
WITH found AS MATERIALIZED (
  SELECT head.account, given.reference COLLATE "C" AS reference, given.merchant_reference, given.status, given.amount_minor, given.currency_code, given.paid_at_ms, given.created_at_ms, given.related_to, given.details, CASE WHEN t.reference IS NOT NULL THEN CASE WHEN t.details_removed_at_ms IS NULL THEN nullif(given.details, t.details) END END AS final_details, CASE WHEN t.reference IS NULL THEN given.details_removed_at_ms ELSE t.details_removed_at_ms END AS details_removed_at_ms, ordinal,
    head.head_sequence, head.archived_before_ms, t.reference IS NULL AND (given.created_at_ms < head.archived_before_ms) IS NOT TRUE AS is_new,
    given.status <> 'pending' AND (t.status, t.merchant_reference, t.amount_minor, t.currency_code, t.created_at_ms, t.related_to) IS NOT DISTINCT FROM ('pending', given.merchant_reference, given.amount_minor, given.currency_code, given.created_at_ms, given.related_to)
      AND (t.details_removed_at_ms IS NOT NULL OR t.details IS NULL OR (given.details::jsonb @> t.details::jsonb) IS TRUE) AS advances,
    t.reference AS existing_reference, t.merchant_reference AS existing_merchant_reference, t.status AS existing_status, t.amount_minor AS existing_amount_minor, t.currency_code AS existing_currency_code, t.paid_at_ms AS existing_paid_at_ms, t.created_at_ms AS existing_created_at_ms, t.related_to AS existing_related_to, t.details AS existing_details, t.final_details AS existing_final_details, t.details_removed_at_ms AS existing_details_removed_at_ms
  FROM (SELECT set_config('lock_timeout', $13, true) OFFSET 0) AS lock_timeout CROSS JOIN unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::bigint[], $8::bigint[], $9::text[], $10::text[], $11::text[], $12::bigint[])
    WITH ORDINALITY AS given (account, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, ordinal)
  CROSS JOIN LATERAL (SELECT account, head_sequence, (SELECT before_ms FROM archives WHERE archives.account = accounts.account AND accounts.closed_at_sequence IS NULL) AS archived_before_ms
    FROM accounts WHERE accounts.account = given.account OFFSET 0) AS head
  LEFT JOIN transactions AS t ON t.account = given.account AND t.reference = given.reference
  WHERE (SELECT current_setting('transactions.has_locked_all')) = 'true'
), advancing AS MATERIALIZED (
  SELECT found.account, found.reference, found.merchant_reference, found.status, found.amount_minor, found.currency_code, found.paid_at_ms, found.created_at_ms, found.related_to, found.details, found.final_details, found.details_removed_at_ms, found.ordinal, found.head_sequence
  FROM found JOIN transactions AS t ON t.account = found.account AND t.reference = found.reference
  WHERE found.advances AND (t.status, t.reference) IS NOT DISTINCT FROM ('pending', found.reference)
  ORDER BY found.account, found.reference FOR NO KEY UPDATE OF t
), numbered AS MATERIALIZED (
  SELECT *, head_sequence + count(*) OVER (PARTITION BY account ORDER BY ordinal ROWS UNBOUNDED PRECEDING) AS sequence
  FROM (
    SELECT account, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, ordinal, head_sequence, true AS is_new FROM found WHERE is_new
    UNION ALL SELECT account, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, ordinal, head_sequence, false FROM advancing
  ) AS changes
), inserted AS (
  INSERT INTO transactions (account, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, pending_sequence, pending_recorded_at_ms, pending_nonce, final_sequence, final_recorded_at_ms, final_nonce)
  SELECT account, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, CASE WHEN status = 'pending' THEN sequence END, CASE WHEN status = 'pending' THEN $14::bigint END, CASE WHEN status = 'pending' THEN $15::bigint END, CASE WHEN status <> 'pending' THEN sequence END, CASE WHEN status <> 'pending' THEN $14::bigint END, CASE WHEN status <> 'pending' THEN $15::bigint END
  FROM numbered WHERE is_new ORDER BY numbered.account, numbered.reference RETURNING 1
), advanced AS (
  UPDATE transactions AS t SET status = numbered.status, paid_at_ms = numbered.paid_at_ms, final_details = numbered.final_details, final_sequence = numbered.sequence,
    final_recorded_at_ms = $14, final_nonce = $15
  FROM numbered WHERE NOT numbered.is_new AND t.account = numbered.account AND t.reference = numbered.reference RETURNING 1
), heads AS (
  UPDATE accounts SET head_sequence = last.sequence
  FROM (SELECT account, max(sequence) AS sequence FROM numbered GROUP BY account) AS last
  WHERE accounts.account = ANY(ARRAY[last.account])
), totals AS (
  INSERT INTO daily_totals AS t (account, day, currency_code, status, count, amount) 
  SELECT account, (created_at_ms + 62135596800000) / 86400000 - 719162, currency_code, status, sum(count), sum(amount) FROM (
    SELECT account, created_at_ms, currency_code, status, 1 AS count, amount_minor AS amount FROM numbered
    UNION ALL SELECT account, created_at_ms, currency_code, 'pending', -1, -amount_minor FROM numbered WHERE NOT is_new
  ) AS changes GROUP BY 1, 2, 3, 4
ON CONFLICT (account, day, currency_code, status) DO UPDATE SET count = t.count + EXCLUDED.count, amount = t.amount + EXCLUDED.amount
RETURNING CASE WHEN t.count < 0 THEN ('the stored totals of the account ' || t.account || ' are damaged, and nothing was recorded: run "transactions verify", which names them, and repair them as docs/backup.md says')::bigint END
), moved AS (
  UPDATE watched_accounts SET moved = pg_current_xact_id() FROM (SELECT DISTINCT account FROM numbered) AS moving
  WHERE watched_accounts.account = ANY(ARRAY[moving.account])
), written AS MATERIALIZED (
  SELECT (SELECT count(*) FROM inserted) + (SELECT count(*) FROM advanced) AS count
)
SELECT CASE WHEN (SELECT count FROM written) = (SELECT count(*) FROM numbered) THEN ordinal
    ELSE concat('the database left out a row: it wrote ', (SELECT count FROM written))::bigint END,
  CASE WHEN is_new THEN 0 ELSE 1 END::bigint, NULL, NULL, NULL, NULL::bigint, NULL, NULL::bigint, NULL::bigint, NULL, NULL, NULL, details_removed_at_ms, sequence
FROM numbered
UNION ALL SELECT ordinal, 2, existing_reference, existing_merchant_reference, existing_status, existing_amount_minor, existing_currency_code, existing_paid_at_ms, existing_created_at_ms, existing_related_to, existing_details, existing_final_details, existing_details_removed_at_ms, CASE WHEN existing_reference IS NULL THEN archived_before_ms END
FROM found WHERE NOT is_new AND NOT advances;
-- Index transactions_pkey (account, reference)
-- Index accounts_pkey (account)
-- Index archives_pkey (account)
-- Sort
-- Index transactions_pkey (account, reference) filtered
-- Index watched_accounts_pkey (account)
BEGIN;
EXECUTE s19 ('{"acct-0007","acct-new"}', 50);
EXECUTE s20 ('{"acct-0007","acct-new"}', '{"acct-0007.new","acct-new.a"}', '{NULL,NULL}', '{"pending","completed"}', '{1250,1250}', '{"EUR","EUR"}', '{NULL,1772323200000}', '{1772323200000,1772323200000}', '{NULL,NULL}', '{NULL,NULL}', '{NULL,NULL}', '{NULL,NULL}', 50, 0, 7);
COMMIT;

PREPARE s21 AS
INSERT INTO accounts (account, head_sequence)
SELECT given.account, greatest(0, (SELECT max(pending_sequence) FROM transactions AS t WHERE t.account = given.account AND pending_sequence IS NOT NULL), (SELECT max(final_sequence) FROM transactions AS t WHERE t.account = given.account AND final_sequence IS NOT NULL)) FROM (SELECT set_config('lock_timeout', $2, true) OFFSET 0) AS lock_timeout CROSS JOIN unnest($1::text[]) AS given (account)
ORDER BY given.account COLLATE "C" ON CONFLICT (account) DO NOTHING;
-- Sort
-- Index transactions_by_pending_sequence backward (account)
-- Index transactions_by_final_sequence backward (account)
EXECUTE s21 ('{"acct-0007","acct-new"}', 50);

PREPARE s22 AS
INSERT INTO recorded_statuses (status) VALUES ($1) ON CONFLICT DO NOTHING;
EXECUTE s22 ('refunded');

-- recordOnce
PREPARE s23 AS
INSERT INTO idempotency_keys (account, key, fingerprint, reference)
SELECT $1, $2, $3, $4 FROM (SELECT set_config('lock_timeout', $6, true) OFFSET 0) AS lock_timeout WHERE NOT EXISTS (SELECT 1 FROM archives WHERE account = $1 AND before_ms > $5 AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.account = archives.account AND closed_at_sequence IS NOT NULL))
ON CONFLICT (account, key) DO NOTHING RETURNING reference;
-- Index archives_pkey (account) filtered
-- Index accounts_pkey (account) filtered
EXECUTE s23 ('acct-0007', 'once', '0000000000000000000000000000000000000000000000000000000000000000', 'acct-0007.once', 1772323200000, 50);

PREPARE s24 AS
SELECT fingerprint, reference FROM idempotency_keys WHERE account = $1 AND key = $2;
-- Index idempotency_keys_pkey (account, key)
EXECUTE s24 ('acct-0007', 'once');

PREPARE s25 AS
SELECT 1 FROM transactions WHERE account = $1 AND reference = $2;
-- Index transactions_pkey (account, reference)
EXECUTE s25 ('acct-0007', 'acct-0007.once');

-- removeDetails
BEGIN;
SELECT head_sequence FROM accounts WHERE account = 'acct-0007' FOR NO KEY UPDATE;
SELECT 1 FROM transactions WHERE account = 'acct-0007' AND reference = 'acct-0007.1';
INSERT INTO account_audit (account, at_ms, id, action, subject, detail, via, actor, address)
SELECT 'acct-0007', 1000, 'au_0000000000000001', 'key.created', 'key_0000000000000001', NULL, 'command', 'tester', NULL FROM transactions WHERE account = 'acct-0007' AND reference = 'acct-0007.1' AND (details IS NOT NULL OR final_details IS NOT NULL);
UPDATE transactions SET details = NULL, final_details = NULL, details_removed_at_ms = 1000
WHERE account = 'acct-0007' AND reference = 'acct-0007.1' AND (details IS NOT NULL OR final_details IS NOT NULL) RETURNING 1;
COMMIT;

-- listChanges
PREPARE s26 AS
SELECT head_sequence, floor_sequence, floor_nonce, sequence, nonce, previous_status, recorded_at_ms, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM (SELECT set_config('transactions.account', $1, true) AS account OFFSET 0) AS caller
CROSS JOIN LATERAL (
SELECT head.head_sequence, floor.floor_sequence, floor.floor_nonce, sequence, nonce, previous_status, recorded_at_ms, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM (SELECT coalesce((SELECT accounts.head_sequence FROM accounts WHERE accounts.account = caller.account), 0) AS head_sequence OFFSET 0) AS head
LEFT JOIN LATERAL (
SELECT archives.floor_sequence, archives.floor_nonce FROM archives WHERE archives.account = caller.account OFFSET 0
) AS floor ON true
LEFT JOIN LATERAL (
SELECT sequence, nonce, previous_status, recorded_at_ms, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms FROM (
(SELECT pending_sequence AS sequence, pending_nonce AS nonce, NULL AS previous_status, pending_recorded_at_ms AS recorded_at_ms, reference, merchant_reference, 'pending'::text COLLATE "C" AS status, amount_minor, currency_code, NULL::bigint AS paid_at_ms, created_at_ms, related_to, details, NULL::text COLLATE "C" AS final_details, details_removed_at_ms
FROM transactions
WHERE account = caller.account AND pending_sequence >= $2
ORDER BY pending_sequence
LIMIT $3)
UNION ALL
(SELECT final_sequence, final_nonce, CASE WHEN pending_sequence IS NOT NULL THEN 'pending' END, final_recorded_at_ms, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM transactions
WHERE account = caller.account AND final_sequence >= $2
ORDER BY final_sequence
LIMIT $3)
) AS ranges
ORDER BY sequence
LIMIT $3
) AS changes ON true
) AS found;
-- Index accounts_pkey (account)
-- Index archives_pkey (account)
-- Index transactions_by_pending_sequence (account, pending_sequence)
-- Index transactions_by_final_sequence (account, final_sequence)
EXECUTE s26 ('acct-0007', 1, 11);

-- listTransactionChanges
PREPARE s27 AS
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, pending_sequence, pending_recorded_at_ms, pending_nonce, final_sequence, final_recorded_at_ms, final_nonce
FROM (SELECT set_config('transactions.account', $1, true) AS account OFFSET 0) AS caller
CROSS JOIN LATERAL (
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, pending_sequence, pending_recorded_at_ms, pending_nonce, final_sequence, final_recorded_at_ms, final_nonce FROM transactions WHERE account = caller.account AND reference = $2 LIMIT 1
) AS found;
-- Index transactions_pkey (account, reference)
EXECUTE s27 ('acct-0007', 'acct-0007.1');

-- findMissingChanges
PREPARE s28 AS
SELECT place
FROM (SELECT set_config('transactions.account', $1, true) AS account OFFSET 0) AS caller
CROSS JOIN LATERAL (
SELECT given.ordinal - 1 AS place FROM unnest($2::bigint[], $3::bigint[], $4::float8[]) WITH ORDINALITY AS given (sequence, nonce, age_ms, ordinal)
WHERE coalesce((SELECT t.pending_nonce FROM transactions AS t WHERE t.account = caller.account AND t.pending_sequence = given.sequence), (SELECT t.final_nonce FROM transactions AS t WHERE t.account = caller.account AND t.final_sequence = given.sequence), (SELECT CASE WHEN a.floor_sequence = given.sequence THEN a.floor_nonce ELSE -1 END FROM archives AS a WHERE a.account = caller.account AND a.floor_sequence >= given.sequence)) IS DISTINCT FROM given.nonce
  AND NOT EXISTS (SELECT FROM accounts AS erased WHERE erased.account = caller.account AND (closed_at_sequence IS NOT NULL OR erased_at_ms >= floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint - given.age_ms))
  AND NOT EXISTS (SELECT FROM archives AS archived WHERE archived.account = caller.account AND floor_sequence >= given.sequence)
) AS found;
-- Index accounts_pkey (account) filtered
-- Index transactions_by_pending_sequence (account, pending_sequence)
-- Index transactions_by_final_sequence (account, final_sequence)
-- Index archives_pkey (account) filtered
-- Index archives_pkey (account)
EXECUTE s28 ('acct-0007', '{1}', '{1}', '{1}');

-- readHeads
PREPARE s29 AS
SELECT account, head_sequence FROM accounts WHERE account = ANY($1::text[]) AND head_sequence > 0;
-- Index accounts_pkey (account) filtered
EXECUTE s29 ('{"acct-0007","acct-0008"}');

-- readStoredTotals
PREPARE s30 AS
SELECT head_sequence, last_nonce, day, currency_code, status, count, amount
FROM (SELECT set_config('transactions.account', $1, true) AS account OFFSET 0) AS caller
CROSS JOIN LATERAL (
SELECT last_number.head_sequence, last_change.nonce AS last_nonce, day, currency_code, status, count, amount
FROM (
SELECT coalesce((SELECT accounts.head_sequence FROM accounts WHERE accounts.account = caller.account), 0) AS head_sequence OFFSET 0
) AS last_number
CROSS JOIN LATERAL (
SELECT coalesce((SELECT t.pending_nonce FROM transactions AS t WHERE t.account = caller.account AND t.pending_sequence = last_number.head_sequence), (SELECT t.final_nonce FROM transactions AS t WHERE t.account = caller.account AND t.final_sequence = last_number.head_sequence), (SELECT CASE WHEN a.floor_sequence = last_number.head_sequence THEN a.floor_nonce ELSE -1 END FROM archives AS a WHERE a.account = caller.account AND a.floor_sequence >= last_number.head_sequence)) AS nonce OFFSET 0
) AS last_change
LEFT JOIN LATERAL (
SELECT NULL::bigint AS day, currency_code, status, sum(count)::bigint AS count, sum(amount)::text AS amount FROM daily_totals
WHERE account = caller.account AND day >= $4 AND day <= $5
  AND ($2::text = '' OR status = $2) AND ($3::text = '' OR currency_code = $3)
GROUP BY currency_code, status
) AS totals ON true
) AS found;
-- Index accounts_pkey (account)
-- Index transactions_by_pending_sequence (account, pending_sequence)
-- Index transactions_by_final_sequence (account, final_sequence)
-- Index archives_pkey (account) filtered
-- Index daily_totals_pkey (account, day, day) filtered
EXECUTE s30 ('acct-0007', '', '', 1, 9);

PREPARE s31 AS
SELECT head_sequence, last_nonce, day, currency_code, status, count, amount
FROM (SELECT set_config('transactions.account', $1, true) AS account OFFSET 0) AS caller
CROSS JOIN LATERAL (
SELECT last_number.head_sequence, last_change.nonce AS last_nonce, day, currency_code, status, count, amount
FROM (
SELECT coalesce((SELECT accounts.head_sequence FROM accounts WHERE accounts.account = caller.account), 0) AS head_sequence OFFSET 0
) AS last_number
CROSS JOIN LATERAL (
SELECT coalesce((SELECT t.pending_nonce FROM transactions AS t WHERE t.account = caller.account AND t.pending_sequence = last_number.head_sequence), (SELECT t.final_nonce FROM transactions AS t WHERE t.account = caller.account AND t.final_sequence = last_number.head_sequence), (SELECT CASE WHEN a.floor_sequence = last_number.head_sequence THEN a.floor_nonce ELSE -1 END FROM archives AS a WHERE a.account = caller.account AND a.floor_sequence >= last_number.head_sequence)) AS nonce OFFSET 0
) AS last_change
LEFT JOIN LATERAL (
SELECT day::bigint AS day, currency_code, status, count, amount::text AS amount FROM daily_totals
WHERE account = caller.account AND day >= $4 AND day <= $5
  AND ($2::text = '' OR status = $2) AND ($3::text = '' OR currency_code = $3)
) AS totals ON true
) AS found;
-- Index accounts_pkey (account)
-- Index transactions_by_pending_sequence (account, pending_sequence)
-- Index transactions_by_final_sequence (account, final_sequence)
-- Index archives_pkey (account) filtered
-- Index daily_totals_pkey (account, day, day) filtered
EXECUTE s31 ('acct-0007', '', '', 1, 9);

-- readNonce
PREPARE s32 AS
SELECT nonce
FROM (SELECT set_config('transactions.account', $1, true) AS account OFFSET 0) AS caller
CROSS JOIN LATERAL (
SELECT coalesce((SELECT t.pending_nonce FROM transactions AS t WHERE t.account = caller.account AND t.pending_sequence = $2), (SELECT t.final_nonce FROM transactions AS t WHERE t.account = caller.account AND t.final_sequence = $2), (SELECT CASE WHEN a.floor_sequence = $2 THEN a.floor_nonce ELSE -1 END FROM archives AS a WHERE a.account = caller.account AND a.floor_sequence >= $2)) AS nonce
) AS found;
-- Index transactions_by_pending_sequence (account, pending_sequence)
-- Index transactions_by_final_sequence (account, final_sequence)
-- Index archives_pkey (account) filtered
EXECUTE s32 ('acct-0007', 9);

-- listUnsealed
PREPARE s33 AS
SELECT accounts.account, accounts.head_sequence - coalesce(seals.sequence, 0)
FROM accounts LEFT JOIN seals ON seals.account = accounts.account AND seals.account > $1
WHERE accounts.account > $1 ORDER BY accounts.account LIMIT $2;
-- Index accounts_pkey (account)
-- Index seals_pkey (account, account)
EXECUTE s33 ('acct-0007', 10);

-- readSeal
PREPARE s34 AS
SELECT sequence, nonce, seal, digests
FROM (SELECT set_config('transactions.account', $1, true) AS account OFFSET 0) AS caller
CROSS JOIN LATERAL (
SELECT sequence, nonce, seal, digests FROM seals WHERE seals.account = caller.account
) AS found;
-- Index seals_pkey (account)
EXECUTE s34 ('acct-0007');

-- storeSeals
PREPARE s35 AS
INSERT INTO seals (account, sequence, seal, digests)
SELECT account, 0, '0000000000000000000000000000000000000000000000000000000000000000', '' FROM accounts WHERE account = $1 AND coalesce((SELECT t.pending_nonce FROM transactions AS t WHERE t.account = $1 AND t.pending_sequence = $2), (SELECT t.final_nonce FROM transactions AS t WHERE t.account = $1 AND t.final_sequence = $2), (SELECT CASE WHEN a.floor_sequence = $2 THEN a.floor_nonce ELSE -1 END FROM archives AS a WHERE a.account = $1 AND a.floor_sequence >= $2)) = $3
ON CONFLICT (account) DO NOTHING;
-- Index transactions_by_pending_sequence (account, pending_sequence)
-- Index transactions_by_final_sequence (account, final_sequence)
-- Index archives_pkey (account) filtered
-- Index accounts_pkey (account)
PREPARE s36 AS
WITH moved AS (
  UPDATE seals SET sequence = $3, nonce = $4, seal = $5, digests = $6
  WHERE account = $1 AND sequence = $2 AND coalesce((SELECT t.pending_nonce FROM transactions AS t WHERE t.account = $1 AND t.pending_sequence = $3), (SELECT t.final_nonce FROM transactions AS t WHERE t.account = $1 AND t.final_sequence = $3), (SELECT CASE WHEN a.floor_sequence = $3 THEN a.floor_nonce ELSE -1 END FROM archives AS a WHERE a.account = $1 AND a.floor_sequence >= $3)) = $4 RETURNING account
), added AS (
  INSERT INTO seal_blocks (account, sequence, seal, digests)
  SELECT moved.account, blocks.* FROM moved CROSS JOIN unnest($7::bigint[], $8::text[], $9::text[]) AS blocks
)
SELECT count(*) FROM moved;
-- Index transactions_by_pending_sequence (account, pending_sequence)
-- Index transactions_by_final_sequence (account, final_sequence)
-- Index archives_pkey (account) filtered
-- Index seals_pkey (account) filtered
BEGIN;
SELECT set_config('synchronous_commit', 'off', true);
EXECUTE s35 ('acct-new', 1, 7);
EXECUTE s36 ('acct-new', 0, 1, 7, 'f7b67ab71fa9798fc2747b991cc42a105e9894d15067de2e2724e3b1b49b28ec', 'bMl_Hh9D', '{}', '{}', '{}');
COMMIT;

BEGIN;
SELECT set_config('synchronous_commit', 'off', true);
EXECUTE s36 ('acct-new', 1, 1, 7, 'f7b67ab71fa9798fc2747b991cc42a105e9894d15067de2e2724e3b1b49b28ec', 'bMl_Hh9D', '{}', '{}', '{}');
COMMIT;

-- sumListed
PREPARE s37 AS
SELECT currency_code, status, part_start_ms, count, amount, first_ms, created_at_ms, reference
FROM (SELECT set_config('transactions.account', $1, true) AS account OFFSET 0) AS caller
CROSS JOIN LATERAL (
SELECT currency_code, status, part_start_ms, count(*) AS count, sum(amount_minor)::text AS amount, min(created_at_ms) AS first_ms,
  max(created_at_ms) AS created_at_ms, NULL::text AS reference
FROM (
SELECT currency_code, amount_minor, created_at_ms, paid_at_ms, final_sequence,
  paid_at_ms - (paid_at_ms + 62135596800000) % $11::bigint AS part_start_ms, CASE WHEN final_sequence <= $2 THEN status WHEN pending_sequence <= $2 THEN 'pending' END AS status
FROM transactions
WHERE account = caller.account AND merchant_reference >= $12 AND (merchant_reference, created_at_ms, reference) < ($12, $4, $5)
ORDER BY merchant_reference DESC, created_at_ms DESC, reference DESC LIMIT $6
) AS listed
WHERE status IS NOT NULL AND created_at_ms >= $3
  AND ($9::text = '' OR status = $9) AND ($10::text = '' OR currency_code = $10)
  AND ($7::bigint IS NULL OR (paid_at_ms >= $7 AND paid_at_ms < $8 AND final_sequence <= $2))
GROUP BY currency_code, status, part_start_ms
UNION ALL
(SELECT '', '', NULL, 0, '0', NULL, created_at_ms, reference
FROM transactions
WHERE account = caller.account AND merchant_reference >= $12 AND (merchant_reference, created_at_ms, reference) < ($12, $4, $5)
ORDER BY merchant_reference DESC, created_at_ms DESC, reference DESC OFFSET $6::bigint - 1 LIMIT 1)
) AS found;
-- Index transactions_by_merchant_reference_time backward (account, merchant_reference, ROW(merchant_reference, created_at_ms, reference))
EXECUTE s37 ('acct-0007', 99, 0, 9007199254740991, '', 5000, NULL, NULL, 'completed', 'EUR', NULL, 'order-1');

PREPARE s38 AS
SELECT currency_code, status, part_start_ms, count, amount, first_ms, created_at_ms, reference
FROM (SELECT set_config('transactions.account', $1, true) AS account OFFSET 0) AS caller
CROSS JOIN LATERAL (
SELECT currency_code, status, part_start_ms, count(*) AS count, sum(amount_minor)::text AS amount, min(created_at_ms) AS first_ms,
  max(created_at_ms) AS created_at_ms, NULL::text AS reference
FROM (
SELECT currency_code, amount_minor, created_at_ms, paid_at_ms, final_sequence,
  paid_at_ms - (paid_at_ms + 62135596800000) % $11::bigint AS part_start_ms, CASE WHEN final_sequence <= $2 THEN status WHEN pending_sequence <= $2 THEN 'pending' END AS status
FROM transactions
WHERE account = caller.account AND created_at_ms >= $3 AND (created_at_ms, reference) < ($4, $5)
ORDER BY created_at_ms DESC, reference DESC LIMIT $6
) AS listed
WHERE status IS NOT NULL AND created_at_ms >= $3
  AND ($9::text = '' OR status = $9) AND ($10::text = '' OR currency_code = $10)
  AND ($7::bigint IS NULL OR (paid_at_ms >= $7 AND paid_at_ms < $8 AND final_sequence <= $2))
GROUP BY currency_code, status, part_start_ms
UNION ALL
(SELECT '', '', NULL, 0, '0', NULL, created_at_ms, reference
FROM transactions
WHERE account = caller.account AND created_at_ms >= $3 AND (created_at_ms, reference) < ($4, $5)
ORDER BY created_at_ms DESC, reference DESC OFFSET $6::bigint - 1 LIMIT 1)
) AS found;
-- Index transactions_by_time backward (account, created_at_ms, ROW(created_at_ms, reference))
EXECUTE s38 ('acct-0007', 99, 0, 9007199254740991, '', 5000, NULL, NULL, 'completed', 'EUR', NULL);

-- createExport
PREPARE s39 AS
SELECT count
FROM (SELECT set_config('transactions.account', $1, true) AS account OFFSET 0) AS caller
CROSS JOIN LATERAL (
SELECT count(*) FILTER (WHERE started_at_ms BETWEEN $2 AND $3) AS count FROM exports WHERE account = caller.account
) AS found;
-- Index exports_pkey (account)
EXECUTE s39 ('acct-0007', 1, 88400000);

PREPARE s40 AS
SELECT set_config('transactions.account', $1, true);
PREPARE s41 AS
INSERT INTO exports (account, id, started_at_ms, record) VALUES ($1, $2, $3, $4);
BEGIN;
EXECUTE s40 ('acct-0007');
EXECUTE s41 ('acct-0007', 'exp_zzzzzzzzzzzzzzzz', 2000000, '{"id":"exp_zzzzzzzzzzzzzzzz","account":"acct-0007","format":"csv","spreadsheet":false,"filter":{"status":null,"currency":null,"from":null,"to":null,"timeZone":null,"merchantReference":null,"paidFrom":null,"paidTo":null,"relatedTo":null,"recordedAt":null,"details":null},"created":null,"asOf":1,"asOfId":null,"seal":null,"totals":[],"startedAtMs":2000000,"result":null}');
COMMIT;

PREPARE s42 AS
DELETE FROM exports WHERE account = $1 AND started_at_ms NOT BETWEEN $2 AND $3;
-- Index exports_pkey (account) filtered
BEGIN;
EXECUTE s40 ('acct-0007');
EXECUTE s42 ('acct-0007', 1, 88400000);
COMMIT;

-- removeExpiredExports
PREPARE s43 AS
SELECT set_config('transactions.exports_before', $1, true);
PREPARE s44 AS
DELETE FROM exports WHERE started_at_ms < $1;
-- Index exports_by_start (started_at_ms)
BEGIN;
EXECUTE s43 (1);
EXECUTE s44 (1);
COMMIT;

-- findExport
PREPARE s45 AS
SELECT record
FROM (SELECT set_config('transactions.account', $1, true) AS account OFFSET 0) AS caller
CROSS JOIN LATERAL (
SELECT record FROM exports WHERE account = caller.account AND id = $2
) AS found;
-- Index exports_pkey (account, id)
EXECUTE s45 ('acct-0007', 'exp_zzzzzzzzzzzzzzzz');

-- replaceExport
PREPARE s46 AS
UPDATE exports SET record = $3 WHERE account = $1 AND id = $2 RETURNING id;
-- Index exports_pkey (account, id)
BEGIN;
EXECUTE s40 ('acct-0007');
EXECUTE s46 ('acct-0007', 'exp_zzzzzzzzzzzzzzzz', '{"id":"exp_zzzzzzzzzzzzzzzz","account":"acct-0007","format":"csv","spreadsheet":false,"filter":{"status":null,"currency":null,"from":null,"to":null,"timeZone":null,"merchantReference":null,"paidFrom":null,"paidTo":null,"relatedTo":null,"recordedAt":null,"details":null},"created":null,"asOf":1,"asOfId":null,"seal":null,"totals":[],"startedAtMs":2000000,"result":null}');
COMMIT;

-- createWebhook
PREPARE s47 AS
SELECT pg_advisory_xact_lock(1954051941, hashtext($1));
PREPARE s48 AS
INSERT INTO webhook_endpoints (account, id, created_at_ms, url, types, label, ordered, secret, previous_secret, previous_secret_until_ms, disabled_reason, disabled_at_ms, version, replay_version, acknowledged_sequence, failing_since_ms, quick)
SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17 FROM (SELECT count(*) AS stored FROM webhook_endpoints WHERE account = $1) AS own
WHERE stored < $18 ON CONFLICT (account, id) DO NOTHING RETURNING version;
-- Index webhook_endpoints_pkey (account)
PREPARE s49 AS
INSERT INTO account_audit (account, at_ms, id, action, subject, detail, via, actor, address) SELECT $4::text, $5::bigint, $6::text, $7::text, $8::text, $9::text, $10::text, $11::text, $12::text FROM webhook_endpoints AS e WHERE e.account = $1 AND e.id = $2 AND e.secret = $3;
-- Index webhook_endpoints_pkey (account, id) filtered
PREPARE s50 AS
SELECT e.version FROM webhook_endpoints AS e WHERE e.account = $1 AND e.id = $2 AND e.secret = $3 FOR NO KEY UPDATE;
-- Index webhook_endpoints_pkey (account, id) filtered
PREPARE s51 AS
INSERT INTO watched_accounts (account, moved) VALUES ($1, pg_current_xact_id())
ON CONFLICT (account) DO UPDATE SET moved = EXCLUDED.moved;
BEGIN;
EXECUTE s40 ('acct-0007');
EXECUTE s47 ('acct-0007');
EXECUTE s48 ('acct-0007', 'we_0000000000000009', 1000, 'https://example.com/9', NULL, NULL, 0, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', NULL, NULL, NULL, NULL, 1, 0, 0, NULL, NULL, 20);
EXECUTE s49 ('acct-0007', 'we_0000000000000009', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'acct-0007', 1000, 'au_0000000000000002', 'key.created', 'key_0000000000000001', NULL, 'command', 'tester', NULL);
EXECUTE s50 ('acct-0007', 'we_0000000000000009', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
EXECUTE s51 ('acct-0007');
COMMIT;

PREPARE s52 AS
SELECT id FROM api_keys WHERE id = $1 FOR SHARE;
-- Index api_keys_pkey (id)
PREPARE s53 AS
INSERT INTO webhook_endpoints (account, id, created_at_ms, url, types, label, ordered, secret, previous_secret, previous_secret_until_ms, disabled_reason, disabled_at_ms, version, replay_version, acknowledged_sequence, failing_since_ms, quick)
SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17 FROM (SELECT count(*) AS stored FROM webhook_endpoints WHERE account = $1) AS own
WHERE stored < $18 AND EXISTS (SELECT 1 FROM api_keys WHERE id = $19 AND revoked_at_ms IS NULL) ON CONFLICT (account, id) DO NOTHING RETURNING version;
-- Index api_keys_pkey (id) filtered
-- Index webhook_endpoints_pkey (account)
BEGIN;
EXECUTE s40 ('acct-0007');
EXECUTE s47 ('acct-0007');
EXECUTE s52 ('key_0000000000000000');
EXECUTE s53 ('acct-0007', 'we_0000000000000008', 1000, 'https://example.com/8', NULL, NULL, 0, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', NULL, NULL, NULL, NULL, 1, 0, 0, NULL, NULL, 20, 'key_0000000000000000');
EXECUTE s49 ('acct-0007', 'we_0000000000000008', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'acct-0007', 1000, 'au_0000000000000003', 'key.created', 'key_0000000000000001', NULL, 'api', 'key_0000000000000000', NULL);
EXECUTE s50 ('acct-0007', 'we_0000000000000008', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
EXECUTE s51 ('acct-0007');
COMMIT;

-- listWebhooks
PREPARE s54 AS
SELECT found.account, found.id, found.created_at_ms, found.url, found.types, found.label, found.ordered, found.secret, found.previous_secret, found.previous_secret_until_ms, found.disabled_reason, found.disabled_at_ms, found.version, found.replay_version, found.acknowledged_sequence, found.failing_since_ms, found.quick, found.failure_count
FROM (SELECT set_config('transactions.account', $1, true) AS account OFFSET 0) AS caller
CROSS JOIN LATERAL (
SELECT account, id, created_at_ms, url, types, label, ordered, secret, previous_secret, previous_secret_until_ms, disabled_reason, disabled_at_ms, version, replay_version, acknowledged_sequence, failing_since_ms, quick,
  (SELECT count(*) FROM webhook_failures AS f WHERE f.account = caller.account AND f.endpoint_id = e.id) AS failure_count
FROM webhook_endpoints AS e WHERE e.account = caller.account AND true OFFSET 0
) AS found;
-- Index webhook_endpoints_pkey (account)
-- Index webhook_failures_pkey (account, endpoint_id)
EXECUTE s54 ('acct-0007');

-- findWebhook
PREPARE s55 AS
SELECT found.account, found.id, found.created_at_ms, found.url, found.types, found.label, found.ordered, found.secret, found.previous_secret, found.previous_secret_until_ms, found.disabled_reason, found.disabled_at_ms, found.version, found.replay_version, found.acknowledged_sequence, found.failing_since_ms, found.quick, found.failure_count
FROM (SELECT set_config('transactions.account', $1, true) AS account OFFSET 0) AS caller
CROSS JOIN LATERAL (
SELECT account, id, created_at_ms, url, types, label, ordered, secret, previous_secret, previous_secret_until_ms, disabled_reason, disabled_at_ms, version, replay_version, acknowledged_sequence, failing_since_ms, quick,
  (SELECT count(*) FROM webhook_failures AS f WHERE f.account = caller.account AND f.endpoint_id = e.id) AS failure_count
FROM webhook_endpoints AS e WHERE e.account = caller.account AND e.id = $2 OFFSET 0
) AS found;
-- Index webhook_endpoints_pkey (account, id)
-- Index webhook_failures_pkey (account, endpoint_id)
EXECUTE s55 ('acct-0007', 'we_0000000000000001');

-- readWebhookRules
SELECT instance, rules FROM webhook_lease WHERE only_row = 1;

-- replaceWebhook
PREPARE s56 AS
SELECT version FROM webhook_endpoints WHERE account = $1 AND id = $2 FOR NO KEY UPDATE;
-- Index webhook_endpoints_pkey (account, id)
PREPARE s57 AS
INSERT INTO account_audit (account, at_ms, id, action, subject, detail, via, actor, address) SELECT $4::text, $5::bigint, $6::text, $7::text, $8::text, $9::text, $10::text, $11::text, $12::text FROM webhook_endpoints AS e WHERE e.account = $1 AND e.id = $2 AND e.version = $3;
-- Index webhook_endpoints_pkey (account, id) filtered
PREPARE s58 AS
UPDATE webhook_endpoints SET url = $5, types = $6, label = $7, ordered = $8, secret = $9, previous_secret = $10, previous_secret_until_ms = $11, disabled_reason = $12, disabled_at_ms = $13, version = $3 + 1,
  replay_version = CASE WHEN $4::bigint IS NULL THEN replay_version ELSE $3 + 1 END,
  acknowledged_sequence = coalesce($4::bigint, acknowledged_sequence),
  failing_since_ms = CASE WHEN disabled_at_ms IS NULL OR $13::bigint IS NOT NULL THEN failing_since_ms END
WHERE account = $1 AND id = $2 AND version = $3 RETURNING version;
-- Index webhook_endpoints_pkey (account, id) filtered
BEGIN;
EXECUTE s40 ('acct-0007');
EXECUTE s56 ('acct-0007', 'we_0000000000000009');
EXECUTE s57 ('acct-0007', 'we_0000000000000009', 1, 'acct-0007', 1000, 'au_0000000000000004', 'key.created', 'key_0000000000000001', NULL, 'command', 'tester', NULL);
EXECUTE s58 ('acct-0007', 'we_0000000000000009', 1, NULL, 'https://example.com/9', NULL, NULL, 0, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', NULL, NULL, NULL, NULL);
EXECUTE s51 ('acct-0007');
COMMIT;

PREPARE s59 AS
DELETE FROM webhook_failures WHERE account = $1 AND endpoint_id = $2 AND sequence > $4
  AND EXISTS (SELECT 1 FROM webhook_endpoints AS e WHERE e.account = $1 AND e.id = $2 AND e.version = $3);
-- Index webhook_endpoints_pkey (account, id) filtered
-- Index webhook_failures_pkey (account, endpoint_id, sequence)
BEGIN;
EXECUTE s40 ('acct-0007');
EXECUTE s56 ('acct-0007', 'we_0000000000000009');
EXECUTE s59 ('acct-0007', 'we_0000000000000009', 2, 0);
EXECUTE s57 ('acct-0007', 'we_0000000000000009', 2, 'acct-0007', 1000, 'au_0000000000000005', 'key.created', 'key_0000000000000001', NULL, 'command', 'tester', NULL);
EXECUTE s58 ('acct-0007', 'we_0000000000000009', 2, 0, 'https://example.com/9', NULL, NULL, 0, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', NULL, NULL, NULL, NULL);
EXECUTE s51 ('acct-0007');
COMMIT;

-- listWebhookFailures
PREPARE s60 AS
SELECT found.sequence, found.attempts, found.first_failed_at_ms, found.last_failed_at_ms, found.next_attempt_at_ms, found.response_status, found.error
FROM (SELECT set_config('transactions.account', $1, true) AS account OFFSET 0) AS caller
CROSS JOIN LATERAL (
SELECT sequence, attempts, first_failed_at_ms, last_failed_at_ms, next_attempt_at_ms, response_status, error FROM webhook_failures
WHERE account = caller.account AND endpoint_id = $2 AND sequence > $3 ORDER BY sequence LIMIT $4
) AS found;
-- Index webhook_failures_pkey (account, endpoint_id, sequence)
EXECUTE s60 ('acct-0007', 'we_0000000000000001', 0, 10);

-- retryWebhookFailure
PREPARE s61 AS
UPDATE webhook_failures SET next_attempt_at_ms = $4 WHERE account = $1 AND endpoint_id = $2 AND sequence = $3;
-- Index webhook_failures_pkey (account, endpoint_id, sequence)
PREPARE s62 AS
UPDATE webhook_endpoints SET version = version + 1 WHERE account = $1 AND id = $2
  AND EXISTS (SELECT 1 FROM webhook_failures AS f WHERE f.account = $1 AND f.endpoint_id = $2 AND f.sequence = $3)
RETURNING version;
-- Index webhook_failures_pkey (account, endpoint_id, sequence)
-- Index webhook_endpoints_pkey (account, id)
BEGIN;
EXECUTE s40 ('acct-0007');
EXECUTE s56 ('acct-0007', 'we_0000000000000001');
EXECUTE s61 ('acct-0007', 'we_0000000000000001', 1, 5);
EXECUTE s62 ('acct-0007', 'we_0000000000000001', 1);
EXECUTE s51 ('acct-0007');
COMMIT;

-- leaseWebhooks
PREPARE s63 AS
INSERT INTO webhook_lease (only_row, instance, rules, expires_at_ms) VALUES (1, $1, $2, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint + $3)
ON CONFLICT (only_row) DO UPDATE SET instance = excluded.instance, rules = excluded.rules, expires_at_ms = excluded.expires_at_ms
WHERE webhook_lease.instance = excluded.instance OR webhook_lease.expires_at_ms NOT BETWEEN
  floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint + 1 - CASE WHEN webhook_lease.rules = excluded.rules THEN 0 ELSE 30000 END AND floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint + 60000;
BEGIN;
EXECUTE s63 ('a', '', 60000);
SELECT instance, rules FROM webhook_lease WHERE only_row = 1;
COMMIT;

-- listDeliverable
BEGIN;
SELECT set_config('transactions.delivering', 'on', true);
SELECT account, id, created_at_ms, url, types, label, ordered, secret, previous_secret, previous_secret_until_ms, disabled_reason, disabled_at_ms, version, replay_version, acknowledged_sequence, failing_since_ms, quick,
  (SELECT f.sequence FROM webhook_failures AS f WHERE f.account = e.account AND f.endpoint_id = e.id ORDER BY f.sequence LIMIT 1), coalesce((SELECT 1 FROM watched_accounts AS w WHERE w.account = e.account), 0)
FROM webhook_endpoints AS e WHERE (e.account, e.id) > ('', '') AND e.disabled_at_ms IS NULL ORDER BY account, id LIMIT 100;
COMMIT;

BEGIN;
SELECT set_config('transactions.delivering', 'on', true);
SELECT account, id, created_at_ms, url, types, label, ordered, secret, previous_secret, previous_secret_until_ms, disabled_reason, disabled_at_ms, version, replay_version, acknowledged_sequence, failing_since_ms, quick,
  (SELECT f.sequence FROM webhook_failures AS f WHERE f.account = e.account AND f.endpoint_id = e.id ORDER BY f.sequence LIMIT 1), coalesce((SELECT 1 FROM watched_accounts AS w WHERE w.account = e.account), 0)
FROM webhook_endpoints AS e WHERE e.account = ANY ('{"acct-0007"}'::text[]) AND e.disabled_at_ms IS NULL;
COMMIT;

-- listMovedAccounts
PREPARE s64 AS
SELECT now.snapshot::text, ((pg_snapshot_xmax(now.snapshot) < pg_snapshot_xmax(before.snapshot)) IS TRUE)::int::bigint,
  coalesce((SELECT json_agg(account)::text FROM watched_accounts
    WHERE moved >= pg_snapshot_xmin(before.snapshot) AND moved < pg_snapshot_xmax(now.snapshot)
      AND NOT pg_visible_in_snapshot(moved, before.snapshot)), '[]')
FROM (SELECT pg_current_snapshot() AS snapshot) AS now, (SELECT $2::pg_snapshot AS snapshot) AS before WHERE $1 <> '';
-- Index watched_accounts_moved (moved, moved) filtered
EXECUTE s64 ('*watching', NULL);

-- watchAccounts
PREPARE s65 AS
INSERT INTO watched_accounts (account, moved)
SELECT account, pg_current_xact_id() FROM unnest($1::text[]) AS account ORDER BY account ON CONFLICT (account) DO NOTHING;
-- Sort
EXECUTE s65 ('{"acct-0007"}');

-- storeProgress
PREPARE s66 AS
INSERT INTO webhook_failures (account, endpoint_id, sequence, attempts, first_failed_at_ms, last_failed_at_ms, next_attempt_at_ms, response_status, error)
SELECT e.account, e.id, kept.sequence, kept.attempts, kept.first_failed_at_ms, kept.last_failed_at_ms, CASE WHEN e.version > $3 AND before.next_attempt_at_ms IS NOT NULL
    AND (before.next_attempt_at_ms < kept.next_attempt_at_ms OR kept.next_attempt_at_ms IS NULL)
  THEN greatest(before.next_attempt_at_ms, kept.last_failed_at_ms) ELSE kept.next_attempt_at_ms END, kept.response_status, kept.error FROM webhook_endpoints AS e
CROSS JOIN unnest($7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::text[]) AS kept (sequence, attempts, first_failed_at_ms, last_failed_at_ms, next_attempt_at_ms, response_status, error)
LEFT JOIN webhook_failures AS before ON before.account = $1 AND before.endpoint_id = $2 AND before.sequence = kept.sequence
WHERE e.account = $1 AND e.id = $2 AND replay_version <= $3 AND acknowledged_sequence >= $4 AND ($6::bigint IS NULL OR coalesce((SELECT t.pending_nonce FROM transactions AS t WHERE t.account = $1 AND t.pending_sequence = $5), (SELECT t.final_nonce FROM transactions AS t WHERE t.account = $1 AND t.final_sequence = $5), (SELECT CASE WHEN a.floor_sequence = $5 THEN a.floor_nonce ELSE -1 END FROM archives AS a WHERE a.account = $1 AND a.floor_sequence >= $5)) = $6)
  AND kept.sequence > coalesce((SELECT a.floor_sequence FROM archives AS a WHERE a.account = $1), 0)
ON CONFLICT (account, endpoint_id, sequence) DO UPDATE SET sequence = EXCLUDED.sequence, attempts = EXCLUDED.attempts, first_failed_at_ms = EXCLUDED.first_failed_at_ms, last_failed_at_ms = EXCLUDED.last_failed_at_ms, next_attempt_at_ms = EXCLUDED.next_attempt_at_ms, response_status = EXCLUDED.response_status, error = EXCLUDED.error;
-- Index transactions_by_pending_sequence (account, pending_sequence)
-- Index transactions_by_final_sequence (account, final_sequence)
-- Index archives_pkey (account) filtered
-- Index archives_pkey (account)
-- Index webhook_endpoints_pkey (account, id) filtered
-- Index webhook_failures_pkey (account, endpoint_id)
PREPARE s67 AS
DELETE FROM webhook_failures WHERE account = $1 AND endpoint_id = $2 AND sequence = ANY ($7::bigint[])
  AND EXISTS (SELECT 1 FROM webhook_endpoints AS e WHERE e.account = $1 AND e.id = $2 AND replay_version <= $3 AND acknowledged_sequence >= $4 AND ($6::bigint IS NULL OR coalesce((SELECT t.pending_nonce FROM transactions AS t WHERE t.account = $1 AND t.pending_sequence = $5), (SELECT t.final_nonce FROM transactions AS t WHERE t.account = $1 AND t.final_sequence = $5), (SELECT CASE WHEN a.floor_sequence = $5 THEN a.floor_nonce ELSE -1 END FROM archives AS a WHERE a.account = $1 AND a.floor_sequence >= $5)) = $6));
-- Index transactions_by_pending_sequence (account, pending_sequence)
-- Index transactions_by_final_sequence (account, final_sequence)
-- Index archives_pkey (account) filtered
-- Index webhook_endpoints_pkey (account, id) filtered
-- Index webhook_failures_pkey (account, endpoint_id, sequence)
PREPARE s68 AS
UPDATE webhook_endpoints SET acknowledged_sequence = greatest(acknowledged_sequence, $5), failing_since_ms = $7, quick = $8
WHERE account = $1 AND id = $2 AND replay_version <= $3 AND acknowledged_sequence >= $4 AND ($6::bigint IS NULL OR coalesce((SELECT t.pending_nonce FROM transactions AS t WHERE t.account = $1 AND t.pending_sequence = $5), (SELECT t.final_nonce FROM transactions AS t WHERE t.account = $1 AND t.final_sequence = $5), (SELECT CASE WHEN a.floor_sequence = $5 THEN a.floor_nonce ELSE -1 END FROM archives AS a WHERE a.account = $1 AND a.floor_sequence >= $5)) = $6) RETURNING version;
-- Index transactions_by_pending_sequence (account, pending_sequence)
-- Index transactions_by_final_sequence (account, final_sequence)
-- Index archives_pkey (account) filtered
-- Index webhook_endpoints_pkey (account, id) filtered
BEGIN;
EXECUTE s40 ('acct-0007');
EXECUTE s56 ('acct-0007', 'we_0000000000000001');
EXECUTE s66 ('acct-0007', 'we_0000000000000001', 9, 0, 3, NULL, '{99}', '{1}', '{2000}', '{2000}', '{7000}', '{503}', '{"the response has the status 503"}');
EXECUTE s67 ('acct-0007', 'we_0000000000000001', 9, 0, 3, NULL, '{1,2}');
EXECUTE s68 ('acct-0007', 'we_0000000000000001', 9, 0, 3, NULL, NULL, NULL);
COMMIT;

-- disableWebhook
PREPARE s69 AS
UPDATE webhook_endpoints SET disabled_reason = $4, disabled_at_ms = $5, version = version + 1
WHERE account = $1 AND id = $2 AND version = $3 RETURNING version;
-- Index webhook_endpoints_pkey (account, id) filtered
BEGIN;
EXECUTE s40 ('acct-0007');
EXECUTE s56 ('acct-0007', 'we_0000000000000002');
EXECUTE s57 ('acct-0007', 'we_0000000000000002', 1, 'acct-0007', 1000, 'au_0000000000000006', 'key.created', 'key_0000000000000001', NULL, 'command', 'tester', NULL);
EXECUTE s69 ('acct-0007', 'we_0000000000000002', 1, 'failing', 5);
EXECUTE s51 ('acct-0007');
COMMIT;

-- deleteWebhook
PREPARE s70 AS
DELETE FROM webhook_failures WHERE account = $1 AND endpoint_id = $2;
-- Index webhook_failures_pkey (account, endpoint_id)
PREPARE s71 AS
INSERT INTO account_audit (account, at_ms, id, action, subject, detail, via, actor, address) SELECT $3::text, $4::bigint, $5::text, $6::text, $7::text, $8::text, $9::text, $10::text, $11::text FROM webhook_endpoints AS e WHERE e.account = $1 AND e.id = $2;
-- Index webhook_endpoints_pkey (account, id)
PREPARE s72 AS
DELETE FROM webhook_endpoints WHERE account = $1 AND id = $2 RETURNING version;
-- Index webhook_endpoints_pkey (account, id)
BEGIN;
EXECUTE s40 ('acct-0007');
EXECUTE s56 ('acct-0007', 'we_0000000000000003');
EXECUTE s70 ('acct-0007', 'we_0000000000000003');
EXECUTE s71 ('acct-0007', 'we_0000000000000003', 'acct-0007', 1000, 'au_0000000000000007', 'key.created', 'key_0000000000000001', NULL, 'command', 'tester', NULL);
EXECUTE s72 ('acct-0007', 'we_0000000000000003');
EXECUTE s51 ('acct-0007');
COMMIT;

-- createApiKey
PREPARE s73 AS
INSERT INTO api_keys (id, account, kind, hash, key_start, label, scopes, account_prefix, created_at_ms, expires_at_ms,
  person, reason, code_expires_at_ms, made_by)
SELECT $1, $2, $3, $4, $5, $6, $7, $8, CAST($9 AS BIGINT),
  CAST($10 AS BIGINT), $11, $12, CAST($13 AS BIGINT), $14
WHERE CAST($15 AS TEXT) IS NULL
  OR EXISTS (SELECT 1 FROM api_keys WHERE account = $2 AND id = $15 AND revoked_at_ms IS NULL);
-- Index api_keys_pkey (id) filtered
PREPARE s74 AS
INSERT INTO key_audit (account, at_ms, id, action, subject, detail, via, actor, address)
SELECT $1, CAST($2 AS BIGINT), $3, $4, $5, $6, $7, $8, $9
WHERE EXISTS (SELECT 1 FROM api_keys WHERE hash = $10);
-- Index api_keys_by_hash (hash)
BEGIN;
EXECUTE s73 ('key_000000000000000a', 'acct-0007', 'key', '86ae77a24ea3e093151b101c11b70b68a14b30dcf3d50cfe1c8f7b1bc27fb6f9', 'tk_live_aaaaaa', NULL, 'read', NULL, 1000, NULL, NULL, NULL, NULL, NULL, NULL);
EXECUTE s74 ('acct-0007', 1000, 'au_0000000000000008', 'key.created', 'key_0000000000000001', NULL, 'command', 'tester', NULL, '86ae77a24ea3e093151b101c11b70b68a14b30dcf3d50cfe1c8f7b1bc27fb6f9');
COMMIT;

-- findApiKey
PREPARE s75 AS
SELECT k.id, k.account, k.kind, k.hash, k.key_start, k.label, k.scopes, k.account_prefix, k.created_at_ms, k.expires_at_ms,
  k.person, k.reason, k.code_expires_at_ms, k.made_by, k.opened_at_ms, k.revoked_at_ms, k.rolled_at_ms, k.expires_before_roll_ms,
  k.last_used_at_ms, maker.id, maker.revoked_at_ms, maker.expires_at_ms
FROM api_keys AS k LEFT JOIN api_keys AS maker ON maker.account = '*' AND maker.id = k.made_by
WHERE k.hash = $1;
-- Index api_keys_by_hash (hash)
-- Index api_keys_pkey (id) filtered
EXECUTE s75 ('86ae77a24ea3e093151b101c11b70b68a14b30dcf3d50cfe1c8f7b1bc27fb6f9');

-- retrieveApiKey
PREPARE s76 AS
SELECT k.id, k.account, k.kind, k.hash, k.key_start, k.label, k.scopes, k.account_prefix, k.created_at_ms, k.expires_at_ms,
  k.person, k.reason, k.code_expires_at_ms, k.made_by, k.opened_at_ms, k.revoked_at_ms, k.rolled_at_ms, k.expires_before_roll_ms,
  k.last_used_at_ms, maker.id, maker.revoked_at_ms, maker.expires_at_ms
FROM api_keys AS k LEFT JOIN api_keys AS maker ON maker.account = '*' AND maker.id = k.made_by
WHERE k.id = $1;
-- Index api_keys_pkey (id)
-- Index api_keys_pkey (id) filtered
EXECUTE s76 ('key_0000000700000001');

-- listApiKeys
PREPARE s77 AS
SELECT id, account, kind, hash, key_start, label, scopes, account_prefix, created_at_ms, expires_at_ms,
  person, reason, code_expires_at_ms, made_by, opened_at_ms, revoked_at_ms, rolled_at_ms, expires_before_roll_ms, last_used_at_ms
FROM api_keys
WHERE account = $1 AND kind = 'key' AND (created_at_ms, id) > ($2, $3)
ORDER BY created_at_ms, id LIMIT $4;
-- Index api_keys_by_time (account, ROW(created_at_ms, id))
EXECUTE s77 ('acct-0007', -9007199254740991, '', 100);

PREPARE s78 AS
SELECT id, account, kind, hash, key_start, label, scopes, account_prefix, created_at_ms, expires_at_ms,
  person, reason, code_expires_at_ms, made_by, opened_at_ms, revoked_at_ms, rolled_at_ms, expires_before_roll_ms, last_used_at_ms
FROM api_keys
WHERE kind = 'key' AND (account, created_at_ms, id) > ($1, $2, $3)
ORDER BY account, created_at_ms, id LIMIT $4;
-- Index api_keys_by_time (ROW(account, created_at_ms, id))
EXECUTE s78 ('', -9007199254740991, '', 100);

-- rollApiKey
SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint;

PREPARE s79 AS
SELECT id FROM api_keys WHERE account = $1 AND id = $2 FOR UPDATE;
-- Index api_keys_pkey (id) filtered
PREPARE s80 AS
INSERT INTO key_audit (account, at_ms, id, action, subject, detail, via, actor, address)
SELECT $1, CAST($2 AS BIGINT), $3, $4, $5, $6, $7, $8, $9
WHERE EXISTS (SELECT 1 FROM api_keys WHERE id = $10 AND revoked_at_ms IS NULL)
ON CONFLICT DO NOTHING;
-- Index api_keys_pkey (id) filtered
PREPARE s81 AS
UPDATE api_keys SET rolled_at_ms = coalesce(rolled_at_ms, CAST($1 AS BIGINT)),
  end_recorded_at_ms = (SELECT max(ms) FROM (SELECT CAST($2 AS BIGINT) AS ms
    UNION ALL SELECT max(end_recorded_at_ms) + 1 FROM api_keys WHERE end_recorded_at_ms IS NOT NULL) AS times),
  expires_before_roll_ms = CASE WHEN rolled_at_ms IS NULL THEN expires_at_ms ELSE expires_before_roll_ms END,
  expires_at_ms = CASE WHEN expires_at_ms < CAST($3 AS BIGINT) THEN expires_at_ms ELSE CAST($3 AS BIGINT) END,
  revoked_at_ms = CASE WHEN CAST($3 AS BIGINT) <= CAST($1 AS BIGINT) THEN CAST($1 AS BIGINT) END
WHERE account = $4 AND id = $5 AND revoked_at_ms IS NULL
RETURNING id, account, kind, hash, key_start, label, scopes, account_prefix, created_at_ms, expires_at_ms,
  person, reason, code_expires_at_ms, made_by, opened_at_ms, revoked_at_ms, rolled_at_ms, expires_before_roll_ms, last_used_at_ms;
-- Index api_keys_by_end backward ()
-- Index api_keys_pkey (id) filtered
BEGIN;
SELECT 1::bigint FROM pg_advisory_xact_lock(1954051947, 0);
EXECUTE s79 ('acct-0007', 'key_000000000000000a');
EXECUTE s73 ('key_000000000000000b', 'acct-0007', 'key', '590c45ca936453c1f0a1f0482f71fd49a125ccf4d3f72f206d866953ede10cf4', 'tk_live_aaaaaa', NULL, 'read', NULL, 1000, NULL, NULL, NULL, NULL, NULL, 'key_000000000000000a');
EXECUTE s80 ('acct-0007', 1000, 'au_0000000000000009', 'key.created', 'key_0000000000000001', NULL, 'command', 'tester', NULL, 'key_000000000000000a');
EXECUTE s81 (1999999, 1772323200000, 2000000, 'acct-0007', 'key_000000000000000a');
COMMIT;

-- revokeApiKey
PREPARE s82 AS
UPDATE api_keys SET revoked_at_ms = CAST($1 AS BIGINT),
  end_recorded_at_ms = (SELECT max(ms) FROM (SELECT CAST($2 AS BIGINT) AS ms
    UNION ALL SELECT max(end_recorded_at_ms) + 1 FROM api_keys WHERE end_recorded_at_ms IS NOT NULL) AS times)
WHERE id = $3 AND revoked_at_ms IS NULL RETURNING id;
-- Index api_keys_by_end backward ()
-- Index api_keys_pkey (id) filtered
BEGIN;
SELECT 1::bigint FROM pg_advisory_xact_lock(1954051947, 0);
EXECUTE s80 ('acct-0007', 1000, 'au_0000000000000010', 'key.created', 'key_0000000000000001', NULL, 'command', 'tester', NULL, 'key_0000000700000001');
EXECUTE s82 (2000000, 1772323200000, 'key_0000000700000001');
EXECUTE s76 ('key_0000000700000001');
COMMIT;

-- openSession
PREPARE s83 AS
UPDATE api_keys SET hash = $1, key_start = $2, opened_at_ms = CAST($3 AS BIGINT)
WHERE hash = $4 AND kind = 'session' AND opened_at_ms IS NULL AND code_expires_at_ms > CAST($3 AS BIGINT)
  AND revoked_at_ms IS NULL AND expires_at_ms > CAST($3 AS BIGINT)
RETURNING id;
-- Index sessions_by_expiry (expires_at_ms) filtered
BEGIN;
EXECUTE s83 ('bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 'ts_live_aaaaaa', 2000000, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa');
EXECUTE s74 ('acct-0007', 1000, 'au_0000000000000011', 'key.created', 'key_0000000000000001', NULL, 'command', 'tester', NULL, 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb');
COMMIT;

-- listSessions
PREPARE s84 AS
SELECT k.id, k.account, k.kind, k.hash, k.key_start, k.label, k.scopes, k.account_prefix, k.created_at_ms, k.expires_at_ms,
  k.person, k.reason, k.code_expires_at_ms, k.made_by, k.opened_at_ms, k.revoked_at_ms, k.rolled_at_ms, k.expires_before_roll_ms,
  k.last_used_at_ms, maker.id, maker.revoked_at_ms, maker.expires_at_ms
FROM api_keys AS k LEFT JOIN api_keys AS maker ON maker.account = '*' AND maker.id = k.made_by
WHERE k.kind = 'session' AND k.account = $1 AND (k.created_at_ms, k.id) < ($2, $3)
ORDER BY k.created_at_ms DESC, k.id DESC LIMIT $4;
-- Index sessions_by_time backward (account, ROW(created_at_ms, id))
-- Index api_keys_pkey (id) filtered
EXECUTE s84 ('acct-0007', 9007199254740991, '', 10);

PREPARE s85 AS
SELECT k.id, k.account, k.kind, k.hash, k.key_start, k.label, k.scopes, k.account_prefix, k.created_at_ms, k.expires_at_ms,
  k.person, k.reason, k.code_expires_at_ms, k.made_by, k.opened_at_ms, k.revoked_at_ms, k.rolled_at_ms, k.expires_before_roll_ms,
  k.last_used_at_ms, maker.id, maker.revoked_at_ms, maker.expires_at_ms
FROM api_keys AS k LEFT JOIN api_keys AS maker ON maker.account = '*' AND maker.id = k.made_by
WHERE k.kind = 'session' AND k.account = $1 AND k.person = $2 AND (k.created_at_ms, k.id) < ($3, $4)
ORDER BY k.created_at_ms DESC, k.id DESC LIMIT $5;
-- Index sessions_of_everywhere backward (person, ROW(created_at_ms, id)) filtered
-- Index api_keys_pkey (id) filtered
EXECUTE s85 ('acct-0007', 'ada', 9007199254740991, '', 10);

PREPARE s86 AS
SELECT k.id, k.account, k.kind, k.hash, k.key_start, k.label, k.scopes, k.account_prefix, k.created_at_ms, k.expires_at_ms,
  k.person, k.reason, k.code_expires_at_ms, k.made_by, k.opened_at_ms, k.revoked_at_ms, k.rolled_at_ms, k.expires_before_roll_ms,
  k.last_used_at_ms, maker.id, maker.revoked_at_ms, maker.expires_at_ms
FROM api_keys AS k LEFT JOIN api_keys AS maker ON maker.account = '*' AND maker.id = k.made_by
WHERE k.kind = 'session' AND k.person = $1 AND (k.created_at_ms, k.id) < ($2, $3)
ORDER BY k.created_at_ms DESC, k.id DESC LIMIT $4;
-- Index sessions_of_everywhere backward (person, ROW(created_at_ms, id))
-- Index api_keys_pkey (id) filtered
EXECUTE s86 ('ada', 9007199254740991, '', 10);

-- endSessions
PREPARE s87 AS
SELECT id FROM api_keys WHERE kind = 'session' AND account = $1 AND person = $2 AND revoked_at_ms IS NULL;
-- Index sessions_by_expiry () filtered
BEGIN;
EXECUTE s87 ('acct-0007', 'ada');
SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint;
COMMIT;

PREPARE s88 AS
SELECT id FROM api_keys WHERE kind = 'session' AND account = $1 AND id = $2 AND revoked_at_ms IS NULL;
-- Index sessions_by_expiry () filtered
BEGIN;
EXECUTE s88 ('acct-0007', 'ses_0000000000000001');
SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint;
COMMIT;

PREPARE s89 AS
SELECT id FROM api_keys WHERE kind = 'session' AND account = $1 AND revoked_at_ms IS NULL LIMIT $2;
-- Index sessions_by_expiry () filtered
BEGIN;
EXECUTE s89 ('acct-0007', 500);
SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint;
COMMIT;

PREPARE s90 AS
SELECT id FROM api_keys WHERE kind = 'session' AND revoked_at_ms IS NULL LIMIT $1;
-- Index sessions_by_expiry () filtered
BEGIN;
EXECUTE s90 (500);
SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint;
COMMIT;

-- removeExpiredSessions
PREPARE s91 AS
DELETE FROM api_keys WHERE id IN
  (SELECT id FROM api_keys WHERE kind = 'session' AND expires_at_ms < $1 ORDER BY expires_at_ms LIMIT $2)
RETURNING id;
-- Index sessions_by_expiry (expires_at_ms)
-- Index api_keys_pkey (id)
EXECUTE s91 (2000000, 500);

-- listAudit
PREPARE s92 AS
SELECT account, at_ms, id, action, subject, detail, via, actor, address FROM key_audit
WHERE account = $1 AND (at_ms, id) > ($2, $3) ORDER BY at_ms, id LIMIT $4;
-- Index key_audit_pkey (account, ROW(at_ms, id))
PREPARE s93 AS
SELECT account, at_ms, id, action, subject, detail, via, actor, address FROM account_audit
WHERE account = $1 AND (at_ms, id) > ($2, $3) ORDER BY at_ms, id LIMIT $4;
-- Index account_audit_pkey (account, ROW(at_ms, id))
BEGIN;
EXECUTE s92 ('acct-0007', -9007199254740991, '', 100);
EXECUTE s93 ('acct-0007', -9007199254740991, '', 100);
COMMIT;

PREPARE s94 AS
SELECT account, at_ms, id, action, subject, detail, via, actor, address FROM key_audit
WHERE (at_ms, id) > ($1, $2) ORDER BY at_ms, id LIMIT $3;
-- Index key_audit_by_time (ROW(at_ms, id))
PREPARE s95 AS
SELECT account, at_ms, id, action, subject, detail, via, actor, address FROM account_audit
WHERE (at_ms, id) > ($1, $2) ORDER BY at_ms, id LIMIT $3;
-- Index account_audit_by_time (ROW(at_ms, id))
BEGIN;
EXECUTE s94 (-9007199254740991, '', 100);
EXECUTE s95 (-9007199254740991, '', 100);
COMMIT;

-- listKeyEnds
PREPARE s96 AS
SELECT id, revoked_at_ms, expires_at_ms, end_recorded_at_ms FROM api_keys
WHERE end_recorded_at_ms >= coalesce(CAST($1 AS BIGINT), (SELECT min(ms) FROM (SELECT CAST($2 AS BIGINT) AS ms
    UNION ALL SELECT max(end_recorded_at_ms) FROM api_keys WHERE end_recorded_at_ms IS NOT NULL) AS times))
ORDER BY end_recorded_at_ms LIMIT $3;
-- Index api_keys_by_end backward ()
-- Index api_keys_by_end (end_recorded_at_ms)
EXECUTE s96 (NULL, 1795984419394, 500);

-- touchApiKeys
PREPARE s97 AS
UPDATE api_keys SET last_used_at_ms = CAST($1 AS BIGINT)
WHERE id = $2 AND (last_used_at_ms IS NULL
  OR last_used_at_ms NOT BETWEEN CAST($1 AS BIGINT) AND CAST($1 AS BIGINT) + CAST($3 AS BIGINT));
-- Index api_keys_pkey (id) filtered
EXECUTE s97 (2000000, 'key_0000000700000001', 3600000);

-- listRecordedStatuses
SELECT status FROM recorded_statuses ORDER BY status;

-- listAccounts
PREPARE s98 AS
SELECT account, head_sequence, coalesce(
  (SELECT t.pending_nonce FROM transactions AS t WHERE t.account = accounts.account AND t.pending_sequence = accounts.head_sequence),
  (SELECT t.final_nonce FROM transactions AS t WHERE t.account = accounts.account AND t.final_sequence = accounts.head_sequence),
  (SELECT CASE WHEN a.floor_sequence = accounts.head_sequence THEN a.floor_nonce ELSE -1 END FROM archives AS a
    WHERE a.account = accounts.account AND a.floor_sequence >= accounts.head_sequence))
FROM accounts WHERE account > $1 AND account >= $2 AND account < $3 AND head_sequence > 0
ORDER BY account LIMIT $4;
-- Index accounts_pkey (account, account, account) filtered
-- Index transactions_by_pending_sequence (account, pending_sequence)
-- Index transactions_by_final_sequence (account, final_sequence)
-- Index archives_pkey (account) filtered
PREPARE s99 AS
WITH RECURSIVE found(account) AS (
  SELECT min(account) FROM api_keys WHERE kind = 'key' AND account > $1 AND account >= $2 AND account < $3
  UNION ALL
  SELECT (SELECT min(k.account) FROM api_keys AS k WHERE k.kind = 'key' AND k.account > found.account AND k.account < $3)
  FROM found WHERE found.account IS NOT NULL
)
SELECT account FROM found WHERE account IS NOT NULL LIMIT $4;
-- Index api_keys_by_time (account, account, account)
-- Index api_keys_by_time (account, account)
BEGIN;
EXECUTE s98 ('acct-0007', 'acct-', 'acct-', 10);
EXECUTE s99 ('acct-0007', 'acct-', 'acct-', 10);
COMMIT;

-- openImport
SELECT missing FROM (VALUES
  ('INSERT on transactions', has_table_privilege('transactions', 'INSERT')),
  ('UPDATE on transactions', has_table_privilege('transactions', 'UPDATE')),
  ('SELECT on accounts', has_table_privilege('accounts', 'SELECT')),
  ('INSERT on accounts', has_table_privilege('accounts', 'INSERT')),
  ('UPDATE on accounts', has_table_privilege('accounts', 'UPDATE')),
  ('SELECT on archives', has_table_privilege('archives', 'SELECT')),
  ('SELECT on watched_accounts', has_table_privilege('watched_accounts', 'SELECT')),
  ('UPDATE on watched_accounts', has_table_privilege('watched_accounts', 'UPDATE')),
  ('SELECT on daily_totals', has_table_privilege('daily_totals', 'SELECT')),
  ('INSERT on daily_totals', has_table_privilege('daily_totals', 'INSERT')),
  ('UPDATE on daily_totals', has_table_privilege('daily_totals', 'UPDATE')),
  ('INSERT on recorded_statuses', has_table_privilege('recorded_statuses', 'INSERT')),
  ('exemption from row-level security', NOT row_security_active('transactions'))) AS rights (missing, has) WHERE NOT has;

SELECT account FROM accounts WHERE head_sequence > 0 AND account = ANY ('{"acct-0007","nobody"}'::text[]);

PREPARE s100 AS
SELECT 1
FROM (SELECT set_config('transactions.account', $1, true) AS account OFFSET 0) AS caller
CROSS JOIN LATERAL (
SELECT 1 FROM transactions WHERE account = caller.account LIMIT 1
) AS found;
-- Index transactions_pkey (account)
EXECUTE s100 ('nobody');

PREPARE s101 AS
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM (SELECT set_config('transactions.account', $1, true) AS account OFFSET 0) AS caller
CROSS JOIN LATERAL (
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms FROM transactions WHERE account = caller.account AND reference = ANY($2::text[]) OFFSET 0
) AS found;
-- Index transactions_pkey (account, reference)
EXECUTE s101 ('acct-0007', '{"acct-0007.1","none"}');

SELECT pg_sleep(0.002);

-- readArchive
PREPARE s102 AS
SELECT before_ms, floor_sequence, floor_nonce, floor_seal, rest, removed_changes FROM archives WHERE account = $1;
-- Index archives_pkey (account)
EXECUTE s102 ('acct-0007');

-- storeCursorSecret
SELECT secret FROM cursor_secret;

PREPARE s103 AS
INSERT INTO cursor_secret (only_row, secret, created_at_ms) VALUES (1, $1, $2) ON CONFLICT DO NOTHING;
EXECUTE s103 ('sssssssssssssssssssssssssssssssssssssssssss', 0);

-- ping
SELECT 1 FROM schema_migrations LIMIT 1;

-- noteInstance
PREPARE s104 AS
INSERT INTO instances (instance, host, version, settings, started_at_ms, seen_at_ms)
VALUES ($1, $2, $3, $4, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint)
ON CONFLICT (instance) DO UPDATE SET seen_at_ms = EXCLUDED.seen_at_ms;
PREPARE s105 AS
DELETE FROM instances WHERE instance IN (SELECT instance FROM instances
  WHERE seen_at_ms NOT BETWEEN floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint - CAST($1 AS BIGINT) AND floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint FOR UPDATE SKIP LOCKED);
-- Seq instances () filtered
-- Index instances_pkey (instance)
BEGIN;
EXECUTE s104 ('a', 'web-1:7', '0.1.0', '{"STATUSES":""}');
EXECUTE s105 (60000);
COMMIT;

-- listInstances
PREPARE s106 AS
SELECT instance, host, version, settings, started_at_ms, seen_at_ms FROM instances
WHERE seen_at_ms BETWEEN floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint - CAST($1 AS BIGINT) AND floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint ORDER BY instance;
-- Index instances_pkey () filtered
EXECUTE s106 (60000);

-- removeInstance
PREPARE s107 AS
DELETE FROM instances WHERE instance = $1;
-- Index instances_pkey (instance)
EXECUTE s107 ('a');

-- ON A CLUSTER

-- listTransactions
PREPARE s108 AS
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, (SELECT before_ms FROM archives WHERE account = $1)
FROM transactions
WHERE account = $1
ORDER BY created_at_ms DESC, reference DESC
LIMIT $2;
-- Index archives_pkey (account)
-- Index transactions_by_time backward (account)
EXECUTE s108 ('acct-0007', 11);

PREPARE s109 AS
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, (SELECT before_ms FROM archives WHERE account = $1) FROM (
(SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms FROM (
(SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM transactions
WHERE account = $1 AND status = $4 AND currency_code >= $2 AND currency_code <= $2
ORDER BY currency_code DESC, created_at_ms DESC, reference DESC
LIMIT $3)
UNION ALL
(SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM transactions
WHERE account = $1 AND status = $5 AND currency_code >= $2 AND currency_code <= $2
ORDER BY currency_code DESC, created_at_ms DESC, reference DESC
LIMIT $3)
) AS ranges
ORDER BY currency_code DESC, created_at_ms DESC, reference DESC
LIMIT $3)
UNION ALL
(SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM transactions
WHERE account = $1 AND status < $4
ORDER BY status DESC, created_at_ms DESC, reference DESC
LIMIT 1)
UNION ALL
(SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM transactions
WHERE account = $1 AND status > $4 AND status < $5
ORDER BY status DESC, created_at_ms DESC, reference DESC
LIMIT 1)
UNION ALL
(SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM transactions
WHERE account = $1 AND status > $5
ORDER BY status DESC, created_at_ms DESC, reference DESC
LIMIT 1)
) AS merged;
-- Index archives_pkey (account)
-- Index transactions_by_status_currency backward (account, status, currency_code, currency_code)
-- Index transactions_by_status backward (account, status)
-- Index transactions_by_status backward (account, status, status)
EXECUTE s109 ('acct-0007', 'EUR', 11, 'completed', 'pending');

PREPARE s110 AS
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, (SELECT before_ms FROM archives WHERE account = $1)
FROM transactions
WHERE account = $1 AND status >= $2 AND status <= $2
ORDER BY status DESC, created_at_ms DESC, reference DESC
LIMIT $3;
-- Index archives_pkey (account)
-- Index transactions_by_status backward (account, status, status)
EXECUTE s110 ('acct-0007', 'completed', 11);

PREPARE s111 AS
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, (SELECT before_ms FROM archives WHERE account = $1)
FROM transactions
WHERE account = $1 AND status >= $2 AND (status, currency_code) <= ($2, $3)
ORDER BY status DESC, currency_code DESC, created_at_ms DESC, reference DESC
LIMIT $4;
-- Index archives_pkey (account)
-- Index transactions_by_status_currency backward (account, status, ROW(status, currency_code))
EXECUTE s111 ('acct-0007', 'completed', 'EUR', 11);

PREPARE s112 AS
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, (SELECT before_ms FROM archives WHERE account = $1)
FROM transactions
WHERE account = $1 AND merchant_reference IS NOT NULL AND merchant_reference >= $2 AND merchant_reference <= $2
ORDER BY merchant_reference DESC, created_at_ms DESC, reference DESC
LIMIT $3;
-- Index archives_pkey (account)
-- Index transactions_by_merchant_reference_time backward (account, merchant_reference, merchant_reference)
EXECUTE s112 ('acct-0007', 'order-1', 11);

PREPARE s113 AS
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, (SELECT before_ms FROM archives WHERE account = $1)
FROM transactions
WHERE account = $1 AND merchant_reference IS NOT NULL AND merchant_reference >= $2 AND merchant_reference <= $2 AND currency_code = $3
ORDER BY merchant_reference DESC, created_at_ms DESC, reference DESC
LIMIT $4;
-- Index archives_pkey (account)
-- Index transactions_by_merchant_reference_time backward (account, merchant_reference, merchant_reference, currency_code)
EXECUTE s113 ('acct-0007', 'order-1', 'EUR', 11);

PREPARE s114 AS
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, (SELECT before_ms FROM archives WHERE account = $1)
FROM transactions
WHERE account = $1 AND merchant_reference IS NOT NULL AND merchant_reference >= $2 AND merchant_reference <= $2 AND status = $3
ORDER BY merchant_reference DESC, created_at_ms DESC, reference DESC
LIMIT $4;
-- Index archives_pkey (account)
-- Index transactions_by_merchant_reference_time backward (account, merchant_reference, merchant_reference, status)
EXECUTE s114 ('acct-0007', 'order-1', 'completed', 11);

PREPARE s115 AS
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, (SELECT before_ms FROM archives WHERE account = $1)
FROM transactions
WHERE account = $1 AND merchant_reference IS NOT NULL AND merchant_reference >= $2 AND merchant_reference <= $2 AND status = $3 AND currency_code = $4
ORDER BY merchant_reference DESC, created_at_ms DESC, reference DESC
LIMIT $5;
-- Index archives_pkey (account)
-- Index transactions_by_merchant_reference_time backward (account, merchant_reference, merchant_reference, status, currency_code)
EXECUTE s115 ('acct-0007', 'order-1', 'completed', 'EUR', 11);

PREPARE s116 AS
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, (SELECT before_ms FROM archives WHERE account = $1)
FROM transactions
WHERE account = $1 AND created_at_ms >= $2
ORDER BY created_at_ms DESC, reference DESC
LIMIT $3;
-- Index archives_pkey (account)
-- Index transactions_by_time backward (account, created_at_ms)
EXECUTE s116 ('acct-0007', 1769904000000, 11);

PREPARE s117 AS
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, (SELECT before_ms FROM archives WHERE account = $1)
FROM transactions
WHERE account = $1 AND created_at_ms < $2
ORDER BY created_at_ms DESC, reference DESC
LIMIT $3;
-- Index archives_pkey (account)
-- Index transactions_by_time backward (account, created_at_ms)
EXECUTE s117 ('acct-0007', 1769990400000, 11);

PREPARE s118 AS
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, (SELECT before_ms FROM archives WHERE account = $1)
FROM transactions
WHERE account = $1 AND (created_at_ms, reference) < ($2, $3)
ORDER BY created_at_ms DESC, reference DESC
LIMIT $4;
-- Index archives_pkey (account)
-- Index transactions_by_time backward (account, ROW(created_at_ms, reference))
EXECUTE s118 ('acct-0007', 1769904000000, 'tx_04000', 11);

PREPARE s119 AS
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, (SELECT before_ms FROM archives WHERE account = $1)
FROM transactions
WHERE account = $1 AND created_at_ms >= $2 AND (created_at_ms, reference) < ($3, $4)
ORDER BY created_at_ms DESC, reference DESC
LIMIT $5;
-- Index archives_pkey (account)
-- Index transactions_by_time backward (account, created_at_ms, ROW(created_at_ms, reference))
EXECUTE s119 ('acct-0007', 1769904000000, 1769907398400, 'tx_04000', 11);

-- searchTransactions
PREPARE s120 AS
WITH scanned AS MATERIALIZED (
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM transactions
WHERE account = $1
ORDER BY created_at_ms DESC, reference DESC
LIMIT $2
)
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, NULL::bigint AS read
FROM scanned
WHERE ($3::text IS NULL OR merchant_reference = $3::text)
  AND ($4::text IS NULL OR status = $4::text)
  AND ($5::text IS NULL OR currency_code = $5::text)
  AND ($6::bigint IS NULL OR created_at_ms >= $6::bigint)
  AND ($7::bigint IS NULL OR amount_minor >= $7::bigint)
  AND ($8::bigint IS NULL OR amount_minor <= $8::bigint)
  AND ($9::bigint IS NULL OR paid_at_ms >= $9::bigint)
  AND ($10::bigint IS NULL OR paid_at_ms < $10::bigint)
  AND ($11::text IS NULL OR CASE WHEN octet_length(reference) > length(reference) THEN normalize(reference) ELSE reference END ~ $11::text
    OR CASE WHEN octet_length(merchant_reference) > length(merchant_reference) THEN normalize(merchant_reference) ELSE merchant_reference END ~ $11::text
    OR coalesce(final_details, details) IS NOT NULL
      AND EXISTS (SELECT 1 FROM json_each_text(coalesce(final_details, details)::json) WHERE CASE WHEN octet_length(value) > length(value) THEN normalize(value) ELSE value END ~ $11::text))
UNION ALL
(SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, (SELECT count(*) FROM scanned) AS read
FROM scanned
ORDER BY created_at_ms, reference
LIMIT 1);
-- Index transactions_by_time backward (account)
-- Sort
EXECUTE s120 ('acct-0007', 2000, NULL, NULL, NULL, NULL, 1, NULL, NULL, NULL, '[AaÀ-Åà-åĀ-ąǍ-ǎǞ-ǡǺ-ǻȀ-ȃȦ-ȧḀ-ḁẠ-ặＡａ][BbḂ-ḇＢｂ][CcÇçĆ-čḈ-ḉＣｃ]');

PREPARE s121 AS
WITH scanned AS MATERIALIZED (
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM transactions
WHERE account = $1 AND merchant_reference IS NOT NULL AND merchant_reference >= $2 AND merchant_reference <= $2
ORDER BY merchant_reference DESC, created_at_ms DESC, reference DESC
LIMIT $3
)
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, NULL::bigint AS read
FROM scanned
WHERE ($4::text IS NULL OR merchant_reference = $4::text)
  AND ($5::text IS NULL OR status = $5::text)
  AND ($6::text IS NULL OR currency_code = $6::text)
  AND ($7::bigint IS NULL OR created_at_ms >= $7::bigint)
  AND ($8::bigint IS NULL OR amount_minor >= $8::bigint)
  AND ($9::bigint IS NULL OR amount_minor <= $9::bigint)
  AND ($10::bigint IS NULL OR paid_at_ms >= $10::bigint)
  AND ($11::bigint IS NULL OR paid_at_ms < $11::bigint)
  AND ($12::text IS NULL OR CASE WHEN octet_length(reference) > length(reference) THEN normalize(reference) ELSE reference END ~ $12::text
    OR CASE WHEN octet_length(merchant_reference) > length(merchant_reference) THEN normalize(merchant_reference) ELSE merchant_reference END ~ $12::text
    OR coalesce(final_details, details) IS NOT NULL
      AND EXISTS (SELECT 1 FROM json_each_text(coalesce(final_details, details)::json) WHERE CASE WHEN octet_length(value) > length(value) THEN normalize(value) ELSE value END ~ $12::text))
UNION ALL
(SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, (SELECT count(*) FROM scanned) AS read
FROM scanned
ORDER BY created_at_ms, reference
LIMIT 1);
-- Index transactions_by_merchant_reference_time backward (account, merchant_reference, merchant_reference)
-- Sort
EXECUTE s121 ('acct-0007', 'order-1', 2000, 'order-1', 'completed', 'EUR', NULL, 1, NULL, NULL, NULL, '[AaÀ-Åà-åĀ-ąǍ-ǎǞ-ǡǺ-ǻȀ-ȃȦ-ȧḀ-ḁẠ-ặＡａ][BbḂ-ḇＢｂ][CcÇçĆ-čḈ-ḉＣｃ]');

-- listNumbered
PREPARE s122 AS
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, pending_sequence, pending_recorded_at_ms, final_sequence, final_recorded_at_ms
FROM transactions
WHERE account = $1
ORDER BY created_at_ms DESC, reference DESC
LIMIT $2;
-- Index transactions_by_time backward (account)
EXECUTE s122 ('acct-0007', 100);

PREPARE s123 AS
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, pending_sequence, pending_recorded_at_ms, final_sequence, final_recorded_at_ms
FROM transactions
WHERE account = $1 AND merchant_reference IS NOT NULL AND merchant_reference >= $2 AND merchant_reference <= $2 AND status = $3 AND currency_code = $4
ORDER BY merchant_reference DESC, created_at_ms DESC, reference DESC
LIMIT $5;
-- Index transactions_by_merchant_reference_time backward (account, merchant_reference, merchant_reference, status, currency_code)
EXECUTE s123 ('acct-0007', 'order-1', 'completed', 'EUR', 100);

-- retrieveTransaction
PREPARE s124 AS
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms FROM transactions WHERE account = $1 AND reference = $2 LIMIT 1;
-- Index transactions_pkey (account, reference)
EXECUTE s124 ('acct-0007', 'acct-0007.1');

-- listRelated
PREPARE s125 AS
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM transactions
WHERE account = $1 AND related_to IS NOT NULL AND related_to >= $2 AND (related_to, created_at_ms, reference) < ($2, $3, $4)
ORDER BY related_to DESC, created_at_ms DESC, reference DESC
LIMIT $5;
-- Index transactions_by_related_to_time backward (account, related_to, ROW(related_to, created_at_ms, reference))
EXECUTE s125 ('acct-0007', 'acct-0007.1', 9007199254740991, '', 11);

-- recordTransactions
BEGIN;
INSERT INTO accounts (account, head_sequence) VALUES ('acct-0007', 0) ON CONFLICT (account) DO NOTHING;
UPDATE accounts SET head_sequence = greatest(became_pending.sequence, became_final.sequence)
FROM (SELECT max(pending_sequence) AS sequence FROM transactions WHERE account = 'acct-0007' AND pending_sequence IS NOT NULL) AS became_pending, (SELECT max(final_sequence) AS sequence FROM transactions WHERE account = 'acct-0007' AND final_sequence IS NOT NULL) AS became_final
WHERE accounts.account = 'acct-0007' AND head_sequence = 0 AND greatest(became_pending.sequence, became_final.sequence) > 0;
SELECT head_sequence FROM accounts WHERE account = 'acct-0007' FOR NO KEY UPDATE;
SET LOCAL statement_timeout = 250;
INSERT INTO transactions (account, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, pending_sequence, pending_recorded_at_ms, pending_nonce)
SELECT accounts.account, 'acct-0007.new'::text, null::text, 'pending'::text, 1250::bigint, 'EUR'::text, null::bigint, 1772323200000::bigint, null::text, null::text, null::text, null::bigint, accounts.head_sequence + 1, 0::bigint, 7::bigint
FROM accounts WHERE accounts.account = 'acct-0007' AND NOT EXISTS (SELECT 1 FROM archives WHERE account = 'acct-0007' AND before_ms > 1772323200000 AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.account = archives.account AND closed_at_sequence IS NOT NULL))
ON CONFLICT (account, reference) DO NOTHING RETURNING pending_sequence;
UPDATE transactions AS t SET status = 'pending', paid_at_ms = null,
  final_details = CASE WHEN t.details_removed_at_ms IS NULL THEN nullif(null::text, t.details) END, final_sequence = accounts.head_sequence + 1, final_recorded_at_ms = 0::bigint, final_nonce = 7::bigint
FROM accounts WHERE accounts.account = 'acct-0007' AND t.account = 'acct-0007' AND t.reference = 'acct-0007.new' AND 'pending' <> 'pending'
  AND (t.status, t.merchant_reference, t.amount_minor, t.currency_code, t.created_at_ms, t.related_to) IS NOT DISTINCT FROM ('pending', null::text, 1250::bigint, 'EUR'::text, 1772323200000::bigint, null::text)
  AND (t.details_removed_at_ms IS NOT NULL OR t.details IS NULL OR (null::text::jsonb @> t.details::jsonb) IS TRUE)
RETURNING t.final_sequence;
INSERT INTO daily_totals AS t (account, day, currency_code, status, count, amount) SELECT t.account, (created_at_ms + 62135596800000) / 86400000 - 719162, t.currency_code, CASE WHEN change.count > 0 THEN t.status ELSE 'pending' END, change.count, change.count * t.amount_minor
FROM transactions AS t JOIN accounts ON accounts.account = t.account CROSS JOIN unnest('{1,-1}'::bigint[]) AS change (count)
WHERE t.account = 'acct-0007' AND accounts.account = 'acct-0007' AND t.reference = 'acct-0007.new' AND greatest(t.pending_sequence, t.final_sequence) = accounts.head_sequence + 1
  AND (change.count > 0 OR (t.pending_sequence IS NOT NULL AND t.final_sequence IS NOT NULL))
ON CONFLICT (account, day, currency_code, status) DO UPDATE SET count = t.count + EXCLUDED.count, amount = t.amount + EXCLUDED.amount
RETURNING CASE WHEN t.count < 0 THEN ('the stored totals of the account ' || t.account || ' are damaged, and nothing was recorded: run "transactions verify", which names them, and repair them as docs/backup.md says')::bigint END;
UPDATE accounts SET head_sequence = head_sequence + 1 WHERE account = 'acct-0007' AND EXISTS (
  SELECT 1 FROM transactions AS t WHERE t.account = 'acct-0007' AND t.reference = 'acct-0007.new'
    AND greatest(t.pending_sequence, t.final_sequence) = accounts.head_sequence + 1
);
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms FROM transactions WHERE account = 'acct-0007' AND reference = 'acct-0007.new';
SELECT before_ms FROM archives WHERE account = 'acct-0007' AND before_ms > 1772323200000 AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.account = archives.account AND closed_at_sequence IS NOT NULL);
COMMIT;

BEGIN;
INSERT INTO accounts (account, head_sequence) VALUES ('acct-new', 0) ON CONFLICT (account) DO NOTHING;
UPDATE accounts SET head_sequence = greatest(became_pending.sequence, became_final.sequence)
FROM (SELECT max(pending_sequence) AS sequence FROM transactions WHERE account = 'acct-new' AND pending_sequence IS NOT NULL) AS became_pending, (SELECT max(final_sequence) AS sequence FROM transactions WHERE account = 'acct-new' AND final_sequence IS NOT NULL) AS became_final
WHERE accounts.account = 'acct-new' AND head_sequence = 0 AND greatest(became_pending.sequence, became_final.sequence) > 0;
SELECT head_sequence FROM accounts WHERE account = 'acct-new' FOR NO KEY UPDATE;
SET LOCAL statement_timeout = 250;
INSERT INTO transactions (account, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, final_sequence, final_recorded_at_ms, final_nonce)
SELECT accounts.account, 'acct-new.a'::text, null::text, 'completed'::text, 1250::bigint, 'EUR'::text, 1772323200000::bigint, 1772323200000::bigint, null::text, null::text, null::text, null::bigint, accounts.head_sequence + 1, 0::bigint, 7::bigint
FROM accounts WHERE accounts.account = 'acct-new' AND NOT EXISTS (SELECT 1 FROM archives WHERE account = 'acct-new' AND before_ms > 1772323200000 AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.account = archives.account AND closed_at_sequence IS NOT NULL))
ON CONFLICT (account, reference) DO NOTHING RETURNING final_sequence;
UPDATE transactions AS t SET status = 'completed', paid_at_ms = 1772323200000,
  final_details = CASE WHEN t.details_removed_at_ms IS NULL THEN nullif(null::text, t.details) END, final_sequence = accounts.head_sequence + 1, final_recorded_at_ms = 0::bigint, final_nonce = 7::bigint
FROM accounts WHERE accounts.account = 'acct-new' AND t.account = 'acct-new' AND t.reference = 'acct-new.a' AND 'completed' <> 'pending'
  AND (t.status, t.merchant_reference, t.amount_minor, t.currency_code, t.created_at_ms, t.related_to) IS NOT DISTINCT FROM ('pending', null::text, 1250::bigint, 'EUR'::text, 1772323200000::bigint, null::text)
  AND (t.details_removed_at_ms IS NOT NULL OR t.details IS NULL OR (null::text::jsonb @> t.details::jsonb) IS TRUE)
RETURNING t.final_sequence;
INSERT INTO daily_totals AS t (account, day, currency_code, status, count, amount) SELECT t.account, (created_at_ms + 62135596800000) / 86400000 - 719162, t.currency_code, CASE WHEN change.count > 0 THEN t.status ELSE 'pending' END, change.count, change.count * t.amount_minor
FROM transactions AS t JOIN accounts ON accounts.account = t.account CROSS JOIN unnest('{1,-1}'::bigint[]) AS change (count)
WHERE t.account = 'acct-new' AND accounts.account = 'acct-new' AND t.reference = 'acct-new.a' AND greatest(t.pending_sequence, t.final_sequence) = accounts.head_sequence + 1
  AND (change.count > 0 OR (t.pending_sequence IS NOT NULL AND t.final_sequence IS NOT NULL))
ON CONFLICT (account, day, currency_code, status) DO UPDATE SET count = t.count + EXCLUDED.count, amount = t.amount + EXCLUDED.amount
RETURNING CASE WHEN t.count < 0 THEN ('the stored totals of the account ' || t.account || ' are damaged, and nothing was recorded: run "transactions verify", which names them, and repair them as docs/backup.md says')::bigint END;
UPDATE accounts SET head_sequence = head_sequence + 1 WHERE account = 'acct-new' AND EXISTS (
  SELECT 1 FROM transactions AS t WHERE t.account = 'acct-new' AND t.reference = 'acct-new.a'
    AND greatest(t.pending_sequence, t.final_sequence) = accounts.head_sequence + 1
);
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms FROM transactions WHERE account = 'acct-new' AND reference = 'acct-new.a';
SELECT before_ms FROM archives WHERE account = 'acct-new' AND before_ms > 1772323200000 AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.account = archives.account AND closed_at_sequence IS NOT NULL);
COMMIT;

BEGIN;
INSERT INTO accounts (account, head_sequence) VALUES ('acct-0007', 0) ON CONFLICT (account) DO NOTHING;
UPDATE accounts SET head_sequence = greatest(became_pending.sequence, became_final.sequence)
FROM (SELECT max(pending_sequence) AS sequence FROM transactions WHERE account = 'acct-0007' AND pending_sequence IS NOT NULL) AS became_pending, (SELECT max(final_sequence) AS sequence FROM transactions WHERE account = 'acct-0007' AND final_sequence IS NOT NULL) AS became_final
WHERE accounts.account = 'acct-0007' AND head_sequence = 0 AND greatest(became_pending.sequence, became_final.sequence) > 0;
SELECT head_sequence FROM accounts WHERE account = 'acct-0007' FOR NO KEY UPDATE;
SET LOCAL statement_timeout = 250;
INSERT INTO transactions (account, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, final_sequence, final_recorded_at_ms, final_nonce)
SELECT accounts.account, 'acct-0007.new'::text, null::text, 'completed'::text, 1250::bigint, 'EUR'::text, 1772323200000::bigint, 1772323200000::bigint, null::text, null::text, null::text, null::bigint, accounts.head_sequence + 1, 0::bigint, 7::bigint
FROM accounts WHERE accounts.account = 'acct-0007' AND NOT EXISTS (SELECT 1 FROM archives WHERE account = 'acct-0007' AND before_ms > 1772323200000 AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.account = archives.account AND closed_at_sequence IS NOT NULL))
ON CONFLICT (account, reference) DO NOTHING RETURNING final_sequence;
UPDATE transactions AS t SET status = 'completed', paid_at_ms = 1772323200000,
  final_details = CASE WHEN t.details_removed_at_ms IS NULL THEN nullif(null::text, t.details) END, final_sequence = accounts.head_sequence + 1, final_recorded_at_ms = 0::bigint, final_nonce = 7::bigint
FROM accounts WHERE accounts.account = 'acct-0007' AND t.account = 'acct-0007' AND t.reference = 'acct-0007.new' AND 'completed' <> 'pending'
  AND (t.status, t.merchant_reference, t.amount_minor, t.currency_code, t.created_at_ms, t.related_to) IS NOT DISTINCT FROM ('pending', null::text, 1250::bigint, 'EUR'::text, 1772323200000::bigint, null::text)
  AND (t.details_removed_at_ms IS NOT NULL OR t.details IS NULL OR (null::text::jsonb @> t.details::jsonb) IS TRUE)
RETURNING t.final_sequence;
INSERT INTO daily_totals AS t (account, day, currency_code, status, count, amount) SELECT t.account, (created_at_ms + 62135596800000) / 86400000 - 719162, t.currency_code, CASE WHEN change.count > 0 THEN t.status ELSE 'pending' END, change.count, change.count * t.amount_minor
FROM transactions AS t JOIN accounts ON accounts.account = t.account CROSS JOIN unnest('{1,-1}'::bigint[]) AS change (count)
WHERE t.account = 'acct-0007' AND accounts.account = 'acct-0007' AND t.reference = 'acct-0007.new' AND greatest(t.pending_sequence, t.final_sequence) = accounts.head_sequence + 1
  AND (change.count > 0 OR (t.pending_sequence IS NOT NULL AND t.final_sequence IS NOT NULL))
ON CONFLICT (account, day, currency_code, status) DO UPDATE SET count = t.count + EXCLUDED.count, amount = t.amount + EXCLUDED.amount
RETURNING CASE WHEN t.count < 0 THEN ('the stored totals of the account ' || t.account || ' are damaged, and nothing was recorded: run "transactions verify", which names them, and repair them as docs/backup.md says')::bigint END;
UPDATE accounts SET head_sequence = head_sequence + 1 WHERE account = 'acct-0007' AND EXISTS (
  SELECT 1 FROM transactions AS t WHERE t.account = 'acct-0007' AND t.reference = 'acct-0007.new'
    AND greatest(t.pending_sequence, t.final_sequence) = accounts.head_sequence + 1
);
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms FROM transactions WHERE account = 'acct-0007' AND reference = 'acct-0007.new';
SELECT before_ms FROM archives WHERE account = 'acct-0007' AND before_ms > 1772323200000 AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.account = archives.account AND closed_at_sequence IS NOT NULL);
COMMIT;

BEGIN;
INSERT INTO accounts (account, head_sequence) VALUES ('acct-0007', 0) ON CONFLICT (account) DO NOTHING;
UPDATE accounts SET head_sequence = greatest(became_pending.sequence, became_final.sequence)
FROM (SELECT max(pending_sequence) AS sequence FROM transactions WHERE account = 'acct-0007' AND pending_sequence IS NOT NULL) AS became_pending, (SELECT max(final_sequence) AS sequence FROM transactions WHERE account = 'acct-0007' AND final_sequence IS NOT NULL) AS became_final
WHERE accounts.account = 'acct-0007' AND head_sequence = 0 AND greatest(became_pending.sequence, became_final.sequence) > 0;
SELECT head_sequence FROM accounts WHERE account = 'acct-0007' FOR NO KEY UPDATE;
SET LOCAL statement_timeout = 250;
INSERT INTO transactions (account, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, final_sequence, final_recorded_at_ms, final_nonce)
SELECT accounts.account, 'acct-0007.other'::text, null::text, 'completed'::text, 1250::bigint, 'EUR'::text, 1772323200000::bigint, 1772323200000::bigint, null::text, null::text, null::text, null::bigint, accounts.head_sequence + 1, 0::bigint, 7::bigint
FROM accounts WHERE accounts.account = 'acct-0007' AND NOT EXISTS (SELECT 1 FROM archives WHERE account = 'acct-0007' AND before_ms > 1772323200000 AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.account = archives.account AND closed_at_sequence IS NOT NULL))
ON CONFLICT (account, reference) DO NOTHING RETURNING final_sequence;
UPDATE transactions AS t SET status = 'completed', paid_at_ms = 1772323200000,
  final_details = CASE WHEN t.details_removed_at_ms IS NULL THEN nullif(null::text, t.details) END, final_sequence = accounts.head_sequence + 1, final_recorded_at_ms = 0::bigint, final_nonce = 7::bigint
FROM accounts WHERE accounts.account = 'acct-0007' AND t.account = 'acct-0007' AND t.reference = 'acct-0007.other' AND 'completed' <> 'pending'
  AND (t.status, t.merchant_reference, t.amount_minor, t.currency_code, t.created_at_ms, t.related_to) IS NOT DISTINCT FROM ('pending', null::text, 1250::bigint, 'EUR'::text, 1772323200000::bigint, null::text)
  AND (t.details_removed_at_ms IS NOT NULL OR t.details IS NULL OR (null::text::jsonb @> t.details::jsonb) IS TRUE)
RETURNING t.final_sequence;
INSERT INTO daily_totals AS t (account, day, currency_code, status, count, amount) SELECT t.account, (created_at_ms + 62135596800000) / 86400000 - 719162, t.currency_code, CASE WHEN change.count > 0 THEN t.status ELSE 'pending' END, change.count, change.count * t.amount_minor
FROM transactions AS t JOIN accounts ON accounts.account = t.account CROSS JOIN unnest('{1,-1}'::bigint[]) AS change (count)
WHERE t.account = 'acct-0007' AND accounts.account = 'acct-0007' AND t.reference = 'acct-0007.other' AND greatest(t.pending_sequence, t.final_sequence) = accounts.head_sequence + 1
  AND (change.count > 0 OR (t.pending_sequence IS NOT NULL AND t.final_sequence IS NOT NULL))
ON CONFLICT (account, day, currency_code, status) DO UPDATE SET count = t.count + EXCLUDED.count, amount = t.amount + EXCLUDED.amount
RETURNING CASE WHEN t.count < 0 THEN ('the stored totals of the account ' || t.account || ' are damaged, and nothing was recorded: run "transactions verify", which names them, and repair them as docs/backup.md says')::bigint END;
UPDATE accounts SET head_sequence = head_sequence + 1 WHERE account = 'acct-0007' AND EXISTS (
  SELECT 1 FROM transactions AS t WHERE t.account = 'acct-0007' AND t.reference = 'acct-0007.other'
    AND greatest(t.pending_sequence, t.final_sequence) = accounts.head_sequence + 1
);
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms FROM transactions WHERE account = 'acct-0007' AND reference = 'acct-0007.other';
SELECT before_ms FROM archives WHERE account = 'acct-0007' AND before_ms > 1772323200000 AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.account = archives.account AND closed_at_sequence IS NOT NULL);
COMMIT;

BEGIN;
INSERT INTO accounts (account, head_sequence) VALUES ('acct-0007', 0) ON CONFLICT (account) DO NOTHING;
UPDATE accounts SET head_sequence = greatest(became_pending.sequence, became_final.sequence)
FROM (SELECT max(pending_sequence) AS sequence FROM transactions WHERE account = 'acct-0007' AND pending_sequence IS NOT NULL) AS became_pending, (SELECT max(final_sequence) AS sequence FROM transactions WHERE account = 'acct-0007' AND final_sequence IS NOT NULL) AS became_final
WHERE accounts.account = 'acct-0007' AND head_sequence = 0 AND greatest(became_pending.sequence, became_final.sequence) > 0;
SELECT head_sequence FROM accounts WHERE account = 'acct-0007' FOR NO KEY UPDATE;
SET LOCAL statement_timeout = 250;
INSERT INTO transactions (account, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, final_sequence, final_recorded_at_ms, final_nonce)
SELECT accounts.account, 'acct-0007.declared'::text, null::text, 'refunded'::text, 1250::bigint, 'EUR'::text, null::bigint, 1772323200000::bigint, null::text, null::text, null::text, null::bigint, accounts.head_sequence + 1, 0::bigint, 7::bigint
FROM accounts WHERE accounts.account = 'acct-0007' AND NOT EXISTS (SELECT 1 FROM archives WHERE account = 'acct-0007' AND before_ms > 1772323200000 AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.account = archives.account AND closed_at_sequence IS NOT NULL))
ON CONFLICT (account, reference) DO NOTHING RETURNING final_sequence;
UPDATE transactions AS t SET status = 'refunded', paid_at_ms = null,
  final_details = CASE WHEN t.details_removed_at_ms IS NULL THEN nullif(null::text, t.details) END, final_sequence = accounts.head_sequence + 1, final_recorded_at_ms = 0::bigint, final_nonce = 7::bigint
FROM accounts WHERE accounts.account = 'acct-0007' AND t.account = 'acct-0007' AND t.reference = 'acct-0007.declared' AND 'refunded' <> 'pending'
  AND (t.status, t.merchant_reference, t.amount_minor, t.currency_code, t.created_at_ms, t.related_to) IS NOT DISTINCT FROM ('pending', null::text, 1250::bigint, 'EUR'::text, 1772323200000::bigint, null::text)
  AND (t.details_removed_at_ms IS NOT NULL OR t.details IS NULL OR (null::text::jsonb @> t.details::jsonb) IS TRUE)
RETURNING t.final_sequence;
INSERT INTO daily_totals AS t (account, day, currency_code, status, count, amount) SELECT t.account, (created_at_ms + 62135596800000) / 86400000 - 719162, t.currency_code, CASE WHEN change.count > 0 THEN t.status ELSE 'pending' END, change.count, change.count * t.amount_minor
FROM transactions AS t JOIN accounts ON accounts.account = t.account CROSS JOIN unnest('{1,-1}'::bigint[]) AS change (count)
WHERE t.account = 'acct-0007' AND accounts.account = 'acct-0007' AND t.reference = 'acct-0007.declared' AND greatest(t.pending_sequence, t.final_sequence) = accounts.head_sequence + 1
  AND (change.count > 0 OR (t.pending_sequence IS NOT NULL AND t.final_sequence IS NOT NULL))
ON CONFLICT (account, day, currency_code, status) DO UPDATE SET count = t.count + EXCLUDED.count, amount = t.amount + EXCLUDED.amount
RETURNING CASE WHEN t.count < 0 THEN ('the stored totals of the account ' || t.account || ' are damaged, and nothing was recorded: run "transactions verify", which names them, and repair them as docs/backup.md says')::bigint END;
UPDATE accounts SET head_sequence = head_sequence + 1 WHERE account = 'acct-0007' AND EXISTS (
  SELECT 1 FROM transactions AS t WHERE t.account = 'acct-0007' AND t.reference = 'acct-0007.declared'
    AND greatest(t.pending_sequence, t.final_sequence) = accounts.head_sequence + 1
);
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms FROM transactions WHERE account = 'acct-0007' AND reference = 'acct-0007.declared';
SELECT before_ms FROM archives WHERE account = 'acct-0007' AND before_ms > 1772323200000 AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.account = archives.account AND closed_at_sequence IS NOT NULL);
COMMIT;

-- recordHeld
BEGIN;
INSERT INTO accounts (account, head_sequence) VALUES ('acct-0007', 0) ON CONFLICT (account) DO NOTHING;
UPDATE accounts SET head_sequence = greatest(became_pending.sequence, became_final.sequence)
FROM (SELECT max(pending_sequence) AS sequence FROM transactions WHERE account = 'acct-0007' AND pending_sequence IS NOT NULL) AS became_pending, (SELECT max(final_sequence) AS sequence FROM transactions WHERE account = 'acct-0007' AND final_sequence IS NOT NULL) AS became_final
WHERE accounts.account = 'acct-0007' AND head_sequence = 0 AND greatest(became_pending.sequence, became_final.sequence) > 0;
SELECT head_sequence FROM accounts WHERE account = 'acct-0007' FOR NO KEY UPDATE;
SET LOCAL statement_timeout = 250;
INSERT INTO transactions (account, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, final_sequence, final_recorded_at_ms, final_nonce)
SELECT accounts.account, 'acct-0007.held'::text, null::text, 'completed'::text, 1250::bigint, 'EUR'::text, 1772323200000::bigint, 1772323200000::bigint, null::text, null::text, null::text, null::bigint, accounts.head_sequence + 1, 0::bigint, 7::bigint
FROM accounts WHERE accounts.account = 'acct-0007' AND NOT EXISTS (SELECT 1 FROM archives WHERE account = 'acct-0007' AND before_ms > 1772323200000 AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.account = archives.account AND closed_at_sequence IS NOT NULL))
ON CONFLICT (account, reference) DO NOTHING RETURNING final_sequence;
UPDATE transactions AS t SET status = 'completed', paid_at_ms = 1772323200000,
  final_details = CASE WHEN t.details_removed_at_ms IS NULL THEN nullif(null::text, t.details) END, final_sequence = accounts.head_sequence + 1, final_recorded_at_ms = 0::bigint, final_nonce = 7::bigint
FROM accounts WHERE accounts.account = 'acct-0007' AND t.account = 'acct-0007' AND t.reference = 'acct-0007.held' AND 'completed' <> 'pending'
  AND (t.status, t.merchant_reference, t.amount_minor, t.currency_code, t.created_at_ms, t.related_to) IS NOT DISTINCT FROM ('pending', null::text, 1250::bigint, 'EUR'::text, 1772323200000::bigint, null::text)
  AND (t.details_removed_at_ms IS NOT NULL OR t.details IS NULL OR (null::text::jsonb @> t.details::jsonb) IS TRUE)
RETURNING t.final_sequence;
INSERT INTO daily_totals AS t (account, day, currency_code, status, count, amount) SELECT t.account, (created_at_ms + 62135596800000) / 86400000 - 719162, t.currency_code, CASE WHEN change.count > 0 THEN t.status ELSE 'pending' END, change.count, change.count * t.amount_minor
FROM transactions AS t JOIN accounts ON accounts.account = t.account CROSS JOIN unnest('{1,-1}'::bigint[]) AS change (count)
WHERE t.account = 'acct-0007' AND accounts.account = 'acct-0007' AND t.reference = 'acct-0007.held' AND greatest(t.pending_sequence, t.final_sequence) = accounts.head_sequence + 1
  AND (change.count > 0 OR (t.pending_sequence IS NOT NULL AND t.final_sequence IS NOT NULL))
ON CONFLICT (account, day, currency_code, status) DO UPDATE SET count = t.count + EXCLUDED.count, amount = t.amount + EXCLUDED.amount
RETURNING CASE WHEN t.count < 0 THEN ('the stored totals of the account ' || t.account || ' are damaged, and nothing was recorded: run "transactions verify", which names them, and repair them as docs/backup.md says')::bigint END;
UPDATE accounts SET head_sequence = head_sequence + 1 WHERE account = 'acct-0007' AND EXISTS (
  SELECT 1 FROM transactions AS t WHERE t.account = 'acct-0007' AND t.reference = 'acct-0007.held'
    AND greatest(t.pending_sequence, t.final_sequence) = accounts.head_sequence + 1
);
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms FROM transactions WHERE account = 'acct-0007' AND reference = 'acct-0007.held';
SELECT before_ms FROM archives WHERE account = 'acct-0007' AND before_ms > 1772323200000 AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.account = archives.account AND closed_at_sequence IS NOT NULL);
COMMIT;

-- recordOnce
PREPARE s126 AS
SELECT before_ms FROM archives WHERE account = $1 AND before_ms > $2 AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.account = archives.account AND closed_at_sequence IS NOT NULL);
-- Index archives_pkey (account) filtered
-- Index accounts_pkey (account) filtered
EXECUTE s126 ('acct-0007', 1772323200000);

PREPARE s127 AS
INSERT INTO idempotency_keys (account, key, fingerprint, reference) VALUES ($1, $2, $3, $4)
ON CONFLICT (account, key) DO NOTHING RETURNING reference;
EXECUTE s127 ('acct-0007', 'once', '0000000000000000000000000000000000000000000000000000000000000000', 'acct-0007.once');

BEGIN;
INSERT INTO accounts (account, head_sequence) VALUES ('acct-0007', 0) ON CONFLICT (account) DO NOTHING;
UPDATE accounts SET head_sequence = greatest(became_pending.sequence, became_final.sequence)
FROM (SELECT max(pending_sequence) AS sequence FROM transactions WHERE account = 'acct-0007' AND pending_sequence IS NOT NULL) AS became_pending, (SELECT max(final_sequence) AS sequence FROM transactions WHERE account = 'acct-0007' AND final_sequence IS NOT NULL) AS became_final
WHERE accounts.account = 'acct-0007' AND head_sequence = 0 AND greatest(became_pending.sequence, became_final.sequence) > 0;
SELECT head_sequence FROM accounts WHERE account = 'acct-0007' FOR NO KEY UPDATE;
SET LOCAL statement_timeout = 250;
INSERT INTO transactions (account, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, final_sequence, final_recorded_at_ms, final_nonce)
SELECT accounts.account, 'acct-0007.once'::text, null::text, 'completed'::text, 1250::bigint, 'EUR'::text, 1772323200000::bigint, 1772323200000::bigint, null::text, null::text, null::text, null::bigint, accounts.head_sequence + 1, 0::bigint, 7::bigint
FROM accounts WHERE accounts.account = 'acct-0007' AND NOT EXISTS (SELECT 1 FROM archives WHERE account = 'acct-0007' AND before_ms > 1772323200000 AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.account = archives.account AND closed_at_sequence IS NOT NULL))
ON CONFLICT (account, reference) DO NOTHING RETURNING final_sequence;
UPDATE transactions AS t SET status = 'completed', paid_at_ms = 1772323200000,
  final_details = CASE WHEN t.details_removed_at_ms IS NULL THEN nullif(null::text, t.details) END, final_sequence = accounts.head_sequence + 1, final_recorded_at_ms = 0::bigint, final_nonce = 7::bigint
FROM accounts WHERE accounts.account = 'acct-0007' AND t.account = 'acct-0007' AND t.reference = 'acct-0007.once' AND 'completed' <> 'pending'
  AND (t.status, t.merchant_reference, t.amount_minor, t.currency_code, t.created_at_ms, t.related_to) IS NOT DISTINCT FROM ('pending', null::text, 1250::bigint, 'EUR'::text, 1772323200000::bigint, null::text)
  AND (t.details_removed_at_ms IS NOT NULL OR t.details IS NULL OR (null::text::jsonb @> t.details::jsonb) IS TRUE)
RETURNING t.final_sequence;
INSERT INTO daily_totals AS t (account, day, currency_code, status, count, amount) SELECT t.account, (created_at_ms + 62135596800000) / 86400000 - 719162, t.currency_code, CASE WHEN change.count > 0 THEN t.status ELSE 'pending' END, change.count, change.count * t.amount_minor
FROM transactions AS t JOIN accounts ON accounts.account = t.account CROSS JOIN unnest('{1,-1}'::bigint[]) AS change (count)
WHERE t.account = 'acct-0007' AND accounts.account = 'acct-0007' AND t.reference = 'acct-0007.once' AND greatest(t.pending_sequence, t.final_sequence) = accounts.head_sequence + 1
  AND (change.count > 0 OR (t.pending_sequence IS NOT NULL AND t.final_sequence IS NOT NULL))
ON CONFLICT (account, day, currency_code, status) DO UPDATE SET count = t.count + EXCLUDED.count, amount = t.amount + EXCLUDED.amount
RETURNING CASE WHEN t.count < 0 THEN ('the stored totals of the account ' || t.account || ' are damaged, and nothing was recorded: run "transactions verify", which names them, and repair them as docs/backup.md says')::bigint END;
UPDATE accounts SET head_sequence = head_sequence + 1 WHERE account = 'acct-0007' AND EXISTS (
  SELECT 1 FROM transactions AS t WHERE t.account = 'acct-0007' AND t.reference = 'acct-0007.once'
    AND greatest(t.pending_sequence, t.final_sequence) = accounts.head_sequence + 1
);
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms FROM transactions WHERE account = 'acct-0007' AND reference = 'acct-0007.once';
SELECT before_ms FROM archives WHERE account = 'acct-0007' AND before_ms > 1772323200000 AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.account = archives.account AND closed_at_sequence IS NOT NULL);
COMMIT;

-- removeDetails
BEGIN;
SELECT head_sequence FROM accounts WHERE account = 'acct-0007' FOR NO KEY UPDATE;
SELECT 1 FROM transactions WHERE account = 'acct-0007' AND reference = 'acct-0007.1';
INSERT INTO account_audit (account, at_ms, id, action, subject, detail, via, actor, address)
SELECT 'acct-0007', 1000, 'au_0000000000000012', 'key.created', 'key_0000000000000001', NULL, 'command', 'tester', NULL FROM transactions WHERE account = 'acct-0007' AND reference = 'acct-0007.1' AND (details IS NOT NULL OR final_details IS NOT NULL);
UPDATE transactions SET details = NULL, final_details = NULL, details_removed_at_ms = 1000
WHERE account = 'acct-0007' AND reference = 'acct-0007.1' AND (details IS NOT NULL OR final_details IS NOT NULL) RETURNING 1;
COMMIT;

-- listChanges
PREPARE s128 AS
SELECT head.head_sequence, floor.floor_sequence, floor.floor_nonce, sequence, nonce, previous_status, recorded_at_ms, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM (SELECT coalesce((SELECT accounts.head_sequence FROM accounts WHERE accounts.account = $1), 0) AS head_sequence OFFSET 0) AS head
LEFT JOIN LATERAL (
SELECT archives.floor_sequence, archives.floor_nonce FROM archives WHERE archives.account = $1 OFFSET 0
) AS floor ON true
LEFT JOIN LATERAL (
SELECT sequence, nonce, previous_status, recorded_at_ms, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms FROM (
(SELECT pending_sequence AS sequence, pending_nonce AS nonce, NULL AS previous_status, pending_recorded_at_ms AS recorded_at_ms, reference, merchant_reference, 'pending'::text COLLATE "C" AS status, amount_minor, currency_code, NULL::bigint AS paid_at_ms, created_at_ms, related_to, details, NULL::text COLLATE "C" AS final_details, details_removed_at_ms
FROM transactions
WHERE account = $1 AND pending_sequence >= $2
ORDER BY pending_sequence
LIMIT $3)
UNION ALL
(SELECT final_sequence, final_nonce, CASE WHEN pending_sequence IS NOT NULL THEN 'pending' END, final_recorded_at_ms, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms
FROM transactions
WHERE account = $1 AND final_sequence >= $2
ORDER BY final_sequence
LIMIT $3)
) AS ranges
ORDER BY sequence
LIMIT $3
) AS changes ON true;
-- Index accounts_pkey (account)
-- Index archives_pkey (account)
-- Index transactions_by_pending_sequence (account, pending_sequence)
-- Index transactions_by_final_sequence (account, final_sequence)
EXECUTE s128 ('acct-0007', 1, 11);

-- listTransactionChanges
PREPARE s129 AS
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, pending_sequence, pending_recorded_at_ms, pending_nonce, final_sequence, final_recorded_at_ms, final_nonce FROM transactions WHERE account = $1 AND reference = $2 LIMIT 1;
-- Index transactions_pkey (account, reference)
EXECUTE s129 ('acct-0007', 'acct-0007.1');

-- findMissingChanges
PREPARE s130 AS
SELECT given.ordinal - 1 AS place FROM unnest($2::bigint[], $3::bigint[], $4::float8[]) WITH ORDINALITY AS given (sequence, nonce, age_ms, ordinal)
WHERE coalesce((SELECT t.pending_nonce FROM transactions AS t WHERE t.account = $1 AND t.pending_sequence = given.sequence), (SELECT t.final_nonce FROM transactions AS t WHERE t.account = $1 AND t.final_sequence = given.sequence), (SELECT CASE WHEN a.floor_sequence = given.sequence THEN a.floor_nonce ELSE -1 END FROM archives AS a WHERE a.account = $1 AND a.floor_sequence >= given.sequence)) IS DISTINCT FROM given.nonce
  AND NOT EXISTS (SELECT FROM accounts AS erased WHERE erased.account = $1 AND (closed_at_sequence IS NOT NULL OR erased_at_ms >= floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint - given.age_ms))
  AND NOT EXISTS (SELECT FROM archives AS archived WHERE archived.account = $1 AND floor_sequence >= given.sequence);
-- Index accounts_pkey (account) filtered
-- Index transactions_by_pending_sequence (account, pending_sequence)
-- Index transactions_by_final_sequence (account, final_sequence)
-- Index archives_pkey (account) filtered
-- Index archives_pkey (account)
EXECUTE s130 ('acct-0007', '{1}', '{1}', '{1}');

-- readStoredTotals
PREPARE s131 AS
SELECT last_number.head_sequence, last_change.nonce AS last_nonce, day, currency_code, status, count, amount
FROM (
SELECT coalesce((SELECT accounts.head_sequence FROM accounts WHERE accounts.account = $1), 0) AS head_sequence OFFSET 0
) AS last_number
CROSS JOIN LATERAL (
SELECT coalesce((SELECT t.pending_nonce FROM transactions AS t WHERE t.account = $1 AND t.pending_sequence = last_number.head_sequence), (SELECT t.final_nonce FROM transactions AS t WHERE t.account = $1 AND t.final_sequence = last_number.head_sequence), (SELECT CASE WHEN a.floor_sequence = last_number.head_sequence THEN a.floor_nonce ELSE -1 END FROM archives AS a WHERE a.account = $1 AND a.floor_sequence >= last_number.head_sequence)) AS nonce OFFSET 0
) AS last_change
LEFT JOIN LATERAL (
SELECT NULL::bigint AS day, currency_code, status, sum(count)::bigint AS count, sum(amount)::text AS amount FROM daily_totals
WHERE account = $1 AND day >= $4 AND day <= $5
  AND ($2::text = '' OR status = $2) AND ($3::text = '' OR currency_code = $3)
GROUP BY currency_code, status
) AS totals ON true;
-- Index accounts_pkey (account)
-- Index transactions_by_pending_sequence (account, pending_sequence)
-- Index transactions_by_final_sequence (account, final_sequence)
-- Index archives_pkey (account) filtered
-- Index daily_totals_pkey (account, day, day)
EXECUTE s131 ('acct-0007', '', '', 1, 9);

PREPARE s132 AS
SELECT last_number.head_sequence, last_change.nonce AS last_nonce, day, currency_code, status, count, amount
FROM (
SELECT coalesce((SELECT accounts.head_sequence FROM accounts WHERE accounts.account = $1), 0) AS head_sequence OFFSET 0
) AS last_number
CROSS JOIN LATERAL (
SELECT coalesce((SELECT t.pending_nonce FROM transactions AS t WHERE t.account = $1 AND t.pending_sequence = last_number.head_sequence), (SELECT t.final_nonce FROM transactions AS t WHERE t.account = $1 AND t.final_sequence = last_number.head_sequence), (SELECT CASE WHEN a.floor_sequence = last_number.head_sequence THEN a.floor_nonce ELSE -1 END FROM archives AS a WHERE a.account = $1 AND a.floor_sequence >= last_number.head_sequence)) AS nonce OFFSET 0
) AS last_change
LEFT JOIN LATERAL (
SELECT day::bigint AS day, currency_code, status, count, amount::text AS amount FROM daily_totals
WHERE account = $1 AND day >= $4 AND day <= $5
  AND ($2::text = '' OR status = $2) AND ($3::text = '' OR currency_code = $3)
) AS totals ON true;
-- Index accounts_pkey (account)
-- Index transactions_by_pending_sequence (account, pending_sequence)
-- Index transactions_by_final_sequence (account, final_sequence)
-- Index archives_pkey (account) filtered
-- Index daily_totals_pkey (account, day, day)
EXECUTE s132 ('acct-0007', '', '', 1, 9);

-- readNonce
PREPARE s133 AS
SELECT coalesce((SELECT t.pending_nonce FROM transactions AS t WHERE t.account = $1 AND t.pending_sequence = $2), (SELECT t.final_nonce FROM transactions AS t WHERE t.account = $1 AND t.final_sequence = $2), (SELECT CASE WHEN a.floor_sequence = $2 THEN a.floor_nonce ELSE -1 END FROM archives AS a WHERE a.account = $1 AND a.floor_sequence >= $2)) AS nonce;
-- Index transactions_by_pending_sequence (account, pending_sequence)
-- Index transactions_by_final_sequence (account, final_sequence)
-- Index archives_pkey (account) filtered
EXECUTE s133 ('acct-0007', 9);

-- listUnsealed
SELECT accounts.account, accounts.head_sequence - coalesce(seals.sequence, 0)
FROM accounts LEFT JOIN seals ON seals.account = accounts.account AND seals.account > 'acct-0007'
WHERE accounts.account > 'acct-0007' ORDER BY accounts.account LIMIT 10;

-- readSeal
PREPARE s134 AS
SELECT sequence, nonce, seal, digests FROM seals WHERE seals.account = $1;
-- Index seals_pkey (account)
EXECUTE s134 ('acct-0007');

-- storeSeals
BEGIN;
INSERT INTO seals (account, sequence, seal, digests)
SELECT account, 0, '0000000000000000000000000000000000000000000000000000000000000000', '' FROM accounts WHERE account = 'acct-new' AND coalesce((SELECT t.pending_nonce FROM transactions AS t WHERE t.account = 'acct-new' AND t.pending_sequence = 1), (SELECT t.final_nonce FROM transactions AS t WHERE t.account = 'acct-new' AND t.final_sequence = 1), (SELECT CASE WHEN a.floor_sequence = 1 THEN a.floor_nonce ELSE -1 END FROM archives AS a WHERE a.account = 'acct-new' AND a.floor_sequence >= 1)) = 7
ON CONFLICT (account) DO NOTHING;
SELECT sequence FROM seals WHERE account = 'acct-new' FOR NO KEY UPDATE;
INSERT INTO seal_blocks (account, sequence, seal, digests)
SELECT seals.account, blocks.* FROM seals CROSS JOIN unnest('{}'::bigint[], '{}'::text[], '{}'::text[]) AS blocks
WHERE seals.account = 'acct-new' AND seals.sequence = 0 AND coalesce((SELECT t.pending_nonce FROM transactions AS t WHERE t.account = 'acct-new' AND t.pending_sequence = 1), (SELECT t.final_nonce FROM transactions AS t WHERE t.account = 'acct-new' AND t.final_sequence = 1), (SELECT CASE WHEN a.floor_sequence = 1 THEN a.floor_nonce ELSE -1 END FROM archives AS a WHERE a.account = 'acct-new' AND a.floor_sequence >= 1)) = 7;
UPDATE seals SET sequence = 1, nonce = 7, seal = 'f7b67ab71fa9798fc2747b991cc42a105e9894d15067de2e2724e3b1b49b28ec', digests = 'bMl_Hh9D'
WHERE seals.account = 'acct-new' AND seals.sequence = 0 AND coalesce((SELECT t.pending_nonce FROM transactions AS t WHERE t.account = 'acct-new' AND t.pending_sequence = 1), (SELECT t.final_nonce FROM transactions AS t WHERE t.account = 'acct-new' AND t.final_sequence = 1), (SELECT CASE WHEN a.floor_sequence = 1 THEN a.floor_nonce ELSE -1 END FROM archives AS a WHERE a.account = 'acct-new' AND a.floor_sequence >= 1)) = 7 RETURNING sequence;
COMMIT;

BEGIN;

SELECT sequence FROM seals WHERE account = 'acct-new' FOR NO KEY UPDATE;
INSERT INTO seal_blocks (account, sequence, seal, digests)
SELECT seals.account, blocks.* FROM seals CROSS JOIN unnest('{}'::bigint[], '{}'::text[], '{}'::text[]) AS blocks
WHERE seals.account = 'acct-new' AND seals.sequence = 1 AND coalesce((SELECT t.pending_nonce FROM transactions AS t WHERE t.account = 'acct-new' AND t.pending_sequence = 1), (SELECT t.final_nonce FROM transactions AS t WHERE t.account = 'acct-new' AND t.final_sequence = 1), (SELECT CASE WHEN a.floor_sequence = 1 THEN a.floor_nonce ELSE -1 END FROM archives AS a WHERE a.account = 'acct-new' AND a.floor_sequence >= 1)) = 7;
UPDATE seals SET sequence = 1, nonce = 7, seal = 'f7b67ab71fa9798fc2747b991cc42a105e9894d15067de2e2724e3b1b49b28ec', digests = 'bMl_Hh9D'
WHERE seals.account = 'acct-new' AND seals.sequence = 1 AND coalesce((SELECT t.pending_nonce FROM transactions AS t WHERE t.account = 'acct-new' AND t.pending_sequence = 1), (SELECT t.final_nonce FROM transactions AS t WHERE t.account = 'acct-new' AND t.final_sequence = 1), (SELECT CASE WHEN a.floor_sequence = 1 THEN a.floor_nonce ELSE -1 END FROM archives AS a WHERE a.account = 'acct-new' AND a.floor_sequence >= 1)) = 7 RETURNING sequence;
COMMIT;

-- sumListed
PREPARE s135 AS
SELECT currency_code, status, part_start_ms, count(*) AS count, sum(amount_minor)::text AS amount, min(created_at_ms) AS first_ms,
  max(created_at_ms) AS created_at_ms, NULL::text AS reference
FROM (
SELECT currency_code, amount_minor, created_at_ms, paid_at_ms, final_sequence,
  paid_at_ms - (paid_at_ms + 62135596800000) % $11::bigint AS part_start_ms, CASE WHEN final_sequence <= $2 THEN status WHEN pending_sequence <= $2 THEN 'pending' END AS status
FROM transactions
WHERE account = $1 AND merchant_reference >= $12 AND (merchant_reference, created_at_ms, reference) < ($12, $4, $5)
ORDER BY merchant_reference DESC, created_at_ms DESC, reference DESC LIMIT $6
) AS listed
WHERE status IS NOT NULL AND created_at_ms >= $3
  AND ($9::text = '' OR status = $9) AND ($10::text = '' OR currency_code = $10)
  AND ($7::bigint IS NULL OR (paid_at_ms >= $7 AND paid_at_ms < $8 AND final_sequence <= $2))
GROUP BY currency_code, status, part_start_ms
UNION ALL
(SELECT '', '', NULL, 0, '0', NULL, created_at_ms, reference
FROM transactions
WHERE account = $1 AND merchant_reference >= $12 AND (merchant_reference, created_at_ms, reference) < ($12, $4, $5)
ORDER BY merchant_reference DESC, created_at_ms DESC, reference DESC OFFSET $6::bigint - 1 LIMIT 1);
-- Index transactions_by_merchant_reference_time backward (account, merchant_reference, ROW(merchant_reference, created_at_ms, reference))
EXECUTE s135 ('acct-0007', 99, 0, 9007199254740991, '', 5000, NULL, NULL, 'completed', 'EUR', NULL, 'order-1');

PREPARE s136 AS
SELECT currency_code, status, part_start_ms, count(*) AS count, sum(amount_minor)::text AS amount, min(created_at_ms) AS first_ms,
  max(created_at_ms) AS created_at_ms, NULL::text AS reference
FROM (
SELECT currency_code, amount_minor, created_at_ms, paid_at_ms, final_sequence,
  paid_at_ms - (paid_at_ms + 62135596800000) % $11::bigint AS part_start_ms, CASE WHEN final_sequence <= $2 THEN status WHEN pending_sequence <= $2 THEN 'pending' END AS status
FROM transactions
WHERE account = $1 AND created_at_ms >= $3 AND (created_at_ms, reference) < ($4, $5)
ORDER BY created_at_ms DESC, reference DESC LIMIT $6
) AS listed
WHERE status IS NOT NULL AND created_at_ms >= $3
  AND ($9::text = '' OR status = $9) AND ($10::text = '' OR currency_code = $10)
  AND ($7::bigint IS NULL OR (paid_at_ms >= $7 AND paid_at_ms < $8 AND final_sequence <= $2))
GROUP BY currency_code, status, part_start_ms
UNION ALL
(SELECT '', '', NULL, 0, '0', NULL, created_at_ms, reference
FROM transactions
WHERE account = $1 AND created_at_ms >= $3 AND (created_at_ms, reference) < ($4, $5)
ORDER BY created_at_ms DESC, reference DESC OFFSET $6::bigint - 1 LIMIT 1);
-- Index transactions_by_time backward (account, created_at_ms, ROW(created_at_ms, reference))
EXECUTE s136 ('acct-0007', 99, 0, 9007199254740991, '', 5000, NULL, NULL, 'completed', 'EUR', NULL);

-- createExport
PREPARE s137 AS
SELECT count(*) FILTER (WHERE started_at_ms BETWEEN $2 AND $3) AS count FROM exports WHERE account = $1;
-- Index exports_pkey (account)
EXECUTE s137 ('acct-0007', 1, 88400000);

EXECUTE s41 ('acct-0007', 'exp_zzzzzzzzzzzzzzzz', 2000000, '{"id":"exp_zzzzzzzzzzzzzzzz","account":"acct-0007","format":"csv","spreadsheet":false,"filter":{"status":null,"currency":null,"from":null,"to":null,"timeZone":null,"merchantReference":null,"paidFrom":null,"paidTo":null,"relatedTo":null,"recordedAt":null,"details":null},"created":null,"asOf":1,"asOfId":null,"seal":null,"totals":[],"startedAtMs":2000000,"result":null}');

EXECUTE s42 ('acct-0007', 1, 88400000);

-- removeExpiredExports
DELETE FROM exports WHERE started_at_ms < 1;

-- findExport
PREPARE s138 AS
SELECT record FROM exports WHERE account = $1 AND id = $2;
-- Index exports_pkey (account, id)
EXECUTE s138 ('acct-0007', 'exp_zzzzzzzzzzzzzzzz');

-- replaceExport
EXECUTE s46 ('acct-0007', 'exp_zzzzzzzzzzzzzzzz', '{"id":"exp_zzzzzzzzzzzzzzzz","account":"acct-0007","format":"csv","spreadsheet":false,"filter":{"status":null,"currency":null,"from":null,"to":null,"timeZone":null,"merchantReference":null,"paidFrom":null,"paidTo":null,"relatedTo":null,"recordedAt":null,"details":null},"created":null,"asOf":1,"asOfId":null,"seal":null,"totals":[],"startedAtMs":2000000,"result":null}');

-- createWebhook
BEGIN;
SELECT pg_advisory_xact_lock(1954051941, hashtext('acct-0007'));
INSERT INTO webhook_endpoints (account, id, created_at_ms, url, types, label, ordered, secret, previous_secret, previous_secret_until_ms, disabled_reason, disabled_at_ms, version, replay_version, acknowledged_sequence, failing_since_ms, quick)
SELECT 'acct-0007', 'we_0000000000000009', 1000, 'https://example.com/9', null, null, 0, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', null, null, null, null, 1, 0, 0, null, null FROM (SELECT count(*) AS stored FROM webhook_endpoints WHERE account = 'acct-0007') AS own
WHERE stored < 20 ON CONFLICT (account, id) DO NOTHING RETURNING version;
INSERT INTO account_audit (account, at_ms, id, action, subject, detail, via, actor, address) SELECT 'acct-0007'::text, 1000::bigint, 'au_0000000000000013'::text, 'key.created'::text, 'key_0000000000000001'::text, null::text, 'command'::text, 'tester'::text, null::text FROM webhook_endpoints AS e WHERE e.account = 'acct-0007' AND e.id = 'we_0000000000000009' AND e.secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
SELECT e.version FROM webhook_endpoints AS e WHERE e.account = 'acct-0007' AND e.id = 'we_0000000000000009' AND e.secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' FOR NO KEY UPDATE;
COMMIT;

BEGIN;
SELECT pg_advisory_xact_lock(1954051941, hashtext('acct-0007'));
SELECT id FROM api_keys WHERE id = 'key_0000000000000000' FOR SHARE;
INSERT INTO webhook_endpoints (account, id, created_at_ms, url, types, label, ordered, secret, previous_secret, previous_secret_until_ms, disabled_reason, disabled_at_ms, version, replay_version, acknowledged_sequence, failing_since_ms, quick)
SELECT 'acct-0007', 'we_0000000000000008', 1000, 'https://example.com/8', null, null, 0, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', null, null, null, null, 1, 0, 0, null, null FROM (SELECT count(*) AS stored FROM webhook_endpoints WHERE account = 'acct-0007') AS own
WHERE stored < 20 AND EXISTS (SELECT 1 FROM api_keys WHERE id = 'key_0000000000000000' AND revoked_at_ms IS NULL) ON CONFLICT (account, id) DO NOTHING RETURNING version;
INSERT INTO account_audit (account, at_ms, id, action, subject, detail, via, actor, address) SELECT 'acct-0007'::text, 1000::bigint, 'au_0000000000000014'::text, 'key.created'::text, 'key_0000000000000001'::text, null::text, 'api'::text, 'key_0000000000000000'::text, null::text FROM webhook_endpoints AS e WHERE e.account = 'acct-0007' AND e.id = 'we_0000000000000008' AND e.secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
SELECT e.version FROM webhook_endpoints AS e WHERE e.account = 'acct-0007' AND e.id = 'we_0000000000000008' AND e.secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' FOR NO KEY UPDATE;
COMMIT;

-- listWebhooks
PREPARE s139 AS
SELECT account, id, created_at_ms, url, types, label, ordered, secret, previous_secret, previous_secret_until_ms, disabled_reason, disabled_at_ms, version, replay_version, acknowledged_sequence, failing_since_ms, quick,
  (SELECT count(*) FROM webhook_failures AS f WHERE f.account = $1 AND f.endpoint_id = e.id) AS failure_count
FROM webhook_endpoints AS e WHERE e.account = $1 AND true OFFSET 0;
-- Index webhook_endpoints_pkey (account)
-- Index webhook_failures_pkey (account, endpoint_id)
EXECUTE s139 ('acct-0007');

-- findWebhook
PREPARE s140 AS
SELECT account, id, created_at_ms, url, types, label, ordered, secret, previous_secret, previous_secret_until_ms, disabled_reason, disabled_at_ms, version, replay_version, acknowledged_sequence, failing_since_ms, quick,
  (SELECT count(*) FROM webhook_failures AS f WHERE f.account = $1 AND f.endpoint_id = e.id) AS failure_count
FROM webhook_endpoints AS e WHERE e.account = $1 AND e.id = $2 OFFSET 0;
-- Index webhook_endpoints_pkey (account, id)
-- Index webhook_failures_pkey (account, endpoint_id)
EXECUTE s140 ('acct-0007', 'we_0000000000000001');

-- replaceWebhook
BEGIN;
SELECT version FROM webhook_endpoints WHERE account = 'acct-0007' AND id = 'we_0000000000000009' FOR NO KEY UPDATE;
INSERT INTO account_audit (account, at_ms, id, action, subject, detail, via, actor, address) SELECT 'acct-0007'::text, 1000::bigint, 'au_0000000000000015'::text, 'key.created'::text, 'key_0000000000000001'::text, null::text, 'command'::text, 'tester'::text, null::text FROM webhook_endpoints AS e WHERE e.account = 'acct-0007' AND e.id = 'we_0000000000000009' AND e.version = 1;
UPDATE webhook_endpoints SET url = 'https://example.com/9', types = null, label = null, ordered = 0, secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', previous_secret = null, previous_secret_until_ms = null, disabled_reason = null, disabled_at_ms = null, version = 1 + 1,
  replay_version = CASE WHEN null::bigint IS NULL THEN replay_version ELSE 1 + 1 END,
  acknowledged_sequence = coalesce(null::bigint, acknowledged_sequence),
  failing_since_ms = CASE WHEN disabled_at_ms IS NULL OR null::bigint IS NOT NULL THEN failing_since_ms END
WHERE account = 'acct-0007' AND id = 'we_0000000000000009' AND version = 1 RETURNING version;
COMMIT;

BEGIN;
SELECT version FROM webhook_endpoints WHERE account = 'acct-0007' AND id = 'we_0000000000000009' FOR NO KEY UPDATE;
DELETE FROM webhook_failures WHERE account = 'acct-0007' AND endpoint_id = 'we_0000000000000009' AND sequence > 0
  AND EXISTS (SELECT 1 FROM webhook_endpoints AS e WHERE e.account = 'acct-0007' AND e.id = 'we_0000000000000009' AND e.version = 2);
INSERT INTO account_audit (account, at_ms, id, action, subject, detail, via, actor, address) SELECT 'acct-0007'::text, 1000::bigint, 'au_0000000000000016'::text, 'key.created'::text, 'key_0000000000000001'::text, null::text, 'command'::text, 'tester'::text, null::text FROM webhook_endpoints AS e WHERE e.account = 'acct-0007' AND e.id = 'we_0000000000000009' AND e.version = 2;
UPDATE webhook_endpoints SET url = 'https://example.com/9', types = null, label = null, ordered = 0, secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', previous_secret = null, previous_secret_until_ms = null, disabled_reason = null, disabled_at_ms = null, version = 2 + 1,
  replay_version = CASE WHEN 0::bigint IS NULL THEN replay_version ELSE 2 + 1 END,
  acknowledged_sequence = coalesce(0::bigint, acknowledged_sequence),
  failing_since_ms = CASE WHEN disabled_at_ms IS NULL OR null::bigint IS NOT NULL THEN failing_since_ms END
WHERE account = 'acct-0007' AND id = 'we_0000000000000009' AND version = 2 RETURNING version;
COMMIT;

-- listWebhookFailures
PREPARE s141 AS
SELECT sequence, attempts, first_failed_at_ms, last_failed_at_ms, next_attempt_at_ms, response_status, error FROM webhook_failures
WHERE account = $1 AND endpoint_id = $2 AND sequence > $3 ORDER BY sequence LIMIT $4;
-- Index webhook_failures_pkey (account, endpoint_id, sequence)
EXECUTE s141 ('acct-0007', 'we_0000000000000001', 0, 10);

-- retryWebhookFailure
BEGIN;
SELECT version FROM webhook_endpoints WHERE account = 'acct-0007' AND id = 'we_0000000000000001' FOR NO KEY UPDATE;
UPDATE webhook_failures SET next_attempt_at_ms = 5 WHERE account = 'acct-0007' AND endpoint_id = 'we_0000000000000001' AND sequence = 1;
UPDATE webhook_endpoints SET version = version + 1 WHERE account = 'acct-0007' AND id = 'we_0000000000000001'
  AND EXISTS (SELECT 1 FROM webhook_failures AS f WHERE f.account = 'acct-0007' AND f.endpoint_id = 'we_0000000000000001' AND f.sequence = 1)
RETURNING version;
COMMIT;

-- listDeliverable
SELECT account, id, created_at_ms, url, types, label, ordered, secret, previous_secret, previous_secret_until_ms, disabled_reason, disabled_at_ms, version, replay_version, acknowledged_sequence, failing_since_ms, quick,
  (SELECT f.sequence FROM webhook_failures AS f WHERE f.account = e.account AND f.endpoint_id = e.id ORDER BY f.sequence LIMIT 1), 1
FROM webhook_endpoints AS e WHERE (e.account, e.id) > ('', '') AND e.disabled_at_ms IS NULL ORDER BY account, id LIMIT 100;

SELECT account, id, created_at_ms, url, types, label, ordered, secret, previous_secret, previous_secret_until_ms, disabled_reason, disabled_at_ms, version, replay_version, acknowledged_sequence, failing_since_ms, quick,
  (SELECT f.sequence FROM webhook_failures AS f WHERE f.account = e.account AND f.endpoint_id = e.id ORDER BY f.sequence LIMIT 1), 1
FROM webhook_endpoints AS e WHERE e.account = ANY ('{"acct-0007"}'::text[]) AND e.disabled_at_ms IS NULL;

-- storeProgress
BEGIN;
SELECT version FROM webhook_endpoints WHERE account = 'acct-0007' AND id = 'we_0000000000000001' FOR NO KEY UPDATE;
INSERT INTO webhook_failures (account, endpoint_id, sequence, attempts, first_failed_at_ms, last_failed_at_ms, next_attempt_at_ms, response_status, error)
SELECT e.account, e.id, kept.sequence, kept.attempts, kept.first_failed_at_ms, kept.last_failed_at_ms, CASE WHEN e.version > 9 AND before.next_attempt_at_ms IS NOT NULL
    AND (before.next_attempt_at_ms < kept.next_attempt_at_ms OR kept.next_attempt_at_ms IS NULL)
  THEN greatest(before.next_attempt_at_ms, kept.last_failed_at_ms) ELSE kept.next_attempt_at_ms END, kept.response_status, kept.error FROM webhook_endpoints AS e
CROSS JOIN unnest('{99}'::bigint[], '{1}'::bigint[], '{2000}'::bigint[], '{2000}'::bigint[], '{7000}'::bigint[], '{503}'::bigint[], '{"the response has the status 503"}'::text[]) AS kept (sequence, attempts, first_failed_at_ms, last_failed_at_ms, next_attempt_at_ms, response_status, error)
LEFT JOIN webhook_failures AS before ON before.account = 'acct-0007' AND before.endpoint_id = 'we_0000000000000001' AND before.sequence = kept.sequence
WHERE e.account = 'acct-0007' AND e.id = 'we_0000000000000001' AND replay_version <= 9 AND acknowledged_sequence >= 0 AND (null::bigint IS NULL OR coalesce((SELECT t.pending_nonce FROM transactions AS t WHERE t.account = 'acct-0007' AND t.pending_sequence = 3), (SELECT t.final_nonce FROM transactions AS t WHERE t.account = 'acct-0007' AND t.final_sequence = 3), (SELECT CASE WHEN a.floor_sequence = 3 THEN a.floor_nonce ELSE -1 END FROM archives AS a WHERE a.account = 'acct-0007' AND a.floor_sequence >= 3)) = null)
  AND kept.sequence > coalesce((SELECT a.floor_sequence FROM archives AS a WHERE a.account = 'acct-0007'), 0)
ON CONFLICT (account, endpoint_id, sequence) DO UPDATE SET sequence = EXCLUDED.sequence, attempts = EXCLUDED.attempts, first_failed_at_ms = EXCLUDED.first_failed_at_ms, last_failed_at_ms = EXCLUDED.last_failed_at_ms, next_attempt_at_ms = EXCLUDED.next_attempt_at_ms, response_status = EXCLUDED.response_status, error = EXCLUDED.error;
DELETE FROM webhook_failures WHERE account = 'acct-0007' AND endpoint_id = 'we_0000000000000001' AND sequence = ANY ('{1,2}'::bigint[])
  AND EXISTS (SELECT 1 FROM webhook_endpoints AS e WHERE e.account = 'acct-0007' AND e.id = 'we_0000000000000001' AND replay_version <= 9 AND acknowledged_sequence >= 0 AND (null::bigint IS NULL OR coalesce((SELECT t.pending_nonce FROM transactions AS t WHERE t.account = 'acct-0007' AND t.pending_sequence = 3), (SELECT t.final_nonce FROM transactions AS t WHERE t.account = 'acct-0007' AND t.final_sequence = 3), (SELECT CASE WHEN a.floor_sequence = 3 THEN a.floor_nonce ELSE -1 END FROM archives AS a WHERE a.account = 'acct-0007' AND a.floor_sequence >= 3)) = null));
UPDATE webhook_endpoints SET acknowledged_sequence = greatest(acknowledged_sequence, 3), failing_since_ms = null, quick = null
WHERE account = 'acct-0007' AND id = 'we_0000000000000001' AND replay_version <= 9 AND acknowledged_sequence >= 0 AND (null::bigint IS NULL OR coalesce((SELECT t.pending_nonce FROM transactions AS t WHERE t.account = 'acct-0007' AND t.pending_sequence = 3), (SELECT t.final_nonce FROM transactions AS t WHERE t.account = 'acct-0007' AND t.final_sequence = 3), (SELECT CASE WHEN a.floor_sequence = 3 THEN a.floor_nonce ELSE -1 END FROM archives AS a WHERE a.account = 'acct-0007' AND a.floor_sequence >= 3)) = null) RETURNING version;
COMMIT;

-- disableWebhook
BEGIN;
SELECT version FROM webhook_endpoints WHERE account = 'acct-0007' AND id = 'we_0000000000000002' FOR NO KEY UPDATE;
INSERT INTO account_audit (account, at_ms, id, action, subject, detail, via, actor, address) SELECT 'acct-0007'::text, 1000::bigint, 'au_0000000000000017'::text, 'key.created'::text, 'key_0000000000000001'::text, null::text, 'command'::text, 'tester'::text, null::text FROM webhook_endpoints AS e WHERE e.account = 'acct-0007' AND e.id = 'we_0000000000000002' AND e.version = 1;
UPDATE webhook_endpoints SET disabled_reason = 'failing', disabled_at_ms = 5, version = version + 1
WHERE account = 'acct-0007' AND id = 'we_0000000000000002' AND version = 1 RETURNING version;
COMMIT;

-- deleteWebhook
BEGIN;
SELECT version FROM webhook_endpoints WHERE account = 'acct-0007' AND id = 'we_0000000000000003' FOR NO KEY UPDATE;
DELETE FROM webhook_failures WHERE account = 'acct-0007' AND endpoint_id = 'we_0000000000000003';
INSERT INTO account_audit (account, at_ms, id, action, subject, detail, via, actor, address) SELECT 'acct-0007'::text, 1000::bigint, 'au_0000000000000018'::text, 'key.created'::text, 'key_0000000000000001'::text, null::text, 'command'::text, 'tester'::text, null::text FROM webhook_endpoints AS e WHERE e.account = 'acct-0007' AND e.id = 'we_0000000000000003';
DELETE FROM webhook_endpoints WHERE account = 'acct-0007' AND id = 'we_0000000000000003' RETURNING version;
COMMIT;

-- openImport
PREPARE s142 AS
SELECT 1 FROM transactions WHERE account = $1 LIMIT 1;
-- Index transactions_pkey (account)
EXECUTE s142 ('nobody');

PREPARE s143 AS
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms FROM transactions WHERE account = $1 AND reference = ANY($2::text[]) OFFSET 0;
-- Index transactions_pkey (account, reference)
EXECUTE s143 ('acct-0007', '{"acct-0007.1","none"}');

BEGIN;
INSERT INTO accounts (account, head_sequence) VALUES ('acct-0007', 0) ON CONFLICT (account) DO NOTHING;
UPDATE accounts SET head_sequence = greatest(became_pending.sequence, became_final.sequence)
FROM (SELECT max(pending_sequence) AS sequence FROM transactions WHERE account = 'acct-0007' AND pending_sequence IS NOT NULL) AS became_pending, (SELECT max(final_sequence) AS sequence FROM transactions WHERE account = 'acct-0007' AND final_sequence IS NOT NULL) AS became_final
WHERE accounts.account = 'acct-0007' AND head_sequence = 0 AND greatest(became_pending.sequence, became_final.sequence) > 0;
SELECT head_sequence FROM accounts WHERE account = 'acct-0007' FOR NO KEY UPDATE;
SET LOCAL statement_timeout = 250;
INSERT INTO transactions (account, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms, final_sequence, final_recorded_at_ms, final_nonce)
SELECT accounts.account, 'acct-0007.imported'::text, null::text, 'completed'::text, 1250::bigint, 'EUR'::text, 1772323200000::bigint, 1772323200000::bigint, null::text, null::text, null::text, null::bigint, accounts.head_sequence + 1, 0::bigint, 7::bigint
FROM accounts WHERE accounts.account = 'acct-0007' AND NOT EXISTS (SELECT 1 FROM archives WHERE account = 'acct-0007' AND before_ms > 1772323200000 AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.account = archives.account AND closed_at_sequence IS NOT NULL))
ON CONFLICT (account, reference) DO NOTHING RETURNING final_sequence;
UPDATE transactions AS t SET status = 'completed', paid_at_ms = 1772323200000,
  final_details = CASE WHEN t.details_removed_at_ms IS NULL THEN nullif(null::text, t.details) END, final_sequence = accounts.head_sequence + 1, final_recorded_at_ms = 0::bigint, final_nonce = 7::bigint
FROM accounts WHERE accounts.account = 'acct-0007' AND t.account = 'acct-0007' AND t.reference = 'acct-0007.imported' AND 'completed' <> 'pending'
  AND (t.status, t.merchant_reference, t.amount_minor, t.currency_code, t.created_at_ms, t.related_to) IS NOT DISTINCT FROM ('pending', null::text, 1250::bigint, 'EUR'::text, 1772323200000::bigint, null::text)
  AND (t.details_removed_at_ms IS NOT NULL OR t.details IS NULL OR (null::text::jsonb @> t.details::jsonb) IS TRUE)
RETURNING t.final_sequence;
INSERT INTO daily_totals AS t (account, day, currency_code, status, count, amount) SELECT t.account, (created_at_ms + 62135596800000) / 86400000 - 719162, t.currency_code, CASE WHEN change.count > 0 THEN t.status ELSE 'pending' END, change.count, change.count * t.amount_minor
FROM transactions AS t JOIN accounts ON accounts.account = t.account CROSS JOIN unnest('{1,-1}'::bigint[]) AS change (count)
WHERE t.account = 'acct-0007' AND accounts.account = 'acct-0007' AND t.reference = 'acct-0007.imported' AND greatest(t.pending_sequence, t.final_sequence) = accounts.head_sequence + 1
  AND (change.count > 0 OR (t.pending_sequence IS NOT NULL AND t.final_sequence IS NOT NULL))
ON CONFLICT (account, day, currency_code, status) DO UPDATE SET count = t.count + EXCLUDED.count, amount = t.amount + EXCLUDED.amount
RETURNING CASE WHEN t.count < 0 THEN ('the stored totals of the account ' || t.account || ' are damaged, and nothing was recorded: run "transactions verify", which names them, and repair them as docs/backup.md says')::bigint END;
UPDATE accounts SET head_sequence = head_sequence + 1 WHERE account = 'acct-0007' AND EXISTS (
  SELECT 1 FROM transactions AS t WHERE t.account = 'acct-0007' AND t.reference = 'acct-0007.imported'
    AND greatest(t.pending_sequence, t.final_sequence) = accounts.head_sequence + 1
);
SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms FROM transactions WHERE account = 'acct-0007' AND reference = 'acct-0007.imported';
SELECT before_ms FROM archives WHERE account = 'acct-0007' AND before_ms > 1772323200000 AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.account = archives.account AND closed_at_sequence IS NOT NULL);
COMMIT;
