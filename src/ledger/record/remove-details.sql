-- on: account

-- name: lockHead (postgres)
-- Locks the head, as recordings do. A recording that makes the transaction final meanwhile waits, then sees
-- that the details were removed, and does not restore them.
SELECT head_sequence FROM accounts WHERE account = :account FOR NO KEY UPDATE;

-- name: findTransaction
-- True if the account has the transaction.
SELECT reference FROM transactions WHERE account = :account AND reference = :reference;

-- name: auditRemoval
-- If the transaction has details, writes the entry before they are removed.
INSERT INTO account_audit (account, at_ms, id, action, subject, detail, via, actor, address)
SELECT :account, CAST(:atMs AS BIGINT), :id, :action, :subject, :detail, :via, :actor, :address
FROM transactions WHERE account = :account AND reference = :reference AND (details IS NOT NULL OR final_details IS NOT NULL);

-- name: removeDetails
-- Removes the details of a transaction. On SQLite, the connection overwrites removed data with zeros: see
-- write-ahead-log.ts.
UPDATE transactions SET details = NULL, final_details = NULL, details_removed_at_ms = CAST(:atMs AS BIGINT)
WHERE account = :account AND reference = :reference AND (details IS NOT NULL OR final_details IS NOT NULL)
RETURNING reference;
