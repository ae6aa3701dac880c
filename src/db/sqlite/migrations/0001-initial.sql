-- Every key starts with the account, so that the same model can be spread by account.
-- Amounts are whole hundredths; times are milliseconds since 1970-01-01T00:00:00Z.
-- The table is clustered in the order of the list: newest first is a backward read of one range.
CREATE TABLE transactions (
  account            TEXT    NOT NULL CHECK (length(account) BETWEEN 1 AND 64),
  created_at_ms      INTEGER NOT NULL CHECK (created_at_ms BETWEEN -62135596800000 AND 253402300799999),
  reference          TEXT    NOT NULL CHECK (length(reference) BETWEEN 1 AND 64),
  merchant_reference TEXT             CHECK (length(merchant_reference) BETWEEN 1 AND 255),
  status             TEXT    NOT NULL CHECK (length(status) BETWEEN 1 AND 32),
  amount_minor       INTEGER NOT NULL CHECK (amount_minor BETWEEN -999999999999999 AND 999999999999999),
  currency_code      TEXT    NOT NULL CHECK (currency_code GLOB '[A-Z][A-Z][A-Z]'),
  paid_at_ms         INTEGER          CHECK (paid_at_ms BETWEEN -62135596800000 AND 253402300799999),
  PRIMARY KEY (account, created_at_ms, reference),
  CHECK (status <> 'pending' OR paid_at_ms IS NULL),
  CHECK (status <> 'completed' OR paid_at_ms IS NOT NULL)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX transactions_by_reference ON transactions (account, reference);

-- One index for each set of equality filters, so that every list reads one range of one index.
CREATE INDEX transactions_by_status ON transactions (account, status, created_at_ms, reference);
CREATE INDEX transactions_by_currency ON transactions (account, currency_code, created_at_ms, reference);
CREATE INDEX transactions_by_status_currency ON transactions (account, status, currency_code, created_at_ms, reference);

CREATE TABLE api_keys (
  account         TEXT    NOT NULL CHECK (length(account) BETWEEN 1 AND 64),
  id              TEXT    NOT NULL,
  hash            TEXT    NOT NULL CHECK (length(hash) = 64),
  label           TEXT             CHECK (length(label) BETWEEN 1 AND 100),
  created_at_ms   INTEGER NOT NULL,
  expires_at_ms   INTEGER,
  revoked_at_ms   INTEGER,
  -- When the revocation was recorded, by the clock of the machine: what services ask for.
  revocation_recorded_at_ms INTEGER,
  last_used_at_ms INTEGER,
  PRIMARY KEY (account, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX api_keys_by_hash ON api_keys (hash);
CREATE INDEX api_keys_by_id ON api_keys (id);
CREATE INDEX api_keys_by_revocation ON api_keys (revocation_recorded_at_ms) WHERE revocation_recorded_at_ms IS NOT NULL;

-- The secret that seals cursors where the operator set none: one row, made once.
CREATE TABLE cursor_secret (
  only_row      INTEGER PRIMARY KEY CHECK (only_row = 1),
  secret        TEXT    NOT NULL,
  created_at_ms INTEGER NOT NULL
) STRICT;
