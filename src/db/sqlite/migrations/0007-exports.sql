-- What each export of the last 24 hours contained: a manifest. The record is JSON.
CREATE TABLE exports (
  account       TEXT    NOT NULL CHECK (length(account) BETWEEN 1 AND 64),
  id            TEXT    NOT NULL,
  started_at_ms INTEGER NOT NULL,
  attempt       INTEGER NOT NULL CHECK (attempt >= 1),
  record        TEXT    NOT NULL,
  PRIMARY KEY (account, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX exports_by_start ON exports (started_at_ms);
