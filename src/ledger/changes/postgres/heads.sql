-- on: coordinator

-- name: readHeads (postgres)
-- The heads of the accounts that have one.
SELECT account, head_sequence FROM accounts WHERE account = ANY(:accounts::text[]) AND head_sequence > 0;
