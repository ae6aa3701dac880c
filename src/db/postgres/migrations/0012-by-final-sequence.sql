-- concurrently
-- The changes by which transactions took their final status, in their order.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS transactions_by_final_sequence ON transactions
  (account, final_sequence) WHERE final_sequence IS NOT NULL;
