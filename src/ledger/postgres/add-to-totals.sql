-- on: account

-- The caller has locked the accounts' rows, and gives at most one sum for each total. If a stored count
-- becomes negative, RETURNING casts a message to bigint, which fails. A CHECK would also refuse the -1 that
-- is inserted to subtract 1.

-- name: addSums (postgres)
INSERT INTO daily_totals AS t (account, day, currency_code, status, count, amount)
SELECT given.account, given.day, given.currency_code, given.status, given.count, given.amount
FROM unnest(:accounts::text[], :days::integer[], :currencies::text[], :statuses::text[], :counts::bigint[], :amounts::numeric[])
  AS given (account, day, currency_code, status, count, amount)
ON CONFLICT (account, day, currency_code, status)
DO UPDATE SET count = t.count + EXCLUDED.count, amount = t.amount + EXCLUDED.amount
RETURNING CASE WHEN t.count < 0 THEN
  ('the stored totals of the account ' || t.account || ' are damaged, and nothing was recorded: run "transactions verify", which names them, and repair them as docs/backup.md says')::bigint
END;

-- name: addSumsOfAccount (postgres)
-- Adds sums of one account. The account is a single parameter, so that Citus finds the shard.
INSERT INTO daily_totals AS t (account, day, currency_code, status, count, amount)
SELECT accounts.account, given.day, given.currency_code, given.status, given.count, given.amount
FROM accounts
CROSS JOIN unnest(:days::integer[], :currencies::text[], :statuses::text[], :counts::bigint[], :amounts::numeric[])
  AS given (day, currency_code, status, count, amount)
WHERE accounts.account = :account
ON CONFLICT (account, day, currency_code, status)
DO UPDATE SET count = t.count + EXCLUDED.count, amount = t.amount + EXCLUDED.amount
RETURNING CASE WHEN t.count < 0 THEN
  ('the stored totals of the account ' || t.account || ' are damaged, and nothing was recorded: run "transactions verify", which names them, and repair them as docs/backup.md says')::bigint
END;
