-- Tables and columns without a comment are explained in the schema for PostgreSQL. The clock is that of the
-- machine, not of a database server. The table `transactions` is clustered in the order of the list, so a
-- list of the newest transactions reads one range backward.
CREATE TABLE transactions (
  account                TEXT    NOT NULL CHECK (length(account) BETWEEN 1 AND 64 AND account NOT GLOB '*[^A-Za-z0-9._-]*'),
  created_at_ms          INTEGER NOT NULL CHECK (created_at_ms BETWEEN -62135596800000 AND 253402300799999),
  reference              TEXT    NOT NULL CHECK (length(reference) BETWEEN 1 AND 64 AND reference NOT GLOB '*[^A-Za-z0-9._-]*'),
  merchant_reference     TEXT             CHECK (length(merchant_reference) BETWEEN 1 AND 255),
  status                 TEXT    NOT NULL CHECK (length(status) <= 32 AND status GLOB '[a-z]*' AND status NOT GLOB '*[^a-z0-9_]*'),
  amount_minor           INTEGER NOT NULL CHECK (amount_minor BETWEEN -999999999999999 AND 999999999999999),
  currency_code          TEXT    NOT NULL CHECK (currency_code GLOB '[A-Z][A-Z][A-Z]'),
  paid_at_ms             INTEGER          CHECK (paid_at_ms BETWEEN -62135596800000 AND 253402300799999),
  pending_sequence       INTEGER          CHECK (pending_sequence >= 1),
  pending_recorded_at_ms INTEGER          CHECK (pending_recorded_at_ms BETWEEN -62135596800000 AND 253402300799999),
  pending_nonce          INTEGER          CHECK (pending_nonce BETWEEN 1 AND 9007199254740991),
  final_sequence         INTEGER          CHECK (final_sequence >= 1),
  final_recorded_at_ms   INTEGER          CHECK (final_recorded_at_ms BETWEEN -62135596800000 AND 253402300799999),
  final_nonce            INTEGER          CHECK (final_nonce BETWEEN 1 AND 9007199254740991),
  related_to             TEXT             CHECK (length(related_to) BETWEEN 1 AND 64 AND related_to NOT GLOB '*[^A-Za-z0-9._-]*'),
  details                TEXT             CHECK (length(CAST(details AS BLOB)) <= 2048),
  final_details          TEXT             CHECK (length(CAST(final_details AS BLOB)) <= 2048),
  details_removed_at_ms  INTEGER          CHECK (details_removed_at_ms BETWEEN -62135596800000 AND 253402300799999),
  PRIMARY KEY (account, created_at_ms, reference),
  CONSTRAINT pending_is_not_paid CHECK (status <> 'pending' OR paid_at_ms IS NULL),
  CONSTRAINT completed_is_paid CHECK (status <> 'completed' OR paid_at_ms IS NOT NULL),
  CONSTRAINT changes_have_sequences CHECK (CASE WHEN status = 'pending' THEN pending_sequence IS NOT NULL AND final_sequence IS NULL ELSE final_sequence IS NOT NULL END),
  CONSTRAINT sequences_have_times CHECK ((pending_sequence IS NULL) = (pending_recorded_at_ms IS NULL) AND (final_sequence IS NULL) = (final_recorded_at_ms IS NULL)),
  CONSTRAINT sequences_have_nonces CHECK ((pending_sequence IS NULL) = (pending_nonce IS NULL) AND (final_sequence IS NULL) = (final_nonce IS NULL)),
  CONSTRAINT pending_before_final_sequence CHECK (pending_sequence < final_sequence),
  CONSTRAINT details_were_added CHECK (final_details IS NULL OR (pending_sequence IS NOT NULL AND final_sequence IS NOT NULL)),
  CONSTRAINT details_are_removed CHECK (details_removed_at_ms IS NULL OR (details IS NULL AND final_details IS NULL))
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX transactions_by_reference ON transactions (account, reference);

-- No index begins with the account and the currency. So a list by currency alone merges several ranges of
-- transactions_by_status_currency, one for each status. Every other list reads one range of one index.
CREATE INDEX transactions_by_status ON transactions (account, status, created_at_ms, reference);
CREATE INDEX transactions_by_status_currency ON transactions (account, status, currency_code, created_at_ms, reference);
CREATE INDEX transactions_by_merchant_reference_time ON transactions
  (account, merchant_reference, created_at_ms, reference, status, currency_code) WHERE merchant_reference IS NOT NULL;

CREATE UNIQUE INDEX transactions_by_pending_sequence ON transactions
  (account, pending_sequence) WHERE pending_sequence IS NOT NULL;
CREATE UNIQUE INDEX transactions_by_final_sequence ON transactions
  (account, final_sequence) WHERE final_sequence IS NOT NULL;

CREATE INDEX transactions_by_related_to_time ON transactions
  (account, related_to, created_at_ms, reference) WHERE related_to IS NOT NULL;

CREATE TABLE recorded_statuses (
  status TEXT NOT NULL PRIMARY KEY CHECK (length(status) <= 32 AND status GLOB '[a-z]*' AND status NOT GLOB '*[^a-z0-9_]*')
) STRICT, WITHOUT ROWID;

CREATE TABLE accounts (
  account            TEXT    NOT NULL PRIMARY KEY CHECK (length(account) BETWEEN 1 AND 64 AND account NOT GLOB '*[^A-Za-z0-9._-]*'),
  head_sequence      INTEGER NOT NULL CHECK (head_sequence >= 0),
  closed_at_sequence INTEGER,
  erased_at_ms       INTEGER,
  CONSTRAINT account_is_open CHECK (head_sequence <= closed_at_sequence)
) STRICT, WITHOUT ROWID;

CREATE TABLE archives (
  account         TEXT    NOT NULL PRIMARY KEY CHECK (length(account) BETWEEN 1 AND 64 AND account NOT GLOB '*[^A-Za-z0-9._-]*'),
  before_ms       INTEGER NOT NULL CHECK (before_ms % 86400000 = 0 AND before_ms BETWEEN -62135596800000 AND 253402300799999),
  floor_sequence  INTEGER NOT NULL CHECK (floor_sequence BETWEEN 1 AND 9007199254740991),
  floor_nonce     INTEGER NOT NULL CHECK (floor_nonce BETWEEN 0 AND 9007199254740991),
  floor_seal      TEXT    NOT NULL CHECK (length(floor_seal) = 64 AND floor_seal NOT GLOB '*[^0-9a-f]*'),
  rest            TEXT    NOT NULL CHECK (length(rest) = 64 AND rest NOT GLOB '*[^0-9a-f]*'),
  removed_changes INTEGER NOT NULL CHECK (removed_changes >= 0),
  CONSTRAINT removed_up_to_floor CHECK (removed_changes <= floor_sequence)
) STRICT, WITHOUT ROWID;

CREATE TABLE idempotency_keys (
  account     TEXT NOT NULL CHECK (length(account) BETWEEN 1 AND 64 AND account NOT GLOB '*[^A-Za-z0-9._-]*'),
  key         TEXT NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
  fingerprint TEXT NOT NULL CHECK (length(fingerprint) = 64 AND fingerprint NOT GLOB '*[^0-9a-f]*'),
  reference   TEXT NOT NULL CHECK (length(reference) BETWEEN 1 AND 64 AND reference NOT GLOB '*[^A-Za-z0-9._-]*'),
  PRIMARY KEY (account, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE api_keys (
  account                   TEXT    NOT NULL CHECK (account = '*' OR (length(account) BETWEEN 1 AND 64 AND account NOT GLOB '*[^A-Za-z0-9._-]*')),
  id                        TEXT    NOT NULL CHECK (length(id) = 20 AND substr(id, 1, 4) IN ('key_', 'ses_') AND substr(id, 5) NOT GLOB '*[^0-9A-Za-z]*'),
  kind                      TEXT    NOT NULL DEFAULT 'key' CHECK (kind IN ('key', 'session')),
  hash                      TEXT    NOT NULL CHECK (length(hash) = 64 AND hash NOT GLOB '*[^0-9a-f]*'),
  key_start                 TEXT    NOT NULL CHECK (substr(key_start, 1, length(key_start) - 6) IN ('tk_live_', 'tk_operator_', 'ts_live_', 'ts_code_') AND substr(key_start, -6) NOT GLOB '*[^0-9A-Za-z]*'),
  label                     TEXT             CHECK (length(label) BETWEEN 1 AND 100),
  scopes                    TEXT    NOT NULL CHECK (scopes NOT GLOB '*[^a-z ]*' AND scopes <> '' AND scopes = trim(scopes) AND scopes NOT GLOB '*  *'),
  account_prefix            TEXT,
  created_at_ms             INTEGER NOT NULL CHECK (created_at_ms BETWEEN -62135596800000 AND 253402300799999),
  expires_at_ms             INTEGER          CHECK (expires_at_ms BETWEEN -62135596800000 AND 253402300799999),
  revoked_at_ms             INTEGER          CHECK (revoked_at_ms BETWEEN -62135596800000 AND 253402300799999),
  rolled_at_ms              INTEGER          CHECK (rolled_at_ms BETWEEN -62135596800000 AND 253402300799999),
  expires_before_roll_ms    INTEGER          CHECK (expires_before_roll_ms BETWEEN -62135596800000 AND 253402300799999),
  last_used_at_ms           INTEGER          CHECK (last_used_at_ms BETWEEN -62135596800000 AND 253402300799999),
  end_recorded_at_ms        INTEGER          CHECK (end_recorded_at_ms BETWEEN -62135596800000 AND 253402300799999),
  person                    TEXT             CHECK (length(person) BETWEEN 1 AND 128),
  reason                    TEXT             CHECK (length(reason) BETWEEN 1 AND 255),
  code_expires_at_ms        INTEGER          CHECK (code_expires_at_ms BETWEEN -62135596800000 AND 253402300799999),
  opened_at_ms              INTEGER          CHECK (opened_at_ms BETWEEN -62135596800000 AND 253402300799999),
  made_by                   TEXT             CHECK (length(made_by) = 20 AND made_by GLOB 'key_*' AND substr(made_by, 5) NOT GLOB '*[^0-9A-Za-z]*'),
  PRIMARY KEY (account, id),
  CONSTRAINT sessions_are_whole CHECK (CASE kind WHEN 'session' THEN account <> '*' AND person IS NOT NULL AND code_expires_at_ms IS NOT NULL AND expires_at_ms IS NOT NULL
    ELSE person IS NULL AND reason IS NULL AND code_expires_at_ms IS NULL AND opened_at_ms IS NULL AND made_by IS NULL END),
  CONSTRAINT kind_is_that_of_id CHECK ((kind = 'session') = (substr(id, 1, 4) = 'ses_')),
  CONSTRAINT start_is_of_kind CHECK (CASE WHEN kind = 'key' THEN substr(key_start, 1, 3) = 'tk_' ELSE substr(key_start, 1, 8) = CASE WHEN opened_at_ms IS NULL THEN 'ts_code_' ELSE 'ts_live_' END END),
  CONSTRAINT ends_are_recorded CHECK ((revoked_at_ms IS NULL AND rolled_at_ms IS NULL) = (end_recorded_at_ms IS NULL)),
  CONSTRAINT only_operators_have_a_prefix CHECK (account_prefix IS NULL OR (account = '*' AND length(account_prefix) BETWEEN 1 AND 64 AND account_prefix NOT GLOB '*[^A-Za-z0-9._-]*'))
) STRICT, WITHOUT ROWID;

CREATE INDEX api_keys_by_hash ON api_keys (hash);
CREATE INDEX api_keys_by_id ON api_keys (id);
CREATE INDEX api_keys_by_time ON api_keys (account, created_at_ms, id) WHERE kind = 'key';
CREATE INDEX sessions_by_time ON api_keys (account, created_at_ms, id) WHERE kind = 'session';
CREATE INDEX sessions_by_person ON api_keys (account, person, created_at_ms, id) WHERE kind = 'session';
CREATE INDEX sessions_of_everywhere ON api_keys (person, created_at_ms, id) WHERE kind = 'session';
CREATE INDEX sessions_by_expiry ON api_keys (expires_at_ms) WHERE kind = 'session';
CREATE INDEX api_keys_by_end ON api_keys (end_recorded_at_ms) WHERE end_recorded_at_ms IS NOT NULL;

CREATE TABLE cursor_secret (
  only_row      INTEGER PRIMARY KEY CHECK (only_row = 1),
  secret        TEXT    NOT NULL CHECK (length(secret) = 43 AND secret NOT GLOB '*[^0-9A-Za-z_-]*'),
  created_at_ms INTEGER NOT NULL CHECK (created_at_ms BETWEEN -62135596800000 AND 253402300799999)
) STRICT;

-- Sums of the transactions in the database, updated with each transaction. `day` counts from 1970-01-01. An
-- amount is amount_high * 1000000000 + amount_low hundredths, so that no sum exceeds 64 bits.
CREATE TABLE daily_totals (
  account       TEXT    NOT NULL CHECK (length(account) BETWEEN 1 AND 64),
  day           INTEGER NOT NULL,
  currency_code TEXT    NOT NULL,
  status        TEXT    NOT NULL,
  count         INTEGER NOT NULL CHECK (count >= 0),
  amount_high   INTEGER NOT NULL,
  amount_low    INTEGER NOT NULL CHECK (amount_low BETWEEN 0 AND 999999999),
  PRIMARY KEY (account, day, currency_code, status)
) STRICT, WITHOUT ROWID;

CREATE TABLE seals (
  account  TEXT    NOT NULL PRIMARY KEY CHECK (length(account) BETWEEN 1 AND 64 AND account NOT GLOB '*[^A-Za-z0-9._-]*'),
  sequence INTEGER NOT NULL CHECK (sequence >= 0),
  nonce    INTEGER,
  seal     TEXT    NOT NULL CHECK (length(seal) = 64 AND seal NOT GLOB '*[^0-9a-f]*'),
  digests  TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE seal_blocks (
  account  TEXT    NOT NULL CHECK (length(account) BETWEEN 1 AND 64 AND account NOT GLOB '*[^A-Za-z0-9._-]*'),
  sequence INTEGER NOT NULL CHECK (sequence % 64 = 0),
  seal     TEXT    NOT NULL CHECK (length(seal) = 64 AND seal NOT GLOB '*[^0-9a-f]*'),
  digests  TEXT    NOT NULL CHECK (length(digests) = 512),
  PRIMARY KEY (account, sequence)
) STRICT, WITHOUT ROWID;

CREATE TABLE exports (
  account       TEXT    NOT NULL CHECK (length(account) BETWEEN 1 AND 64 AND account NOT GLOB '*[^A-Za-z0-9._-]*'),
  id            TEXT    NOT NULL CHECK (length(id) = 20 AND id GLOB 'exp_*' AND substr(id, 5) NOT GLOB '*[^0-9A-Za-z]*'),
  started_at_ms INTEGER NOT NULL CHECK (started_at_ms BETWEEN -62135596800000 AND 253402300799999),
  record        TEXT    NOT NULL,
  PRIMARY KEY (account, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX exports_by_start ON exports (started_at_ms);

CREATE TABLE webhook_endpoints (
  account                  TEXT    NOT NULL CHECK (length(account) BETWEEN 1 AND 64 AND account NOT GLOB '*[^A-Za-z0-9._-]*'),
  id                       TEXT    NOT NULL CHECK (length(id) = 19 AND id GLOB 'we_*' AND substr(id, 4) NOT GLOB '*[^0-9A-Za-z]*'),
  url                      TEXT    NOT NULL CHECK (length(url) <= 2048 AND (url LIKE 'http://_%' OR url LIKE 'https://_%') AND url NOT GLOB '*[' || char(9, 10, 11, 12, 13, 32) || ']*'),
  types                    TEXT,
  label                    TEXT             CHECK (length(label) BETWEEN 1 AND 100),
  ordered                  INTEGER NOT NULL CHECK (ordered IN (0, 1)),
  secret                   TEXT    NOT NULL CHECK (CASE WHEN secret GLOB 'whsk_*' THEN length(secret) = 49 AND secret GLOB '*=' AND substr(secret, 6, 43) NOT GLOB '*[^0-9A-Za-z+/]*' ELSE secret GLOB 'whsec_*' AND length(rtrim(secret, '=')) BETWEEN 38 AND 94 AND length(secret) - length(rtrim(secret, '=')) <= 2 AND substr(rtrim(secret, '='), 7) NOT GLOB '*[^0-9A-Za-z+/]*' END),
  previous_secret          TEXT             CHECK (CASE WHEN previous_secret GLOB 'whsk_*' THEN length(previous_secret) = 49 AND previous_secret GLOB '*=' AND substr(previous_secret, 6, 43) NOT GLOB '*[^0-9A-Za-z+/]*' ELSE previous_secret GLOB 'whsec_*' AND length(rtrim(previous_secret, '=')) BETWEEN 38 AND 94 AND length(previous_secret) - length(rtrim(previous_secret, '=')) <= 2 AND substr(rtrim(previous_secret, '='), 7) NOT GLOB '*[^0-9A-Za-z+/]*' END),
  previous_secret_until_ms INTEGER          CHECK (previous_secret_until_ms BETWEEN -62135596800000 AND 253402300799999),
  created_at_ms            INTEGER NOT NULL CHECK (created_at_ms BETWEEN -62135596800000 AND 253402300799999),
  disabled_reason          TEXT             CHECK (disabled_reason IN ('requested', 'gone', 'failing')),
  disabled_at_ms           INTEGER          CHECK (disabled_at_ms BETWEEN -62135596800000 AND 253402300799999),
  version                  INTEGER NOT NULL CHECK (version BETWEEN 1 AND 9007199254740991),
  replay_version           INTEGER NOT NULL CHECK (replay_version >= 0),
  acknowledged_sequence    INTEGER NOT NULL CHECK (acknowledged_sequence >= 0),
  failing_since_ms         INTEGER          CHECK (failing_since_ms BETWEEN -62135596800000 AND 253402300799999),
  quick                    INTEGER          CHECK (quick IN (0, 1)),
  PRIMARY KEY (account, id),
  CONSTRAINT previous_secret_has_time CHECK ((previous_secret IS NULL) = (previous_secret_until_ms IS NULL)),
  CONSTRAINT disabled_has_time CHECK ((disabled_reason IS NULL) = (disabled_at_ms IS NULL)),
  CONSTRAINT replayed_by_a_version CHECK (replay_version <= version)
) STRICT, WITHOUT ROWID;

CREATE INDEX webhook_endpoints_enabled ON webhook_endpoints (account, id) WHERE disabled_at_ms IS NULL;

-- The accounts that have or had webhook endpoints. When changes of an account are recorded, or its endpoints
-- change, `moved` in the account's row is set to a value above all others. So the instance that delivers
-- webhooks needs to read only the rows whose `moved` is larger than at its last read.
CREATE TABLE watched_accounts (
  account TEXT    NOT NULL PRIMARY KEY CHECK (length(account) BETWEEN 1 AND 64 AND account NOT GLOB '*[^A-Za-z0-9._-]*'),
  moved   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX watched_accounts_moved ON watched_accounts (moved);

CREATE TABLE webhook_failures (
  account            TEXT    NOT NULL CHECK (length(account) BETWEEN 1 AND 64 AND account NOT GLOB '*[^A-Za-z0-9._-]*'),
  endpoint_id        TEXT    NOT NULL CHECK (length(endpoint_id) = 19 AND endpoint_id GLOB 'we_*' AND substr(endpoint_id, 4) NOT GLOB '*[^0-9A-Za-z]*'),
  sequence           INTEGER NOT NULL CHECK (sequence >= 1),
  attempts           INTEGER NOT NULL CHECK (attempts BETWEEN 1 AND 9007199254740991),
  first_failed_at_ms INTEGER NOT NULL CHECK (first_failed_at_ms BETWEEN -62135596800000 AND 253402300799999),
  last_failed_at_ms  INTEGER NOT NULL CHECK (last_failed_at_ms BETWEEN -62135596800000 AND 253402300799999),
  next_attempt_at_ms INTEGER          CHECK (next_attempt_at_ms BETWEEN -62135596800000 AND 253402300799999),
  response_status    INTEGER          CHECK (response_status BETWEEN 100 AND 999),
  error              TEXT    NOT NULL,
  PRIMARY KEY (account, endpoint_id, sequence)
) STRICT, WITHOUT ROWID;

CREATE TABLE webhook_lease (
  only_row      INTEGER PRIMARY KEY CHECK (only_row = 1),
  instance      TEXT    NOT NULL CHECK (length(instance) BETWEEN 1 AND 100),
  rules         TEXT    NOT NULL,
  expires_at_ms INTEGER NOT NULL CHECK (expires_at_ms BETWEEN -62135596800000 AND 253402300799999)
) STRICT;

CREATE TABLE instances (
  instance      TEXT    NOT NULL PRIMARY KEY CHECK (length(instance) BETWEEN 1 AND 100),
  host          TEXT    NOT NULL,
  version       TEXT    NOT NULL,
  settings      TEXT    NOT NULL,
  started_at_ms INTEGER NOT NULL CHECK (started_at_ms BETWEEN -62135596800000 AND 253402300799999),
  seen_at_ms    INTEGER NOT NULL CHECK (seen_at_ms BETWEEN -62135596800000 AND 253402300799999)
) STRICT, WITHOUT ROWID;

CREATE TABLE copy_state (
  only_row       INTEGER PRIMARY KEY CHECK (only_row = 1),
  state          TEXT    NOT NULL CHECK (state IN ('copying', 'moved')),
  other_database TEXT    NOT NULL,
  since_ms       INTEGER NOT NULL
) STRICT;

CREATE TABLE key_audit (
  account TEXT    NOT NULL CHECK (account = '*' OR (length(account) BETWEEN 1 AND 64 AND account NOT GLOB '*[^A-Za-z0-9._-]*')),
  at_ms   INTEGER NOT NULL CHECK (at_ms BETWEEN -62135596800000 AND 253402300799999),
  id      TEXT    NOT NULL CHECK (length(id) = 19 AND id GLOB 'au_*' AND substr(id, 4) NOT GLOB '*[^0-9A-Za-z]*'),
  action  TEXT    NOT NULL CHECK (action GLOB '[a-z]*.[a-z]*' AND action NOT GLOB '*[^a-z.]*' AND action NOT GLOB '*.*.*'),
  subject TEXT,
  detail  TEXT,
  via     TEXT    NOT NULL CHECK (via IN ('command', 'api', 'service')),
  actor   TEXT             CHECK (length(actor) BETWEEN 1 AND 200),
  address TEXT,
  PRIMARY KEY (account, at_ms, id),
  CONSTRAINT entries_have_subjects CHECK (action = 'session.ended' OR (subject IS NULL) = (substr(action, 1, 8) = 'account.'))
) STRICT, WITHOUT ROWID;

CREATE INDEX key_audit_by_time ON key_audit (at_ms, id);

CREATE TABLE account_audit (
  account TEXT    NOT NULL CHECK (length(account) BETWEEN 1 AND 64 AND account NOT GLOB '*[^A-Za-z0-9._-]*'),
  at_ms   INTEGER NOT NULL CHECK (at_ms BETWEEN -62135596800000 AND 253402300799999),
  id      TEXT    NOT NULL CHECK (length(id) = 19 AND id GLOB 'au_*' AND substr(id, 4) NOT GLOB '*[^0-9A-Za-z]*'),
  action  TEXT    NOT NULL CHECK (action GLOB '[a-z]*.[a-z]*' AND action NOT GLOB '*[^a-z.]*' AND action NOT GLOB '*.*.*'),
  subject TEXT,
  detail  TEXT,
  via     TEXT    NOT NULL CHECK (via IN ('command', 'api', 'service')),
  actor   TEXT             CHECK (length(actor) BETWEEN 1 AND 200),
  address TEXT,
  PRIMARY KEY (account, at_ms, id),
  CONSTRAINT entries_have_subjects CHECK (action = 'session.ended' OR (subject IS NULL) = (substr(action, 1, 8) = 'account.'))
) STRICT, WITHOUT ROWID;

CREATE INDEX account_audit_by_time ON account_audit (at_ms, id);
CREATE INDEX account_audit_created ON account_audit (account, subject) WHERE action = 'endpoint.created';
