-- on: account

-- name: lockHead (postgres)
-- Locks the account's row, as recordings do, so that no recording restores the removed details.
SELECT head_sequence FROM accounts WHERE account = :account FOR NO KEY UPDATE;

-- name: findTransaction
SELECT reference FROM transactions WHERE account = :account AND reference = :reference;

-- name: auditRemoval
INSERT INTO account_audit (account, at_ms, id, action, subject, detail, via, actor, address)
SELECT :account, CAST(:atMs AS BIGINT), :id, :action, :subject, :detail, :via, :actor, :address
FROM transactions WHERE account = :account AND reference = :reference AND (details IS NOT NULL OR final_details IS NOT NULL);

-- name: removeDetails
-- Removes the details of a transaction. SQLite overwrites removed data with zeros: see write-ahead-log.ts.
UPDATE transactions SET details = NULL, final_details = NULL, details_removed_at_ms = CAST(:atMs AS BIGINT)
WHERE account = :account AND reference = :reference AND (details IS NOT NULL OR final_details IS NOT NULL)
RETURNING reference;
