-- The numbers of a transaction's changes: of the one by which it became pending, and of the one by which it took its final
-- status. A transaction that an earlier version recorded has none of them until it is numbered.
ALTER TABLE transactions ADD COLUMN pending_sequence INTEGER CHECK (pending_sequence >= 1);
ALTER TABLE transactions ADD COLUMN pending_recorded_at_ms INTEGER
  CHECK ((pending_recorded_at_ms IS NULL) = (pending_sequence IS NULL));
ALTER TABLE transactions ADD COLUMN final_sequence INTEGER
  CHECK (final_sequence IS NULL OR (status <> 'pending' AND final_sequence > coalesce(pending_sequence, 0)));
ALTER TABLE transactions ADD COLUMN final_recorded_at_ms INTEGER
  CHECK ((final_recorded_at_ms IS NULL) = (final_sequence IS NULL));

CREATE UNIQUE INDEX transactions_by_pending_sequence ON transactions
  (account, pending_sequence) WHERE pending_sequence IS NOT NULL;
CREATE UNIQUE INDEX transactions_by_final_sequence ON transactions
  (account, final_sequence) WHERE final_sequence IS NOT NULL;

-- Empty, except while the transactions of an earlier version are numbered.
CREATE INDEX transactions_unnumbered ON transactions (account, created_at_ms, reference)
  WHERE final_sequence IS NULL AND (status <> 'pending' OR pending_sequence IS NULL);

-- The largest sequence number of each account that has one.
CREATE TABLE accounts (
  account       TEXT    NOT NULL PRIMARY KEY CHECK (length(account) BETWEEN 1 AND 64),
  head_sequence INTEGER NOT NULL CHECK (head_sequence >= 0)
) STRICT, WITHOUT ROWID;
