-- on: coordinator

-- name: readHeads (postgres)
-- Returns the latest sequence numbers of the accounts that have changes.
SELECT account, head_sequence FROM accounts WHERE account = ANY(:accounts::text[]) AND head_sequence > 0;
