-- Reads the audit trail for the operator. The statements of a changed table write the entry together with the
-- change.
-- on: coordinator

-- name: listKeyEntries
-- The first entries about keys and sessions after a position.
SELECT account, at_ms, id, action, subject, detail, via, actor, address FROM key_audit
WHERE (at_ms, id) > (:afterMs, :afterId) ORDER BY at_ms, id LIMIT :limit;

-- name: listKeyEntriesOfAccount
-- The first entries about keys and sessions of an account after a position.
SELECT account, at_ms, id, action, subject, detail, via, actor, address FROM key_audit
WHERE account = :account AND (at_ms, id) > (:afterMs, :afterId) ORDER BY at_ms, id LIMIT :limit;

-- name: listAccountEntries
-- The first entries about accounts, their endpoints and transactions after a position.
SELECT account, at_ms, id, action, subject, detail, via, actor, address FROM account_audit
WHERE (at_ms, id) > (:afterMs, :afterId) ORDER BY at_ms, id LIMIT :limit;

-- name: listAccountEntriesOfAccount
-- The first entries about an account, its endpoints and transactions after a position.
SELECT account, at_ms, id, action, subject, detail, via, actor, address FROM account_audit
WHERE account = :account AND (at_ms, id) > (:afterMs, :afterId) ORDER BY at_ms, id LIMIT :limit;
