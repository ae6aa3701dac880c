-- The numbers of the changes of a transaction: that by which it became pending, and that by which it took its final status.
-- The constraints are checked for rows written from now on; a later migration checks the others while the service runs.
-- Each is a statement of its own, because Citus adds no constraint together with anything else.
ALTER TABLE transactions
  ADD COLUMN pending_sequence       bigint,
  ADD COLUMN pending_recorded_at_ms bigint,
  ADD COLUMN final_sequence         bigint,
  ADD COLUMN final_recorded_at_ms   bigint;
ALTER TABLE transactions ADD CONSTRAINT sequences_are_positive
  CHECK (pending_sequence >= 1 AND final_sequence >= 1) NOT VALID;
ALTER TABLE transactions ADD CONSTRAINT sequences_have_times
  CHECK ((pending_sequence IS NULL) = (pending_recorded_at_ms IS NULL)
    AND (final_sequence IS NULL) = (final_recorded_at_ms IS NULL)) NOT VALID;
ALTER TABLE transactions ADD CONSTRAINT pending_has_no_final_sequence
  CHECK (final_sequence IS NULL OR status <> 'pending') NOT VALID;
ALTER TABLE transactions ADD CONSTRAINT pending_before_final_sequence
  CHECK (pending_sequence < final_sequence) NOT VALID;

-- The largest sequence number of each account. A recording holds the lock of the account's row until it is
-- visible. The free space in each page is for new versions of its rows.
CREATE TABLE accounts (
  account       text COLLATE "C" PRIMARY KEY CHECK (length(account) <= 64 AND account ~ '^[A-Za-z0-9._-]+$'),
  head_sequence bigint NOT NULL CHECK (head_sequence >= 0)
) WITH (fillfactor = 50);

-- The roles that can read and write transactions can do so with accounts.
DO $$
DECLARE granted record;
BEGIN
  FOR granted IN
    SELECT DISTINCT privilege_type, CASE WHEN grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END AS role
    FROM pg_catalog.pg_class CROSS JOIN LATERAL aclexplode(relacl)
    WHERE pg_class.oid = 'transactions'::regclass AND grantee <> relowner AND privilege_type IN ('SELECT', 'INSERT', 'UPDATE')
  LOOP
    EXECUTE format('GRANT %s ON accounts TO %s', granted.privilege_type, granted.role);
  END LOOP;
END $$;
