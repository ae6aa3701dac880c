-- What a transaction was recorded under, where its reference was assigned: the same key again is the same transaction.
CREATE TABLE idempotency_keys (
  account     text COLLATE "C" NOT NULL CHECK (length(account) <= 64 AND account ~ '^[A-Za-z0-9._-]+$'),
  key         text COLLATE "C" NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
  fingerprint text COLLATE "C" NOT NULL CHECK (fingerprint ~ '^[0-9a-f]{64}$'),
  reference   text COLLATE "C" NOT NULL CHECK (length(reference) <= 64 AND reference ~ '^[A-Za-z0-9._-]+$'),
  PRIMARY KEY (account, key)
);

-- A key of the operator is one of no account and of every one: its account is written *.
ALTER TABLE api_keys DROP CONSTRAINT api_keys_account_check;
ALTER TABLE api_keys ADD CONSTRAINT api_keys_account_check
  CHECK (account = '*' OR (length(account) <= 64 AND account ~ '^[A-Za-z0-9._-]+$'));
