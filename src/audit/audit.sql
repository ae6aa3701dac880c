-- on: coordinator

-- name: listKeyEntries
SELECT account, at_ms, id, action, subject, detail, via, actor, address FROM key_audit
WHERE (at_ms, id) > (:afterMs, :afterId) ORDER BY at_ms, id LIMIT :limit;

-- name: listKeyEntriesOfAccount
SELECT account, at_ms, id, action, subject, detail, via, actor, address FROM key_audit
WHERE account = :account AND (at_ms, id) > (:afterMs, :afterId) ORDER BY at_ms, id LIMIT :limit;

-- name: listAccountEntries
SELECT account, at_ms, id, action, subject, detail, via, actor, address FROM account_audit
WHERE (at_ms, id) > (:afterMs, :afterId) ORDER BY at_ms, id LIMIT :limit;

-- name: listAccountEntriesOfAccount
SELECT account, at_ms, id, action, subject, detail, via, actor, address FROM account_audit
WHERE account = :account AND (at_ms, id) > (:afterMs, :afterId) ORDER BY at_ms, id LIMIT :limit;
