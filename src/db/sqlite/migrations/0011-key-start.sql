-- How a key begins, so that a leaked one is recognised: its prefix and 6 of its 30 random characters, never more. Null for keys from before.
ALTER TABLE api_keys ADD COLUMN key_start TEXT CHECK (length(key_start) BETWEEN 14 AND 18);
