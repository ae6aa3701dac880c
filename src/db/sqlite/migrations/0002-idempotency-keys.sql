-- What a transaction was recorded under, where its reference was assigned: the same key again is the same transaction.
CREATE TABLE idempotency_keys (
  account     TEXT NOT NULL CHECK (length(account) BETWEEN 1 AND 64),
  key         TEXT NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
  fingerprint TEXT NOT NULL CHECK (length(fingerprint) = 64),
  reference   TEXT NOT NULL CHECK (length(reference) BETWEEN 1 AND 64),
  PRIMARY KEY (account, key)
) STRICT, WITHOUT ROWID;
