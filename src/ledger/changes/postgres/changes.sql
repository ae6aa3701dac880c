-- on: account

-- name: listChanges (postgres)
-- Merges two indexes, of pending and of final sequence numbers. Each row also has the account's head_sequence
-- and floor. If there are no changes, one row has only these.
SELECT head.head_sequence, floor.floor_sequence, floor.floor_nonce, changes.*
FROM (
  SELECT coalesce((SELECT accounts.head_sequence FROM accounts WHERE accounts.account = :account), 0) AS head_sequence OFFSET 0
) AS head
LEFT JOIN LATERAL (
  SELECT archives.floor_sequence, archives.floor_nonce FROM archives WHERE archives.account = :account OFFSET 0
) AS floor ON true
LEFT JOIN LATERAL (
  SELECT *
  FROM (
    (
      SELECT
        pending_sequence AS sequence, pending_nonce AS nonce, NULL AS previous_status, pending_recorded_at_ms AS recorded_at_ms,
        reference, merchant_reference, 'pending'::text COLLATE "C" AS status, amount_minor, currency_code, NULL::bigint AS paid_at_ms,
        created_at_ms, related_to, details, NULL::text COLLATE "C" AS final_details, details_removed_at_ms
      FROM transactions
      WHERE account = :account AND pending_sequence >= :after
      ORDER BY pending_sequence
      LIMIT :limit
    )
    UNION ALL
    (
      SELECT
        final_sequence, final_nonce, CASE WHEN pending_sequence IS NOT NULL THEN 'pending' END, final_recorded_at_ms,
        reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details,
        details_removed_at_ms
      FROM transactions
      WHERE account = :account AND final_sequence >= :after
      ORDER BY final_sequence
      LIMIT :limit
    )
  ) AS ranges
  ORDER BY sequence
  LIMIT :limit
) AS changes ON true;

-- name: findMissingChanges (postgres)
-- Returns which of the given changes the account lacks, counted from 0. Subqueries force index searches.
SELECT given.ordinal - 1 AS place
FROM unnest(:sequences::bigint[], :nonces::bigint[], :agesMs::float8[]) WITH ORDINALITY AS given (sequence, nonce, age_ms, ordinal)
WHERE coalesce(
  (SELECT t.pending_nonce FROM transactions AS t WHERE t.account = :account AND t.pending_sequence = given.sequence),
  (SELECT t.final_nonce FROM transactions AS t WHERE t.account = :account AND t.final_sequence = given.sequence)
) IS DISTINCT FROM given.nonce
  AND NOT EXISTS (
    SELECT FROM accounts AS erased
    WHERE erased.account = :account
      AND (closed_at_sequence IS NOT NULL OR erased_at_ms >= :databaseNowMs - given.age_ms)
  )
  AND NOT EXISTS (
    SELECT FROM archives AS archived WHERE archived.account = :account AND floor_sequence >= given.sequence
  );

-- on: coordinator

-- name: readHeads (postgres)
SELECT account, head_sequence FROM accounts WHERE account = ANY(:accounts::text[]) AND head_sequence > 0;
