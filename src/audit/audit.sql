-- Reads the audit trail for the operator.
-- on: coordinator

-- name: listKeyEntries
-- Lists the next entries about keys or sessions, after a position.
SELECT account, at_ms, id, action, subject, detail, via, actor, address FROM key_audit
WHERE (at_ms, id) > (:afterMs, :afterId) ORDER BY at_ms, id LIMIT :limit;

-- name: listKeyEntriesOfAccount
-- Lists the next entries about the keys or sessions of an account, after a position.
SELECT account, at_ms, id, action, subject, detail, via, actor, address FROM key_audit
WHERE account = :account AND (at_ms, id) > (:afterMs, :afterId) ORDER BY at_ms, id LIMIT :limit;

-- name: listAccountEntries
-- Lists the next entries about accounts, their endpoints or their transactions, after a position.
SELECT account, at_ms, id, action, subject, detail, via, actor, address FROM account_audit
WHERE (at_ms, id) > (:afterMs, :afterId) ORDER BY at_ms, id LIMIT :limit;

-- name: listAccountEntriesOfAccount
-- Lists the next entries about an account, its endpoints or its transactions, after a position.
SELECT account, at_ms, id, action, subject, detail, via, actor, address FROM account_audit
WHERE account = :account AND (at_ms, id) > (:afterMs, :afterId) ORDER BY at_ms, id LIMIT :limit;
