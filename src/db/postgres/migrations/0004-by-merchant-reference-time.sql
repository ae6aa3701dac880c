-- concurrently
-- One index serves every list by merchantReference: status and currency at its end are compared without reading the table.
CREATE INDEX CONCURRENTLY IF NOT EXISTS transactions_by_merchant_reference_time ON transactions
  (account, merchant_reference, created_at_ms, reference, status, currency_code) WHERE merchant_reference IS NOT NULL;
