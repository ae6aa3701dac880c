-- concurrently
-- A list by currency alone is merged from the ranges of transactions_by_status_currency, one for each status.
DROP INDEX CONCURRENTLY IF EXISTS transactions_by_currency;
