-- on: coordinator

-- name: readHeads (postgres)
-- The head sequences of accounts. An account without changes is left out.
SELECT account, head_sequence FROM accounts WHERE account = ANY(:accounts::text[]) AND head_sequence > 0;
