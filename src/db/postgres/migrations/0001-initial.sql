-- Every key of transactions starts with the account, so that the same model can be spread by account.
-- Amounts are whole hundredths; times are milliseconds since 1970-01-01T00:00:00Z.
-- Texts compare by bytes, whatever the collation of the database: the order of a list never changes.
-- The columns of fixed width come first, which saves their padding.
CREATE TABLE transactions (
  created_at_ms      bigint           NOT NULL CHECK (created_at_ms BETWEEN -62135596800000 AND 253402300799999),
  amount_minor       bigint           NOT NULL CHECK (amount_minor BETWEEN -999999999999999 AND 999999999999999),
  paid_at_ms         bigint                    CHECK (paid_at_ms BETWEEN -62135596800000 AND 253402300799999),
  account            text COLLATE "C" NOT NULL CHECK (length(account) <= 64 AND account ~ '^[A-Za-z0-9._-]+$'),
  reference          text COLLATE "C" NOT NULL CHECK (length(reference) <= 64 AND reference ~ '^[A-Za-z0-9._-]+$'),
  status             text COLLATE "C" NOT NULL CHECK (length(status) <= 32 AND status ~ '^[a-z][a-z0-9_]*$'),
  currency_code      text COLLATE "C" NOT NULL CHECK (currency_code ~ '^[A-Z]{3}$'),
  merchant_reference text COLLATE "C"          CHECK (length(merchant_reference) BETWEEN 1 AND 255),
  PRIMARY KEY (account, reference),
  CONSTRAINT pending_is_not_paid CHECK (status <> 'pending' OR paid_at_ms IS NULL),
  CONSTRAINT completed_is_paid CHECK (status <> 'completed' OR paid_at_ms IS NOT NULL)
);

-- One index for each set of equality filters, so that every list reads one range of one index, backward.
CREATE INDEX transactions_by_time ON transactions (account, created_at_ms, reference);
CREATE INDEX transactions_by_status ON transactions (account, status, created_at_ms, reference);
CREATE INDEX transactions_by_currency ON transactions (account, currency_code, created_at_ms, reference);
CREATE INDEX transactions_by_status_currency ON transactions (account, status, currency_code, created_at_ms, reference);

-- A second wall: a role that does not own the table sees the rows of one account, the one that the running
-- statement names, even where the statement itself forgets to ask for it; and none where nothing is named.
ALTER TABLE transactions ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_account ON transactions FOR SELECT
  USING (account = current_setting('transactions.account', true));

CREATE TABLE api_keys (
  id              text COLLATE "C" PRIMARY KEY CHECK (id ~ '^key_[0-9A-Za-z]{16}$'),
  account         text COLLATE "C" NOT NULL CHECK (length(account) <= 64 AND account ~ '^[A-Za-z0-9._-]+$'),
  hash            text COLLATE "C" NOT NULL CHECK (hash ~ '^[0-9a-f]{64}$'),
  label           text COLLATE "C" CHECK (length(label) BETWEEN 1 AND 100),
  created_at_ms   bigint NOT NULL,
  expires_at_ms   bigint,
  revoked_at_ms   bigint,
  -- When the revocation was recorded, by the clock of the database: what services ask for.
  revocation_recorded_at_ms bigint,
  last_used_at_ms bigint,
  CHECK ((revoked_at_ms IS NULL) = (revocation_recorded_at_ms IS NULL))
);

CREATE UNIQUE INDEX api_keys_by_hash ON api_keys (hash);
CREATE INDEX api_keys_by_account ON api_keys (account);
CREATE INDEX api_keys_by_revocation ON api_keys (revocation_recorded_at_ms) WHERE revocation_recorded_at_ms IS NOT NULL;

-- The secret that seals cursors where the operator set none: one row, made once.
CREATE TABLE cursor_secret (
  only_row      integer PRIMARY KEY CHECK (only_row = 1),
  secret        text   NOT NULL,
  created_at_ms bigint NOT NULL
);
