-- concurrently
-- The changes by which transactions became pending, in their order.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS transactions_by_pending_sequence ON transactions
  (account, pending_sequence) WHERE pending_sequence IS NOT NULL;
