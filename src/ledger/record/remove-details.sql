-- The removal of a transaction's details, in one transaction of the database.
-- on: account

-- name: lockHead (postgres)
-- Locks the head of the account, as recordings do: one that makes the transaction final sees that the details were removed, and does not
-- bring them back.
SELECT head_sequence FROM accounts WHERE account = :account FOR NO KEY UPDATE;

-- name: find
-- Whether the account has the transaction.
SELECT 1 FROM transactions WHERE account = :account AND reference = :reference;

-- name: audit
-- Writes the entry if the transaction has details: before they are removed.
INSERT INTO account_audit (account, at_ms, id, action, subject, detail, via, actor, address)
SELECT account, CAST(:atMs AS BIGINT), :id, :action, :subject, :detail, :via, :actor, :address
FROM transactions
WHERE account = :account AND reference = :reference AND (details IS NOT NULL OR final_details IS NOT NULL);

-- name: remove
-- Removes the details for good. SQLite overwrites what is removed with zeros: `write-ahead-log.ts`.
UPDATE transactions SET details = NULL, final_details = NULL, details_removed_at_ms = CAST(:atMs AS BIGINT)
WHERE account = :account AND reference = :reference AND (details IS NOT NULL OR final_details IS NOT NULL)
RETURNING 1;
