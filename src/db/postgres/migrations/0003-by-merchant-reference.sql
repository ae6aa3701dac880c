-- The sets of equality filters that merchantReference stands in. Where none was given, they cost nothing.
CREATE INDEX transactions_by_merchant_reference ON transactions
  (account, merchant_reference, created_at_ms, reference) WHERE merchant_reference IS NOT NULL;
CREATE INDEX transactions_by_merchant_reference_status ON transactions
  (account, merchant_reference, status, created_at_ms, reference) WHERE merchant_reference IS NOT NULL;
CREATE INDEX transactions_by_merchant_reference_currency ON transactions
  (account, merchant_reference, currency_code, created_at_ms, reference) WHERE merchant_reference IS NOT NULL;
CREATE INDEX transactions_by_merchant_reference_status_currency ON transactions
  (account, merchant_reference, status, currency_code, created_at_ms, reference) WHERE merchant_reference IS NOT NULL;
