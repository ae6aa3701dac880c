-- The lease is the right of one instance to deliver to all endpoints for some seconds.
-- on: coordinator

-- name: takeLease
-- Takes or renews the lease. The clock is read while the row is locked.
INSERT INTO webhook_lease (only_row, instance, rules, expires_at_ms)
VALUES (1, :instance, :rules, :databaseNowMs + CAST(:leaseMs AS BIGINT))
ON CONFLICT (only_row) DO UPDATE SET instance = EXCLUDED.instance, rules = EXCLUDED.rules, expires_at_ms = EXCLUDED.expires_at_ms
WHERE webhook_lease.instance = EXCLUDED.instance OR webhook_lease.expires_at_ms NOT BETWEEN
  :databaseNowMs + 1 - CASE WHEN webhook_lease.rules = EXCLUDED.rules THEN 0 ELSE CAST(:otherRulesMs AS BIGINT) END
  AND :databaseNowMs + CAST(:maxLeaseMs AS BIGINT);

-- name: readLease
-- Returns the instance that has the lease, or had it last.
SELECT instance, rules FROM webhook_lease WHERE only_row = 1;
