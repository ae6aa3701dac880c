-- Exports, for 24 hours: `record` is what was asked for and the result, as JSON. Each attempt to send one has a larger number.
CREATE TABLE exports (
  started_at_ms bigint           NOT NULL,
  attempt       bigint           NOT NULL CHECK (attempt >= 1),
  account       text COLLATE "C" NOT NULL CHECK (length(account) <= 64 AND account ~ '^[A-Za-z0-9._-]+$'),
  id            text COLLATE "C" NOT NULL CHECK (id ~ '^exp_[0-9A-Za-z]{16}$'),
  record        text             NOT NULL,
  PRIMARY KEY (account, id)
);

CREATE INDEX exports_by_start ON exports (started_at_ms);

-- A role that only reads transactions stores exports of the account that a statement names. It removes those of any account
-- that began before the time that a statement names.
ALTER TABLE exports ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_account ON exports
  USING (account = current_setting('transactions.account', true));
CREATE POLICY find_expired ON exports FOR SELECT
  USING (started_at_ms < nullif(current_setting('transactions.exports_before', true), '')::bigint);
CREATE POLICY remove_expired ON exports FOR DELETE
  USING (started_at_ms < nullif(current_setting('transactions.exports_before', true), '')::bigint);

-- The roles that can read transactions can export them.
DO $$
DECLARE granted record;
BEGIN
  FOR granted IN
    SELECT DISTINCT CASE WHEN grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END AS role
    FROM pg_catalog.pg_class CROSS JOIN LATERAL aclexplode(relacl)
    WHERE pg_class.oid = 'transactions'::regclass AND grantee <> relowner AND privilege_type = 'SELECT'
  LOOP
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON exports TO %s', granted.role);
  END LOOP;
END $$;
