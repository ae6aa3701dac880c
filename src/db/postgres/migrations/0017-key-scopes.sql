-- What a key can do: names with spaces between them. Null for keys from before, which can do what they could. An operator's key with an
-- account prefix is only for the accounts that begin with it. A key that was rolled ends by its expiry, which was another one before;
-- services query when that was recorded, by the clock of the database.
ALTER TABLE api_keys
  ADD COLUMN scopes                 text COLLATE "C",
  ADD COLUMN account_prefix         text COLLATE "C",
  ADD COLUMN rolled_at_ms           bigint,
  ADD COLUMN roll_recorded_at_ms    bigint,
  ADD COLUMN expires_before_roll_ms bigint;
ALTER TABLE api_keys ADD CONSTRAINT scopes_are_words
  CHECK (scopes ~ '^[a-z]+( [a-z]+)*$');
ALTER TABLE api_keys ADD CONSTRAINT only_operators_have_a_prefix
  CHECK (account_prefix IS NULL OR (account = '*' AND length(account_prefix) <= 64 AND account_prefix ~ '^[A-Za-z0-9._-]+$'));
ALTER TABLE api_keys ADD CONSTRAINT rolls_are_recorded
  CHECK ((rolled_at_ms IS NULL) = (roll_recorded_at_ms IS NULL));

CREATE INDEX api_keys_by_roll ON api_keys (roll_recorded_at_ms) WHERE roll_recorded_at_ms IS NOT NULL;
