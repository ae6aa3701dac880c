-- Where the changes of an account are delivered. `types` is a JSON array, or null for all types; `bucket` is that of the account.
CREATE TABLE webhook_endpoints (
  account                  TEXT    NOT NULL CHECK (length(account) BETWEEN 1 AND 64),
  id                       TEXT    NOT NULL,
  bucket                   INTEGER NOT NULL CHECK (bucket BETWEEN 0 AND 63),
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
  PRIMARY KEY (account, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX webhook_endpoints_enabled ON webhook_endpoints (bucket) WHERE disabled_at_ms IS NULL;

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

CREATE INDEX webhook_failures_pending ON webhook_failures (account, endpoint_id, next_attempt_at_ms, sequence)
  WHERE next_attempt_at_ms IS NOT NULL;

-- The instances that deliver, each until a time of the clock of the machine, and the buckets that each has leased: a lease lasts as
-- long as its instance.
CREATE TABLE webhook_instances (
  instance      TEXT    NOT NULL PRIMARY KEY,
  expires_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE webhook_leases (
  bucket   INTEGER PRIMARY KEY CHECK (bucket BETWEEN 0 AND 63),
  instance TEXT    NOT NULL
) STRICT;
