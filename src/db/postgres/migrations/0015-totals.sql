-- The roll-up: sums of transactions at the sequence number that `folded` has for their account. A day counts from 1970-01-01,
-- a month from January 1970. Amounts are hundredths, and can be beyond 64 bits. The free space in each page is for new
-- versions of its rows.
CREATE TABLE daily_totals (
  count         bigint           NOT NULL,
  day           integer          NOT NULL,
  account       text COLLATE "C" NOT NULL CHECK (length(account) <= 64 AND account ~ '^[A-Za-z0-9._-]+$'),
  currency_code text COLLATE "C" NOT NULL,
  status        text COLLATE "C" NOT NULL,
  amount        numeric          NOT NULL,
  PRIMARY KEY (account, day, currency_code, status)
) WITH (fillfactor = 80);

CREATE TABLE monthly_totals (
  count         bigint           NOT NULL,
  month         integer          NOT NULL,
  account       text COLLATE "C" NOT NULL CHECK (length(account) <= 64 AND account ~ '^[A-Za-z0-9._-]+$'),
  currency_code text COLLATE "C" NOT NULL,
  status        text COLLATE "C" NOT NULL,
  amount        numeric          NOT NULL,
  PRIMARY KEY (account, month, currency_code, status)
) WITH (fillfactor = 80);

-- Apart from `accounts`, so that recordings and folding never wait for each other's rows.
CREATE TABLE folded (
  account  text COLLATE "C" PRIMARY KEY CHECK (length(account) <= 64 AND account ~ '^[A-Za-z0-9._-]+$'),
  sequence bigint NOT NULL CHECK (sequence >= 0)
) WITH (fillfactor = 50);

ALTER TABLE daily_totals ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_account ON daily_totals FOR SELECT
  USING (account = current_setting('transactions.account', true));
ALTER TABLE monthly_totals ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_account ON monthly_totals FOR SELECT
  USING (account = current_setting('transactions.account', true));
ALTER TABLE folded ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_account ON folded FOR SELECT
  USING (account = current_setting('transactions.account', true));

-- The roles that can read and write transactions can do so with the roll-up.
DO $$
DECLARE granted record;
BEGIN
  FOR granted IN
    SELECT DISTINCT privilege_type, CASE WHEN grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END AS role
    FROM pg_catalog.pg_class CROSS JOIN LATERAL aclexplode(relacl)
    WHERE pg_class.oid = 'transactions'::regclass AND grantee <> relowner AND privilege_type IN ('SELECT', 'INSERT', 'UPDATE')
  LOOP
    EXECUTE format('GRANT %s ON daily_totals, monthly_totals, folded TO %s', granted.privilege_type, granted.role);
  END LOOP;
END $$;
