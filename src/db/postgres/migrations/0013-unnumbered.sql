-- concurrently
-- The transactions that a version without sequence numbers recorded or completed, until they are numbered.
CREATE INDEX CONCURRENTLY IF NOT EXISTS transactions_unnumbered ON transactions
  (account, created_at_ms, reference) WHERE final_sequence IS NULL AND (status <> 'pending' OR pending_sequence IS NULL);
