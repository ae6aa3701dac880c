-- What a key can do: names with spaces between them. Null for keys from before, which can do what they could.
ALTER TABLE api_keys ADD COLUMN scopes TEXT CHECK (length(scopes) >= 1);
-- An operator's key with it is only for the accounts that begin with it.
ALTER TABLE api_keys ADD COLUMN account_prefix TEXT CHECK (account_prefix IS NULL OR account = '*' AND length(account_prefix) BETWEEN 1 AND 64);

-- A key that was rolled ends by its expiry, which was another one before. Services query when that was recorded, by the clock of the
-- machine.
ALTER TABLE api_keys ADD COLUMN rolled_at_ms INTEGER;
ALTER TABLE api_keys ADD COLUMN roll_recorded_at_ms INTEGER CHECK ((roll_recorded_at_ms IS NULL) = (rolled_at_ms IS NULL));
ALTER TABLE api_keys ADD COLUMN expires_before_roll_ms INTEGER;

CREATE INDEX api_keys_by_roll ON api_keys (roll_recorded_at_ms) WHERE roll_recorded_at_ms IS NOT NULL;
