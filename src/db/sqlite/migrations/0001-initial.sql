-- Every key starts with the account, so that the same model can be spread by account.
-- Amounts are whole hundredths; times are milliseconds since 1970-01-01T00:00:00Z.
-- The table is clustered in the order of the list: newest first is a backward read of one range.
-- The sequences are the numbers of the two changes of a transaction: of the one by which it became pending, and of the one by which
-- it took its final status. Each number has the random number that the commit of its change drew, the nonce: if a restored database
-- gives the number again, it has another nonce.
-- `details` are those that the first change recorded, as JSON; `final_details` are all, if the final change added names.
CREATE TABLE transactions (
  account                TEXT    NOT NULL CHECK (length(account) BETWEEN 1 AND 64),
  created_at_ms          INTEGER NOT NULL CHECK (created_at_ms BETWEEN -62135596800000 AND 253402300799999),
  reference              TEXT    NOT NULL CHECK (length(reference) BETWEEN 1 AND 64),
  merchant_reference     TEXT             CHECK (length(merchant_reference) BETWEEN 1 AND 255),
  status                 TEXT    NOT NULL CHECK (length(status) BETWEEN 1 AND 32),
  amount_minor           INTEGER NOT NULL CHECK (amount_minor BETWEEN -999999999999999 AND 999999999999999),
  currency_code          TEXT    NOT NULL CHECK (currency_code GLOB '[A-Z][A-Z][A-Z]'),
  paid_at_ms             INTEGER          CHECK (paid_at_ms BETWEEN -62135596800000 AND 253402300799999),
  pending_sequence       INTEGER          CHECK (pending_sequence >= 1),
  pending_recorded_at_ms INTEGER          CHECK ((pending_recorded_at_ms IS NULL) = (pending_sequence IS NULL)),
  pending_nonce          INTEGER          CHECK ((pending_nonce IS NULL) = (pending_sequence IS NULL)),
  final_sequence         INTEGER          CHECK (final_sequence > coalesce(pending_sequence, 0)),
  final_recorded_at_ms   INTEGER          CHECK ((final_recorded_at_ms IS NULL) = (final_sequence IS NULL)),
  final_nonce            INTEGER          CHECK ((final_nonce IS NULL) = (final_sequence IS NULL)),
  related_to             TEXT             CHECK (length(related_to) BETWEEN 1 AND 64),
  details                TEXT             CHECK (octet_length(details) <= 2048),
  final_details          TEXT             CHECK (octet_length(final_details) <= 2048),
  details_removed_at_ms  INTEGER          CHECK (details_removed_at_ms BETWEEN -62135596800000 AND 253402300799999),
  PRIMARY KEY (account, created_at_ms, reference),
  CHECK (status <> 'pending' OR paid_at_ms IS NULL),
  CHECK (status <> 'completed' OR paid_at_ms IS NOT NULL),
  CHECK (CASE WHEN status = 'pending' THEN pending_sequence IS NOT NULL AND final_sequence IS NULL ELSE final_sequence IS NOT NULL END),
  CHECK (final_details IS NULL OR (pending_sequence IS NOT NULL AND final_sequence IS NOT NULL)),
  CHECK (details_removed_at_ms IS NULL OR (details IS NULL AND final_details IS NULL))
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX transactions_by_reference ON transactions (account, reference);

-- Every list reads one range of one index. By currency alone, it is merged from the ranges of transactions_by_status_currency, one for
-- each status.
CREATE INDEX transactions_by_status ON transactions (account, status, created_at_ms, reference);
CREATE INDEX transactions_by_status_currency ON transactions (account, status, currency_code, created_at_ms, reference);
-- It serves every list by merchantReference: status and currency at its end are compared without reading the table.
CREATE INDEX transactions_by_merchant_reference_time ON transactions
  (account, merchant_reference, created_at_ms, reference, status, currency_code) WHERE merchant_reference IS NOT NULL;

CREATE UNIQUE INDEX transactions_by_pending_sequence ON transactions
  (account, pending_sequence) WHERE pending_sequence IS NOT NULL;
CREATE UNIQUE INDEX transactions_by_final_sequence ON transactions
  (account, final_sequence) WHERE final_sequence IS NOT NULL;

CREATE INDEX transactions_by_related_to_time ON transactions
  (account, related_to, created_at_ms, reference) WHERE related_to IS NOT NULL;

-- The statuses that transactions were recorded in, without pending and completed, which every service knows: STATUSES can lack one of them
-- later.
CREATE TABLE recorded_statuses (
  status TEXT NOT NULL PRIMARY KEY CHECK (length(status) BETWEEN 1 AND 32)
) STRICT, WITHOUT ROWID;

-- The largest sequence number of each account that has one. An account that is being erased is closed: no change gets a number after
-- `closed_at_sequence`. `erased_at_ms` is when the last erasure ended, by the clock of the machine.
CREATE TABLE accounts (
  account            TEXT    NOT NULL PRIMARY KEY CHECK (length(account) BETWEEN 1 AND 64),
  head_sequence      INTEGER NOT NULL CHECK (head_sequence >= 0),
  closed_at_sequence INTEGER          CHECK (head_sequence <= closed_at_sequence),
  erased_at_ms       INTEGER
) STRICT, WITHOUT ROWID;

-- What was archived of an account: its transactions that were created before the beginning of a day, and with them changes up to
-- the floor of its change feed, of which `removed_changes` are no longer here. The change at the floor had the nonce, and the seal of the
-- account there. `rest` is the SHA-256 of the digests of the changes that are left below the floor, as SPEC.md has it.
CREATE TABLE archives (
  account         TEXT    NOT NULL PRIMARY KEY CHECK (length(account) BETWEEN 1 AND 64),
  before_ms       INTEGER NOT NULL CHECK (before_ms % 86400000 = 0),
  floor_sequence  INTEGER NOT NULL CHECK (floor_sequence >= 1),
  floor_nonce     INTEGER NOT NULL,
  floor_seal      TEXT    NOT NULL CHECK (length(floor_seal) = 64),
  rest            TEXT    NOT NULL CHECK (length(rest) = 64),
  removed_changes INTEGER NOT NULL CHECK (removed_changes BETWEEN 0 AND floor_sequence)
) STRICT, WITHOUT ROWID;

-- What a transaction was recorded under if its reference was assigned: the same key again is the same transaction.
CREATE TABLE idempotency_keys (
  account     TEXT NOT NULL CHECK (length(account) BETWEEN 1 AND 64),
  key         TEXT NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
  fingerprint TEXT NOT NULL CHECK (length(fingerprint) = 64),
  reference   TEXT NOT NULL CHECK (length(reference) BETWEEN 1 AND 64),
  PRIMARY KEY (account, key)
) STRICT, WITHOUT ROWID;

-- `hash` is the SHA-256 of the key. `key_start` is how the key begins, so that a leaked one is recognised: its prefix and 6 of its 30
-- random characters, never more. `scopes` is what the key can do: names with spaces between them. An operator's key with an account
-- prefix is only for the accounts that begin with it. A key that was rolled expires at another time than before.
-- `end_recorded_at_ms` is when the last of its revocation and its rolls was recorded, by the clock of the machine, and always later than
-- those of all other keys that are there then: services query those from the last one that they know on.
-- A session is a key for one person. Until it is opened, `hash` and `key_start` are those of its code. The operator's key `made_by`
-- bounds it; a session of a command has none.
CREATE TABLE api_keys (
  account                   TEXT    NOT NULL CHECK (length(account) BETWEEN 1 AND 64),
  id                        TEXT    NOT NULL,
  kind                      TEXT    NOT NULL DEFAULT 'key' CHECK (kind IN ('key', 'session')),
  hash                      TEXT    NOT NULL CHECK (length(hash) = 64),
  key_start                 TEXT    NOT NULL CHECK (length(key_start) BETWEEN 14 AND 18),
  label                     TEXT             CHECK (length(label) BETWEEN 1 AND 100),
  scopes                    TEXT    NOT NULL CHECK (length(scopes) >= 1),
  account_prefix            TEXT             CHECK (account_prefix IS NULL OR account = '*' AND length(account_prefix) BETWEEN 1 AND 64),
  created_at_ms             INTEGER NOT NULL,
  expires_at_ms             INTEGER,
  revoked_at_ms             INTEGER,
  rolled_at_ms              INTEGER,
  expires_before_roll_ms    INTEGER,
  last_used_at_ms           INTEGER,
  end_recorded_at_ms        INTEGER          CHECK ((end_recorded_at_ms IS NULL) = (revoked_at_ms IS NULL AND rolled_at_ms IS NULL)),
  person                    TEXT             CHECK (length(person) BETWEEN 1 AND 128),
  reason                    TEXT             CHECK (length(reason) BETWEEN 1 AND 255),
  code_expires_at_ms        INTEGER,
  opened_at_ms              INTEGER,
  made_by                   TEXT,
  PRIMARY KEY (account, id),
  CHECK (CASE kind WHEN 'session' THEN account <> '*' AND person IS NOT NULL AND code_expires_at_ms IS NOT NULL AND expires_at_ms IS NOT NULL
    ELSE coalesce(person, reason, code_expires_at_ms, opened_at_ms, made_by) IS NULL END)
) STRICT, WITHOUT ROWID;

CREATE INDEX api_keys_by_hash ON api_keys (hash);
CREATE INDEX api_keys_by_id ON api_keys (id);
CREATE INDEX api_keys_by_time ON api_keys (account, created_at_ms, id) WHERE kind = 'key';
CREATE INDEX sessions_by_time ON api_keys (account, created_at_ms, id) WHERE kind = 'session';
CREATE INDEX sessions_by_person ON api_keys (account, person, created_at_ms, id) WHERE kind = 'session';
CREATE INDEX sessions_of_everywhere ON api_keys (person, created_at_ms, id) WHERE kind = 'session';
CREATE INDEX sessions_by_expiry ON api_keys (expires_at_ms) WHERE kind = 'session';
CREATE INDEX api_keys_by_end ON api_keys (end_recorded_at_ms) WHERE end_recorded_at_ms IS NOT NULL;

-- The secret that seals cursors if no setting does: one row, made once.
CREATE TABLE cursor_secret (
  only_row      INTEGER PRIMARY KEY CHECK (only_row = 1),
  secret        TEXT    NOT NULL,
  created_at_ms INTEGER NOT NULL
) STRICT;

-- The stored totals: sums of the transactions that are here, written with each of them. A day counts from 1970-01-01. An amount is
-- amount_high * 1000000000 + amount_low hundredths, so that no sum exceeds 64 bits.
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

-- The seal of each account at its last sealed change, which had the nonce, as SPEC.md has it, in hexadecimal digits. `digests` has 8 characters
-- for each of the sealed changes after the last whole block.
CREATE TABLE seals (
  account  TEXT    NOT NULL PRIMARY KEY CHECK (length(account) BETWEEN 1 AND 64),
  sequence INTEGER NOT NULL CHECK (sequence >= 0),
  nonce    INTEGER,
  seal     TEXT    NOT NULL CHECK (length(seal) = 64),
  digests  TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

-- Blocks of 64 sealed changes: the number of the last one, the seal at it, and 8 characters for each change. A block never changes.
CREATE TABLE seal_blocks (
  account  TEXT    NOT NULL CHECK (length(account) BETWEEN 1 AND 64),
  sequence INTEGER NOT NULL CHECK (sequence % 64 = 0),
  seal     TEXT    NOT NULL CHECK (length(seal) = 64),
  digests  TEXT    NOT NULL CHECK (length(digests) = 512),
  PRIMARY KEY (account, sequence)
) STRICT, WITHOUT ROWID;

-- What each export of the last 24 hours contained: a manifest. The record is JSON.
CREATE TABLE exports (
  account       TEXT    NOT NULL CHECK (length(account) BETWEEN 1 AND 64),
  id            TEXT    NOT NULL,
  started_at_ms INTEGER NOT NULL,
  record        TEXT    NOT NULL,
  PRIMARY KEY (account, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX exports_by_start ON exports (started_at_ms);

-- Where the changes of an account are delivered. `types` is a JSON array, or null for all types. `quick`
-- says whether the last response came within a second.
CREATE TABLE webhook_endpoints (
  account                  TEXT    NOT NULL CHECK (length(account) BETWEEN 1 AND 64),
  id                       TEXT    NOT NULL,
  url                      TEXT    NOT NULL CHECK (length(url) BETWEEN 1 AND 2048),
  types                    TEXT,
  label                    TEXT             CHECK (length(label) BETWEEN 1 AND 100),
  ordered                  INTEGER NOT NULL CHECK (ordered IN (0, 1)),
  secret                   TEXT    NOT NULL,
  previous_secret          TEXT,
  previous_secret_until_ms INTEGER          CHECK ((previous_secret_until_ms IS NULL) = (previous_secret IS NULL)),
  created_at_ms            INTEGER NOT NULL,
  disabled_reason          TEXT             CHECK (disabled_reason IN ('requested', 'gone', 'failing')),
  disabled_at_ms           INTEGER          CHECK ((disabled_at_ms IS NULL) = (disabled_reason IS NULL)),
  version                  INTEGER NOT NULL CHECK (version >= 1),
  replay_version           INTEGER NOT NULL CHECK (replay_version >= 0),
  acknowledged_sequence    INTEGER NOT NULL CHECK (acknowledged_sequence >= 0),
  failing_since_ms         INTEGER,
  quick                    INTEGER          CHECK (quick IN (0, 1)),
  PRIMARY KEY (account, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX webhook_endpoints_enabled ON webhook_endpoints (account, id) WHERE disabled_at_ms IS NULL;

-- The accounts that have endpoints, or had. `moved` grows whenever changes of the account are recorded, or its endpoints are changed by
-- a request, and is then larger than that of any other account: the instance that delivers reads those after the last one that it knows.
CREATE TABLE watched_accounts (
  account TEXT    NOT NULL PRIMARY KEY CHECK (length(account) BETWEEN 1 AND 64),
  moved   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX watched_accounts_moved ON watched_accounts (moved);

-- Changes that could not be delivered. One without a next attempt waits for a request.
CREATE TABLE webhook_failures (
  account            TEXT    NOT NULL CHECK (length(account) BETWEEN 1 AND 64),
  endpoint_id        TEXT    NOT NULL,
  sequence           INTEGER NOT NULL CHECK (sequence >= 1),
  attempts           INTEGER NOT NULL CHECK (attempts >= 1),
  first_failed_at_ms INTEGER NOT NULL,
  last_failed_at_ms  INTEGER NOT NULL,
  next_attempt_at_ms INTEGER,
  response_status    INTEGER,
  error              TEXT    NOT NULL,
  PRIMARY KEY (account, endpoint_id, sequence)
) STRICT, WITHOUT ROWID;

-- The instance that delivers webhooks, until a time of the clock of the machine. `rules` are its settings for the addresses of receivers.
CREATE TABLE webhook_lease (
  only_row      INTEGER PRIMARY KEY CHECK (only_row = 1),
  instance      TEXT    NOT NULL,
  rules         TEXT    NOT NULL,
  expires_at_ms INTEGER NOT NULL
) STRICT;

-- The processes that serve: each notes itself every 20 seconds, by the clock of the machine. `settings` is JSON: the settings that must be
-- the same on all of them, secrets as digests.
CREATE TABLE instances (
  instance      TEXT    NOT NULL PRIMARY KEY,
  host          TEXT    NOT NULL,
  version       TEXT    NOT NULL,
  settings      TEXT    NOT NULL,
  started_at_ms INTEGER NOT NULL,
  seen_at_ms    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Has a row while nothing but a copy may use the database: it is the target of a copy that has not ended ('copying'), or the source of
-- one that has ('moved'), whose tables then refuse rows. other_database is the address of the other one, without its password.
CREATE TABLE copy_state (
  only_row       INTEGER PRIMARY KEY CHECK (only_row = 1),
  state          TEXT    NOT NULL CHECK (state IN ('copying', 'moved')),
  other_database TEXT    NOT NULL,
  since_ms       INTEGER NOT NULL
) STRICT;

-- The audit trail: who changed what, from where and when. An entry is written with the change that it is about, and never changed or
-- removed, also not with its account. `detail` is JSON. The two tables are one where it is read: on a cluster, keys are on another server
-- than what belongs to an account.
CREATE TABLE key_audit (
  account TEXT    NOT NULL CHECK (length(account) BETWEEN 1 AND 64),
  at_ms   INTEGER NOT NULL,
  id      TEXT    NOT NULL,
  action  TEXT    NOT NULL,
  subject TEXT,
  detail  TEXT,
  via     TEXT    NOT NULL CHECK (via IN ('command', 'api', 'service')),
  actor   TEXT,
  address TEXT,
  PRIMARY KEY (account, at_ms, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX key_audit_by_time ON key_audit (at_ms, id);

CREATE TABLE account_audit (
  account TEXT    NOT NULL CHECK (length(account) BETWEEN 1 AND 64),
  at_ms   INTEGER NOT NULL,
  id      TEXT    NOT NULL,
  action  TEXT    NOT NULL,
  subject TEXT,
  detail  TEXT,
  via     TEXT    NOT NULL CHECK (via IN ('command', 'api', 'service')),
  actor   TEXT,
  address TEXT,
  PRIMARY KEY (account, at_ms, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX account_audit_by_time ON account_audit (at_ms, id);
