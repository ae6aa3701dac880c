-- While the database is the target of a copy that has not ended: one row, with the address of the source, without its password. No
-- service serves the database, and nothing else writes to it.
CREATE TABLE copy_state (
  only_row      INTEGER PRIMARY KEY CHECK (only_row = 1),
  source        TEXT    NOT NULL,
  started_at_ms INTEGER NOT NULL
) STRICT;
