-- edits sqlite_schema
-- The numbers of a transaction's changes: of the one by which it became pending, and of the one by which it took its final
-- status. A transaction that an earlier version recorded has none of them until it is numbered.
-- ALTER TABLE ADD COLUMN makes the same edit, but reads the whole table for each column.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, '
  PRIMARY KEY (account, created_at_ms, reference),', '
  pending_sequence       INTEGER CHECK (pending_sequence >= 1),
  pending_recorded_at_ms INTEGER CHECK ((pending_recorded_at_ms IS NULL) = (pending_sequence IS NULL)),
  final_sequence         INTEGER CHECK (final_sequence >= 1),
  final_recorded_at_ms   INTEGER CHECK ((final_recorded_at_ms IS NULL) = (final_sequence IS NULL)),
  PRIMARY KEY (account, created_at_ms, reference),
  CHECK (status <> ''pending'' OR final_sequence IS NULL),
  CHECK (pending_sequence < final_sequence),')
WHERE type = 'table' AND name = 'transactions';
PRAGMA writable_schema = RESET;

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
