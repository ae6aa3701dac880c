-- How a key begins, so that a leaked one is recognised: its prefix and 6 of its 30 random characters, never more. Null for keys from before.
ALTER TABLE api_keys ADD COLUMN key_start text COLLATE "C";
ALTER TABLE api_keys ADD CONSTRAINT key_start_is_short
  CHECK (key_start ~ '^tk_(live|operator)_[0-9A-Za-z]{6}$');
