-- A list by currency alone is merged from the ranges of transactions_by_status_currency, one for each status.
DROP INDEX transactions_by_currency;

-- One index serves every list by merchantReference: status and currency at its end are compared without reading the table.
DROP INDEX transactions_by_merchant_reference;
DROP INDEX transactions_by_merchant_reference_status;
DROP INDEX transactions_by_merchant_reference_currency;
DROP INDEX transactions_by_merchant_reference_status_currency;
CREATE INDEX transactions_by_merchant_reference_time ON transactions
  (account, merchant_reference, created_at_ms, reference, status, currency_code) WHERE merchant_reference IS NOT NULL;
