-- The statements return the columns of a key in the order in which readKey reads them.
-- on: coordinator

-- name: findKey
-- Finds a key or session by its hash, with revocation and expiry of the operator's key that made the session.
SELECT k.id, k.account, k.kind, k.hash, k.key_start, k.label, k.scopes, k.account_prefix, k.created_at_ms, k.expires_at_ms,
  k.person, k.reason, k.code_expires_at_ms, k.made_by, k.opened_at_ms, k.revoked_at_ms, k.rolled_at_ms, k.expires_before_roll_ms,
  k.last_used_at_ms, maker.id, maker.revoked_at_ms, maker.expires_at_ms
FROM api_keys AS k LEFT JOIN api_keys AS maker ON maker.account = '*' AND maker.id = k.made_by
WHERE k.hash = :hash;

-- name: retrieveKey
SELECT k.id, k.account, k.kind, k.hash, k.key_start, k.label, k.scopes, k.account_prefix, k.created_at_ms, k.expires_at_ms,
  k.person, k.reason, k.code_expires_at_ms, k.made_by, k.opened_at_ms, k.revoked_at_ms, k.rolled_at_ms, k.expires_before_roll_ms,
  k.last_used_at_ms, maker.id, maker.revoked_at_ms, maker.expires_at_ms
FROM api_keys AS k LEFT JOIN api_keys AS maker ON maker.account = '*' AND maker.id = k.made_by
WHERE k.id = :id;

-- name: listKeys
SELECT id, account, kind, hash, key_start, label, scopes, account_prefix, created_at_ms, expires_at_ms,
  person, reason, code_expires_at_ms, made_by, opened_at_ms, revoked_at_ms, rolled_at_ms, expires_before_roll_ms, last_used_at_ms
FROM api_keys
WHERE kind = 'key' AND (account, created_at_ms, id) > (:afterAccount, :afterMs, :afterId)
ORDER BY account, created_at_ms, id LIMIT :limit;

-- name: listKeysOfAccount
SELECT id, account, kind, hash, key_start, label, scopes, account_prefix, created_at_ms, expires_at_ms,
  person, reason, code_expires_at_ms, made_by, opened_at_ms, revoked_at_ms, rolled_at_ms, expires_before_roll_ms, last_used_at_ms
FROM api_keys
WHERE account = :account AND kind = 'key' AND (created_at_ms, id) > (:afterMs, :afterId)
ORDER BY created_at_ms, id LIMIT :limit;

-- name: listSessions
SELECT k.id, k.account, k.kind, k.hash, k.key_start, k.label, k.scopes, k.account_prefix, k.created_at_ms, k.expires_at_ms,
  k.person, k.reason, k.code_expires_at_ms, k.made_by, k.opened_at_ms, k.revoked_at_ms, k.rolled_at_ms, k.expires_before_roll_ms,
  k.last_used_at_ms, maker.id, maker.revoked_at_ms, maker.expires_at_ms
FROM api_keys AS k LEFT JOIN api_keys AS maker ON maker.account = '*' AND maker.id = k.made_by
WHERE k.kind = 'session' AND k.account = :account AND (k.created_at_ms, k.id) < (:beforeMs, :beforeId)
ORDER BY k.created_at_ms DESC, k.id DESC LIMIT :limit;

-- name: listSessionsOfPerson
SELECT k.id, k.account, k.kind, k.hash, k.key_start, k.label, k.scopes, k.account_prefix, k.created_at_ms, k.expires_at_ms,
  k.person, k.reason, k.code_expires_at_ms, k.made_by, k.opened_at_ms, k.revoked_at_ms, k.rolled_at_ms, k.expires_before_roll_ms,
  k.last_used_at_ms, maker.id, maker.revoked_at_ms, maker.expires_at_ms
FROM api_keys AS k LEFT JOIN api_keys AS maker ON maker.account = '*' AND maker.id = k.made_by
WHERE k.kind = 'session' AND k.account = :account AND k.person = :person AND (k.created_at_ms, k.id) < (:beforeMs, :beforeId)
ORDER BY k.created_at_ms DESC, k.id DESC LIMIT :limit;

-- name: listSessionsAnywhere
SELECT k.id, k.account, k.kind, k.hash, k.key_start, k.label, k.scopes, k.account_prefix, k.created_at_ms, k.expires_at_ms,
  k.person, k.reason, k.code_expires_at_ms, k.made_by, k.opened_at_ms, k.revoked_at_ms, k.rolled_at_ms, k.expires_before_roll_ms,
  k.last_used_at_ms, maker.id, maker.revoked_at_ms, maker.expires_at_ms
FROM api_keys AS k LEFT JOIN api_keys AS maker ON maker.account = '*' AND maker.id = k.made_by
WHERE k.kind = 'session' AND k.person = :person AND (k.created_at_ms, k.id) < (:beforeMs, :beforeId)
ORDER BY k.created_at_ms DESC, k.id DESC LIMIT :limit;

-- name: insertKey
-- Stores a new key or session. If the replaced key is revoked, nothing is stored.
INSERT INTO api_keys (id, account, kind, hash, key_start, label, scopes, account_prefix, created_at_ms, expires_at_ms,
  person, reason, code_expires_at_ms, made_by)
SELECT :id, :account, :kind, :hash, :keyStart, :label, :scopes, :accountPrefix, CAST(:createdAtMs AS BIGINT),
  CAST(:expiresAtMs AS BIGINT), :person, :reason, CAST(:codeExpiresAtMs AS BIGINT), :madeBy
WHERE CAST(:replaced AS TEXT) IS NULL
  OR EXISTS (SELECT 1 FROM api_keys WHERE account = :account AND id = :replaced AND revoked_at_ms IS NULL);

-- name: lockEnds (postgres)
-- One database transaction at a time revokes keys, so revocations become visible in the order of their times.
SELECT 1::bigint FROM pg_advisory_xact_lock(1954051947, 0);

-- name: endKey
-- Revokes a key or session. end_recorded_at_ms becomes the highest of all, even if the clock was set back.
UPDATE api_keys SET revoked_at_ms = CAST(:now AS BIGINT),
  end_recorded_at_ms = (SELECT max(ms) FROM (SELECT CAST(:databaseNow AS BIGINT) AS ms
    UNION ALL SELECT max(end_recorded_at_ms) + 1 FROM api_keys WHERE end_recorded_at_ms IS NOT NULL) AS times)
WHERE id = :id AND revoked_at_ms IS NULL RETURNING id;

-- name: lockKey (postgres)
-- Locks a key, so that no other database transaction rolls or revokes the key until this one ends.
SELECT id FROM api_keys WHERE account = :account AND id = :id FOR UPDATE;

-- name: rollKey
-- Lowers the expiry of a key that is not revoked. If there is no grace period, revokes the key.
UPDATE api_keys SET rolled_at_ms = coalesce(rolled_at_ms, CAST(:now AS BIGINT)),
  end_recorded_at_ms = (SELECT max(ms) FROM (SELECT CAST(:databaseNow AS BIGINT) AS ms
    UNION ALL SELECT max(end_recorded_at_ms) + 1 FROM api_keys WHERE end_recorded_at_ms IS NOT NULL) AS times),
  expires_before_roll_ms = CASE WHEN rolled_at_ms IS NULL THEN expires_at_ms ELSE expires_before_roll_ms END,
  expires_at_ms = CASE WHEN expires_at_ms < CAST(:until AS BIGINT) THEN expires_at_ms ELSE CAST(:until AS BIGINT) END,
  revoked_at_ms = CASE WHEN CAST(:until AS BIGINT) <= CAST(:now AS BIGINT) THEN CAST(:now AS BIGINT) END
WHERE account = :account AND id = :id AND revoked_at_ms IS NULL
RETURNING id, account, kind, hash, key_start, label, scopes, account_prefix, created_at_ms, expires_at_ms,
  person, reason, code_expires_at_ms, made_by, opened_at_ms, revoked_at_ms, rolled_at_ms, expires_before_roll_ms, last_used_at_ms;

-- name: openSession
-- Replaces the code of a waiting session. A second concurrent call waits for the row and finds no code.
UPDATE api_keys SET hash = :hash, key_start = :keyStart, opened_at_ms = CAST(:now AS BIGINT)
WHERE hash = :codeHash AND kind = 'session' AND opened_at_ms IS NULL AND code_expires_at_ms > CAST(:now AS BIGINT)
  AND revoked_at_ms IS NULL AND expires_at_ms > CAST(:now AS BIGINT)
RETURNING id;

-- name: auditKey
-- Writes an audit entry if a key or session with the hash is stored.
INSERT INTO key_audit (account, at_ms, id, action, subject, detail, via, actor, address)
SELECT :account, CAST(:atMs AS BIGINT), :id, :action, :subject, :detail, :via, :actor, :address
WHERE EXISTS (SELECT 1 FROM api_keys WHERE hash = :hash);

-- name: auditEnd
-- Writes an audit entry if the key or session has not ended. Sessions that end together share an entry.
INSERT INTO key_audit (account, at_ms, id, action, subject, detail, via, actor, address)
SELECT :account, CAST(:atMs AS BIGINT), :id, :action, :subject, :detail, :via, :actor, :address
WHERE EXISTS (SELECT 1 FROM api_keys WHERE id = :ended AND revoked_at_ms IS NULL)
ON CONFLICT DO NOTHING;

-- name: unendedSession
SELECT id FROM api_keys WHERE kind = 'session' AND account = :account AND id = :id AND revoked_at_ms IS NULL;

-- name: unendedOfPerson (sqlite)
SELECT id FROM api_keys INDEXED BY sessions_by_person
WHERE kind = 'session' AND account = :account AND person = :person AND revoked_at_ms IS NULL;

-- name: unendedOfPerson (postgres)
SELECT id FROM api_keys WHERE kind = 'session' AND account = :account AND person = :person AND revoked_at_ms IS NULL;

-- name: unendedOfAccount (sqlite)
SELECT id FROM api_keys INDEXED BY sessions_by_time
WHERE kind = 'session' AND account = :account AND revoked_at_ms IS NULL LIMIT :limit;

-- name: unendedOfAccount (postgres)
SELECT id FROM api_keys WHERE kind = 'session' AND account = :account AND revoked_at_ms IS NULL LIMIT :limit;

-- name: unendedAnywhere (sqlite)
SELECT id FROM api_keys INDEXED BY sessions_by_expiry
WHERE kind = 'session' AND expires_at_ms > 0 AND revoked_at_ms IS NULL LIMIT :limit;

-- name: unendedAnywhere (postgres)
SELECT id FROM api_keys WHERE kind = 'session' AND revoked_at_ms IS NULL LIMIT :limit;

-- name: removeExpiredSessions
DELETE FROM api_keys WHERE id IN
  (SELECT id FROM api_keys WHERE kind = 'session' AND expires_at_ms < :beforeMs ORDER BY expires_at_ms LIMIT :limit)
RETURNING id;

-- name: listEnds
-- Returns the revocations since :from. If :from is null, returns those since :windowStart, at least the last.
SELECT id, revoked_at_ms, expires_at_ms, end_recorded_at_ms FROM api_keys
WHERE end_recorded_at_ms >= coalesce(CAST(:from AS BIGINT), (SELECT min(ms) FROM (SELECT CAST(:windowStart AS BIGINT) AS ms
    UNION ALL SELECT max(end_recorded_at_ms) FROM api_keys WHERE end_recorded_at_ms IS NOT NULL) AS times))
ORDER BY end_recorded_at_ms LIMIT :limit;

-- name: touchKey
-- Stores the time of a key's last use, unless the stored time is the same or slightly later.
UPDATE api_keys SET last_used_at_ms = CAST(:usedAtMs AS BIGINT)
WHERE id = :id AND (last_used_at_ms IS NULL
  OR last_used_at_ms NOT BETWEEN CAST(:usedAtMs AS BIGINT) AND CAST(:usedAtMs AS BIGINT) + CAST(:differMs AS BIGINT));

-- name: readCursorSecret
-- Returns the secret that seals cursors. It is not used if the settings have a secret.
SELECT secret FROM cursor_secret;

-- name: insertCursorSecret
INSERT INTO cursor_secret (only_row, secret, created_at_ms) VALUES (1, :secret, :now) ON CONFLICT DO NOTHING;
