-- concurrently
-- transactions_by_merchant_reference_time serves its lists.
DROP INDEX CONCURRENTLY IF EXISTS transactions_by_merchant_reference_currency;
