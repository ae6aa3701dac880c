-- Has a row while the database is the target of a copy that has not ended: nothing but the copy uses it meanwhile. `source` is the
-- address of the source, without its password.
CREATE TABLE copy_state (
  only_row      integer PRIMARY KEY CHECK (only_row = 1),
  started_at_ms bigint  NOT NULL,
  source        text    NOT NULL
);

-- The roles that can read transactions read it before they serve.
DO $$
DECLARE granted record;
BEGIN
  FOR granted IN
    SELECT DISTINCT CASE WHEN grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END AS role
    FROM pg_catalog.pg_class CROSS JOIN LATERAL aclexplode(relacl)
    WHERE pg_class.oid = 'transactions'::regclass AND grantee <> relowner AND privilege_type = 'SELECT'
  LOOP
    EXECUTE format('GRANT SELECT ON copy_state TO %s', granted.role);
  END LOOP;
END $$;
