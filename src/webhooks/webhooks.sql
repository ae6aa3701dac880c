-- Each write first locks the row of its endpoint, so that the version cannot change before the commit.
-- on: account

-- name: listWebhooks
-- Lists all endpoints of an account, or the one with :id, each with the number of its failures.
SELECT account, id, created_at_ms, url, types, label, ordered, secret, previous_secret, previous_secret_until_ms, disabled_reason,
  disabled_at_ms, version, replay_version, acknowledged_sequence, failing_since_ms, quick,
  (SELECT count(*) FROM webhook_failures AS f WHERE f.account = :account AND f.endpoint_id = e.id) AS failure_count
FROM webhook_endpoints AS e WHERE e.account = :account AND (CAST(:id AS TEXT) IS NULL OR e.id = :id);

-- name: listFailures
SELECT sequence, attempts, first_failed_at_ms, last_failed_at_ms, next_attempt_at_ms, response_status, error
FROM webhook_failures WHERE account = :account AND endpoint_id = :id AND sequence > :after ORDER BY sequence LIMIT :limit;

-- name: lockAccount (postgres)
-- Lets one caller at a time create endpoints of an account. Only this service uses the number of the lock.
SELECT 1::bigint FROM pg_advisory_xact_lock(1954051941, hashtext(:account));

-- name: lockKey (postgres)
-- Revoking the key waits for this database tx. An erasure revokes keys first, so it finds the new endpoint.
SELECT id FROM api_keys WHERE id = :key FOR SHARE;

-- name: createWebhook
-- Stores an endpoint, unless there are too many, the id was ever used, or the request's key was revoked.
INSERT INTO webhook_endpoints (account, id, created_at_ms, url, types, label, ordered, secret, previous_secret, previous_secret_until_ms,
  disabled_reason, disabled_at_ms, version, replay_version, acknowledged_sequence, failing_since_ms, quick)
SELECT :account, :id, CAST(:createdAtMs AS BIGINT), :url, :types, :label, CAST(:ordered AS BIGINT), :secret, :previousSecret,
  CAST(:previousSecretUntilMs AS BIGINT), :disabledReason, CAST(:disabledAtMs AS BIGINT), CAST(:version AS BIGINT),
  CAST(:replayVersion AS BIGINT), CAST(:acknowledgedSequence AS BIGINT), CAST(:failingSinceMs AS BIGINT), CAST(:quick AS BIGINT)
FROM (SELECT count(*) AS stored FROM webhook_endpoints WHERE account = :account) AS own
WHERE stored < :limit
  AND NOT EXISTS (SELECT 1 FROM account_audit WHERE account = :account AND subject = :id AND action = 'endpoint.created')
  AND (CAST(:key AS TEXT) IS NULL OR EXISTS (SELECT 1 FROM api_keys WHERE id = :key AND revoked_at_ms IS NULL))
ON CONFLICT (account, id) DO NOTHING;

-- name: auditCreated
-- Writes the audit entry if the endpoint has the new secret, which shows that it was created.
INSERT INTO account_audit (account, at_ms, id, action, subject, detail, via, actor, address)
SELECT created.account, CAST(:atMs AS BIGINT), :entry, :action, :subject, :detail, :via, :actor, :address
FROM webhook_endpoints AS created WHERE created.account = :account AND created.id = :id AND created.secret = :secret;

-- name: findCreated (sqlite)
SELECT e.version FROM webhook_endpoints AS e WHERE e.account = :account AND e.id = :id AND e.secret = :secret;

-- name: findCreated (postgres)
SELECT e.version FROM webhook_endpoints AS e WHERE e.account = :account AND e.id = :id AND e.secret = :secret FOR NO KEY UPDATE;

-- name: lockWebhook (postgres)
-- Keeps other database transactions from writing the endpoint and its failures.
SELECT version FROM webhook_endpoints WHERE account = :account AND id = :id FOR NO KEY UPDATE;

-- name: auditChange
-- Writes the audit entry of a change or a deletion, if :version is null or the endpoint has this version.
INSERT INTO account_audit (account, at_ms, id, action, subject, detail, via, actor, address)
SELECT e.account, CAST(:atMs AS BIGINT), :entry, :action, :subject, :detail, :via, :actor, :address
FROM webhook_endpoints AS e
WHERE e.account = :account AND e.id = :id AND (CAST(:version AS BIGINT) IS NULL OR e.version = :version);

-- name: removeFailuresAfter
DELETE FROM webhook_failures WHERE account = :account AND endpoint_id = :id AND sequence > :acknowledgedSequence
  AND EXISTS (SELECT 1 FROM webhook_endpoints AS e WHERE e.account = :account AND e.id = :id AND e.version = :version);

-- name: replaceWebhook
-- Replaces the fields of an endpoint that has the given version. A replay also moves its position back.
UPDATE webhook_endpoints SET url = :url, types = :types, label = :label, ordered = :ordered, secret = :secret,
  previous_secret = :previousSecret, previous_secret_until_ms = :previousSecretUntilMs,
  disabled_reason = :disabledReason, disabled_at_ms = CAST(:disabledAtMs AS BIGINT), version = version + 1,
  replay_version = CASE WHEN CAST(:replayFrom AS BIGINT) IS NULL THEN replay_version ELSE version + 1 END,
  acknowledged_sequence = coalesce(CAST(:replayFrom AS BIGINT), acknowledged_sequence),
  failing_since_ms = CASE WHEN disabled_at_ms IS NULL OR CAST(:disabledAtMs AS BIGINT) IS NOT NULL THEN failing_since_ms END
WHERE account = :account AND id = :id AND version = :version RETURNING version;

-- name: removeFailures
DELETE FROM webhook_failures WHERE account = :account AND endpoint_id = :id;

-- name: deleteWebhook
DELETE FROM webhook_endpoints WHERE account = :account AND id = :id RETURNING version;

-- name: retryFailure
UPDATE webhook_failures SET next_attempt_at_ms = :nowMs WHERE account = :account AND endpoint_id = :id AND sequence = :sequence;

-- name: raiseVersion
UPDATE webhook_endpoints SET version = version + 1 WHERE account = :account AND id = :id
  AND EXISTS (SELECT 1 FROM webhook_failures AS f WHERE f.account = :account AND f.endpoint_id = :id AND f.sequence = :sequence)
RETURNING version;

-- name: disableWebhook
UPDATE webhook_endpoints SET disabled_reason = :reason, disabled_at_ms = :disabledAtMs, version = version + 1
WHERE account = :account AND id = :id AND version = :version RETURNING version;

-- name: keepFailure
-- Stores a failure. If the owner may have requested an attempt meanwhile, that attempt is not delayed.
INSERT INTO webhook_failures (account, endpoint_id, sequence, attempts, first_failed_at_ms, last_failed_at_ms, next_attempt_at_ms,
  response_status, error)
SELECT e.account, e.id, CAST(:sequence AS BIGINT), CAST(:attempts AS BIGINT), CAST(:firstFailedAtMs AS BIGINT),
  CAST(:lastFailedAtMs AS BIGINT),
  CASE WHEN e.version > :version AND kept.next_attempt_at_ms IS NOT NULL
      AND (kept.next_attempt_at_ms < CAST(:nextAttemptAtMs AS BIGINT) OR CAST(:nextAttemptAtMs AS BIGINT) IS NULL)
    THEN CASE WHEN kept.next_attempt_at_ms < CAST(:lastFailedAtMs AS BIGINT) THEN CAST(:lastFailedAtMs AS BIGINT)
      ELSE kept.next_attempt_at_ms END
    ELSE CAST(:nextAttemptAtMs AS BIGINT) END,
  CAST(:responseStatus AS BIGINT), :error
FROM webhook_endpoints AS e
LEFT JOIN webhook_failures AS kept ON kept.account = :account AND kept.endpoint_id = :id AND kept.sequence = :sequence
WHERE e.account = :account AND e.id = :id AND e.replay_version <= :version AND e.acknowledged_sequence >= :after
  AND (CAST(:nonce AS BIGINT) IS NULL OR coalesce(
    (SELECT t.pending_nonce FROM transactions AS t WHERE t.account = :account AND t.pending_sequence = :acknowledgedSequence),
    (SELECT t.final_nonce FROM transactions AS t WHERE t.account = :account AND t.final_sequence = :acknowledgedSequence),
    (SELECT CASE WHEN archives.floor_sequence = :acknowledgedSequence THEN archives.floor_nonce ELSE -1 END FROM archives
      WHERE archives.account = :account AND archives.floor_sequence >= :acknowledgedSequence)) = :nonce)
  AND :sequence > coalesce((SELECT archives.floor_sequence FROM archives WHERE archives.account = :account), 0)
ON CONFLICT (account, endpoint_id, sequence) DO UPDATE SET attempts = EXCLUDED.attempts,
  first_failed_at_ms = EXCLUDED.first_failed_at_ms, last_failed_at_ms = EXCLUDED.last_failed_at_ms,
  next_attempt_at_ms = EXCLUDED.next_attempt_at_ms, response_status = EXCLUDED.response_status, error = EXCLUDED.error;

-- name: removeFailure
-- Removes a failure whose change was delivered, if the progress is stored.
DELETE FROM webhook_failures WHERE account = :account AND endpoint_id = :id AND sequence = :sequence
  AND EXISTS (SELECT 1 FROM webhook_endpoints AS e WHERE e.account = :account AND e.id = :id
    AND e.replay_version <= :version AND e.acknowledged_sequence >= :after
    AND (CAST(:nonce AS BIGINT) IS NULL OR coalesce(
      (SELECT t.pending_nonce FROM transactions AS t WHERE t.account = :account AND t.pending_sequence = :acknowledgedSequence),
      (SELECT t.final_nonce FROM transactions AS t WHERE t.account = :account AND t.final_sequence = :acknowledgedSequence),
      (SELECT CASE WHEN archives.floor_sequence = :acknowledgedSequence THEN archives.floor_nonce ELSE -1 END FROM archives
        WHERE archives.account = :account AND archives.floor_sequence >= :acknowledgedSequence)) = :nonce));

-- name: storeProgress
-- Stores the acknowledged sequence, unless the endpoint was replayed or an older database was restored.
UPDATE webhook_endpoints SET failing_since_ms = :failingSinceMs, quick = :quick,
  acknowledged_sequence = CASE WHEN acknowledged_sequence > :acknowledgedSequence THEN acknowledged_sequence ELSE :acknowledgedSequence END
WHERE account = :account AND id = :id AND replay_version <= :version AND acknowledged_sequence >= :after
  AND (CAST(:nonce AS BIGINT) IS NULL OR coalesce(
    (SELECT t.pending_nonce FROM transactions AS t WHERE t.account = :account AND t.pending_sequence = :acknowledgedSequence),
    (SELECT t.final_nonce FROM transactions AS t WHERE t.account = :account AND t.final_sequence = :acknowledgedSequence),
    (SELECT CASE WHEN archives.floor_sequence = :acknowledgedSequence THEN archives.floor_nonce ELSE -1 END FROM archives
      WHERE archives.account = :account AND archives.floor_sequence >= :acknowledgedSequence)) = :nonce)
RETURNING version;

-- name: watchAndMark (sqlite)
-- Watches an account and gives it the largest mark, even if the clock was set back.
INSERT INTO watched_accounts (account, moved)
VALUES (:account, max(:databaseNowMs, (SELECT coalesce(max(moved), 0) + 1 FROM watched_accounts)))
ON CONFLICT (account) DO UPDATE SET moved = EXCLUDED.moved;

-- name: watchAndMark (server)
-- Watches an account and marks it. On a cluster, deliveries ignore marks and read every account.
INSERT INTO watched_accounts (account, moved) VALUES (:account, pg_current_xact_id())
ON CONFLICT (account) DO UPDATE SET moved = EXCLUDED.moved;

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
