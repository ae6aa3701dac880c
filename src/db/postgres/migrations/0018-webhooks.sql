-- Where the changes of an account are delivered. `types` is a JSON array, or null for all types; `bucket` is that of the account. The
-- free space in each page is for new versions of its rows.
CREATE TABLE webhook_endpoints (
  bucket                   bigint           NOT NULL CHECK (bucket BETWEEN 0 AND 63),
  ordered                  bigint           NOT NULL CHECK (ordered IN (0, 1)),
  created_at_ms            bigint           NOT NULL,
  previous_secret_until_ms bigint,
  disabled_at_ms           bigint,
  version                  bigint           NOT NULL CHECK (version >= 1),
  replay_version           bigint           NOT NULL CHECK (replay_version >= 0),
  acknowledged_sequence    bigint           NOT NULL CHECK (acknowledged_sequence >= 0),
  failing_since_ms         bigint,
  account                  text COLLATE "C" NOT NULL CHECK (length(account) <= 64 AND account ~ '^[A-Za-z0-9._-]+$'),
  id                       text COLLATE "C" NOT NULL CHECK (id ~ '^we_[0-9A-Za-z]{16}$'),
  url                      text             NOT NULL CHECK (length(url) BETWEEN 1 AND 2048),
  types                    text,
  label                    text                      CHECK (length(label) BETWEEN 1 AND 100),
  secret                   text             NOT NULL,
  previous_secret          text,
  disabled_reason          text                      CHECK (disabled_reason IN ('requested', 'gone', 'failing')),
  PRIMARY KEY (account, id),
  CONSTRAINT previous_secret_has_time CHECK ((previous_secret IS NULL) = (previous_secret_until_ms IS NULL)),
  CONSTRAINT disabled_has_time CHECK ((disabled_reason IS NULL) = (disabled_at_ms IS NULL))
) WITH (fillfactor = 70);

CREATE INDEX webhook_endpoints_enabled ON webhook_endpoints (bucket) WHERE disabled_at_ms IS NULL;

-- Changes that could not be delivered. One without a next attempt waits for a request. `bucket` is that of the account.
CREATE TABLE webhook_failures (
  bucket             bigint           NOT NULL CHECK (bucket BETWEEN 0 AND 63),
  sequence           bigint           NOT NULL CHECK (sequence >= 1),
  attempts           bigint           NOT NULL CHECK (attempts >= 1),
  first_failed_at_ms bigint           NOT NULL,
  last_failed_at_ms  bigint           NOT NULL,
  next_attempt_at_ms bigint,
  response_status    bigint,
  account            text COLLATE "C" NOT NULL CHECK (length(account) <= 64 AND account ~ '^[A-Za-z0-9._-]+$'),
  endpoint_id        text COLLATE "C" NOT NULL CHECK (endpoint_id ~ '^we_[0-9A-Za-z]{16}$'),
  error              text             NOT NULL,
  PRIMARY KEY (account, endpoint_id, sequence)
);

CREATE INDEX webhook_failures_pending ON webhook_failures (account, endpoint_id, next_attempt_at_ms, sequence)
  WHERE next_attempt_at_ms IS NOT NULL;

-- The instances that deliver, each until a time of the clock of the database, and the buckets that each has leased: a lease lasts as
-- long as its instance.
CREATE TABLE webhook_instances (
  expires_at_ms bigint           NOT NULL,
  instance      text COLLATE "C" PRIMARY KEY
) WITH (fillfactor = 50);

CREATE TABLE webhook_leases (
  bucket   bigint           PRIMARY KEY CHECK (bucket BETWEEN 0 AND 63),
  instance text COLLATE "C" NOT NULL
);

-- A role that only reads transactions manages and delivers to endpoints of the account that a statement names. It sees the
-- enabled endpoints, and the failures, of the buckets that a statement names, with a text that has the digit 1 at the place of each.
-- Citus has no policies with subqueries, so each row reads the text: it is short, and no array is made of it.
ALTER TABLE webhook_endpoints ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_account ON webhook_endpoints
  USING (account = current_setting('transactions.account', true));
CREATE POLICY list_deliverable ON webhook_endpoints FOR SELECT
  USING (disabled_at_ms IS NULL AND substr(current_setting('transactions.webhook_buckets', true), bucket::integer + 1, 1) = '1');
ALTER TABLE webhook_failures ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_account ON webhook_failures
  USING (account = current_setting('transactions.account', true));
CREATE POLICY list_deliverable ON webhook_failures FOR SELECT
  USING (substr(current_setting('transactions.webhook_buckets', true), bucket::integer + 1, 1) = '1');

-- The roles that can read transactions can deliver them.
DO $$
DECLARE granted record;
BEGIN
  FOR granted IN
    SELECT DISTINCT CASE WHEN grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END AS role
    FROM pg_catalog.pg_class CROSS JOIN LATERAL aclexplode(relacl)
    WHERE pg_class.oid = 'transactions'::regclass AND grantee <> relowner AND privilege_type = 'SELECT'
  LOOP
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON webhook_endpoints, webhook_failures, webhook_instances, webhook_leases TO %s',
      granted.role);
  END LOOP;
END $$;
