-- Every key of transactions starts with the account, so that the tables can be distributed by account.
-- Amounts are hundredths; times are milliseconds since 1970-01-01T00:00:00Z. Texts compare by bytes, whatever
-- the collation of the database, so the order of a list never changes. Columns of fixed width come first,
-- which saves padding.
--
-- `pending_sequence` is the sequence number of the change that made the transaction pending. `final_sequence`
-- is that of the change to its final status. A nonce is the random number of the commit that made a change:
-- if a restored database assigns a sequence number again, the nonce differs.
--
-- `details` is the JSON of the first change. If the final change added texts, `final_details` has all texts.
CREATE TABLE transactions (
  created_at_ms          bigint           NOT NULL CHECK (created_at_ms BETWEEN -62135596800000 AND 253402300799999),
  amount_minor           bigint           NOT NULL CHECK (amount_minor BETWEEN -999999999999999 AND 999999999999999),
  paid_at_ms             bigint                    CHECK (paid_at_ms BETWEEN -62135596800000 AND 253402300799999),
  pending_sequence       bigint                    CHECK (pending_sequence >= 1),
  pending_recorded_at_ms bigint                    CHECK (pending_recorded_at_ms BETWEEN -62135596800000 AND 253402300799999),
  pending_nonce          bigint                    CHECK (pending_nonce BETWEEN 1 AND 9007199254740991),
  final_sequence         bigint                    CHECK (final_sequence >= 1),
  final_recorded_at_ms   bigint                    CHECK (final_recorded_at_ms BETWEEN -62135596800000 AND 253402300799999),
  final_nonce            bigint                    CHECK (final_nonce BETWEEN 1 AND 9007199254740991),
  details_removed_at_ms  bigint                    CHECK (details_removed_at_ms BETWEEN -62135596800000 AND 253402300799999),
  account                text COLLATE "C" NOT NULL CHECK (length(account) <= 64 AND account ~ '^[A-Za-z0-9._-]+$'),
  reference              text COLLATE "C" NOT NULL CHECK (length(reference) <= 64 AND reference ~ '^[A-Za-z0-9._-]+$'),
  status                 text COLLATE "C" NOT NULL CHECK (length(status) <= 32 AND status ~ '^[a-z][a-z0-9_]*$'),
  currency_code          text COLLATE "C" NOT NULL CHECK (currency_code ~ '^[A-Z]{3}$'),
  merchant_reference     text COLLATE "C"          CHECK (length(merchant_reference) BETWEEN 1 AND 255),
  related_to             text COLLATE "C"          CHECK (length(related_to) <= 64 AND related_to ~ '^[A-Za-z0-9._-]+$'),
  details                text COLLATE "C"          CHECK (octet_length(details) <= 2048),
  final_details          text COLLATE "C"          CHECK (octet_length(final_details) <= 2048),
  CONSTRAINT pending_is_not_paid CHECK (status <> 'pending' OR paid_at_ms IS NULL),
  CONSTRAINT completed_is_paid CHECK (status <> 'completed' OR paid_at_ms IS NOT NULL),
  CONSTRAINT changes_have_sequences CHECK (CASE WHEN status = 'pending' THEN pending_sequence IS NOT NULL AND final_sequence IS NULL ELSE final_sequence IS NOT NULL END),
  CONSTRAINT sequences_have_times CHECK ((pending_sequence IS NULL) = (pending_recorded_at_ms IS NULL) AND (final_sequence IS NULL) = (final_recorded_at_ms IS NULL)),
  CONSTRAINT sequences_have_nonces CHECK ((pending_sequence IS NULL) = (pending_nonce IS NULL) AND (final_sequence IS NULL) = (final_nonce IS NULL)),
  CONSTRAINT pending_before_final_sequence CHECK (pending_sequence < final_sequence),
  CONSTRAINT details_were_added CHECK (final_details IS NULL OR (pending_sequence IS NOT NULL AND final_sequence IS NOT NULL)),
  CONSTRAINT details_are_removed CHECK (details_removed_at_ms IS NULL OR (details IS NULL AND final_details IS NULL))
);

-- A list by currency alone merges several ranges of transactions_by_status_currency, one for each status.
-- Every other list reads one range of one index, backward.
CREATE INDEX transactions_by_time ON transactions (account, created_at_ms, reference);
CREATE INDEX transactions_by_status ON transactions (account, status, created_at_ms, reference);
CREATE INDEX transactions_by_status_currency ON transactions (account, status, currency_code, created_at_ms, reference);
-- The index contains status and currency_code, so that filters by them do not read the table.
CREATE INDEX transactions_by_merchant_reference_time ON transactions
  (account, merchant_reference, created_at_ms, reference, status, currency_code) WHERE merchant_reference IS NOT NULL;

CREATE UNIQUE INDEX transactions_by_pending_sequence ON transactions
  (account, pending_sequence) WHERE pending_sequence IS NOT NULL;
CREATE UNIQUE INDEX transactions_by_final_sequence ON transactions
  (account, final_sequence) WHERE final_sequence IS NOT NULL;

CREATE INDEX transactions_by_related_to_time ON transactions
  (account, related_to, created_at_ms, reference) WHERE related_to IS NOT NULL;

-- Must be created after the other indexes, so that look-ups by reference use it. While the planner believes
-- that the table is nearly empty, all indexes that contain `account` and `reference` cost the same, and the
-- planner uses the newest index.
ALTER TABLE transactions ADD PRIMARY KEY (account, reference);

-- A role that does not own the table sees only rows of the account in the setting `transactions.account`,
-- even if its statement has no condition on the account.
ALTER TABLE transactions ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_account ON transactions FOR SELECT
  USING (account = current_setting('transactions.account', true));

-- The statuses that transactions have or had, even if STATUSES no longer contains them. Pending and completed
-- are left out, because every service knows them. A status is stored here before a transaction has it.
CREATE TABLE recorded_statuses (
  status text COLLATE "C" PRIMARY KEY CHECK (length(status) <= 32 AND status ~ '^[a-z][a-z0-9_]*$')
);

-- The largest sequence number of each account. A recording locks the account's row until it is committed. If
-- an account is being erased, no change gets a number after `closed_at_sequence`. `erased_at_ms` is when the
-- last erasure ended, by the clock of the database. `fillfactor` leaves room for new versions of a row in its
-- page.
CREATE TABLE accounts (
  account            text COLLATE "C" PRIMARY KEY CHECK (length(account) <= 64 AND account ~ '^[A-Za-z0-9._-]+$'),
  head_sequence      bigint NOT NULL CHECK (head_sequence >= 0),
  closed_at_sequence bigint,
  erased_at_ms       bigint,
  CONSTRAINT account_is_open CHECK (head_sequence <= closed_at_sequence)
) WITH (fillfactor = 50);

-- The archived transactions are final, were created before `before_ms`, and have no change after
-- `floor_sequence`. `removed_changes` counts their changes. All other transactions keep their changes. `rest`
-- is the digest of the kept changes up to `floor_sequence`, as SPEC.md defines it. `floor_nonce` and
-- `floor_seal` are those of the change `floor_sequence`.
CREATE TABLE archives (
  before_ms       bigint           NOT NULL CHECK (before_ms % 86400000 = 0 AND before_ms BETWEEN -62135596800000 AND 253402300799999),
  floor_sequence  bigint           NOT NULL CHECK (floor_sequence BETWEEN 1 AND 9007199254740991),
  floor_nonce     bigint           NOT NULL CHECK (floor_nonce BETWEEN 0 AND 9007199254740991),
  removed_changes bigint           NOT NULL CHECK (removed_changes >= 0),
  account         text COLLATE "C" PRIMARY KEY CHECK (length(account) <= 64 AND account ~ '^[A-Za-z0-9._-]+$'),
  floor_seal      text COLLATE "C" NOT NULL CHECK (floor_seal ~ '^[0-9a-f]{64}$'),
  rest            text COLLATE "C" NOT NULL CHECK (rest ~ '^[0-9a-f]{64}$'),
  CONSTRAINT removed_up_to_floor CHECK (removed_changes <= floor_sequence)
);

-- The idempotency keys of transactions whose references the service assigned. Requests with the same key are
-- for the same transaction.
CREATE TABLE idempotency_keys (
  account     text COLLATE "C" NOT NULL CHECK (length(account) <= 64 AND account ~ '^[A-Za-z0-9._-]+$'),
  key         text COLLATE "C" NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
  fingerprint text COLLATE "C" NOT NULL CHECK (fingerprint ~ '^[0-9a-f]{64}$'),
  reference   text COLLATE "C" NOT NULL CHECK (length(reference) <= 64 AND reference ~ '^[A-Za-z0-9._-]+$'),
  PRIMARY KEY (account, key)
);

-- `hash` is the SHA-256 of the key. `key_start` is for recognising a leaked key: the prefix and 6 of the 30
-- random characters, never more. The account of an operator's key is *. `account_prefix` limits an operator's
-- key to accounts with this prefix. `expires_before_roll_ms` is `expires_at_ms` before the first roll.
--
-- `end_recorded_at_ms` is when the key was last revoked or rolled, by the clock of the database. Each new
-- value must be larger than all others, because a service reads only those since the largest known one.
--
-- A session is a key for one person. The person gets a code, and exchanges it for the key. Until then, `hash`
-- and `key_start` are those of the code. A session also ends when the key that made it (`made_by`) ends.
CREATE TABLE api_keys (
  id                        text COLLATE "C" PRIMARY KEY CHECK (id ~ '^(key|ses)_[0-9A-Za-z]{16}$'),
  kind                      text COLLATE "C" NOT NULL DEFAULT 'key' CHECK (kind IN ('key', 'session')),
  account                   text COLLATE "C" NOT NULL CHECK (account = '*' OR (length(account) <= 64 AND account ~ '^[A-Za-z0-9._-]+$')),
  hash                      text COLLATE "C" NOT NULL CHECK (hash ~ '^[0-9a-f]{64}$'),
  key_start                 text COLLATE "C" NOT NULL CHECK (key_start ~ '^(tk_(live|operator)|ts_(live|code))_[0-9A-Za-z]{6}$'),
  label                     text COLLATE "C"          CHECK (length(label) BETWEEN 1 AND 100),
  scopes                    text COLLATE "C" NOT NULL CHECK (scopes ~ '^[a-z]+( [a-z]+)*$'),
  account_prefix            text COLLATE "C",
  created_at_ms             bigint NOT NULL           CHECK (created_at_ms BETWEEN -62135596800000 AND 253402300799999),
  expires_at_ms             bigint                    CHECK (expires_at_ms BETWEEN -62135596800000 AND 253402300799999),
  revoked_at_ms             bigint                    CHECK (revoked_at_ms BETWEEN -62135596800000 AND 253402300799999),
  rolled_at_ms              bigint                    CHECK (rolled_at_ms BETWEEN -62135596800000 AND 253402300799999),
  expires_before_roll_ms    bigint                    CHECK (expires_before_roll_ms BETWEEN -62135596800000 AND 253402300799999),
  last_used_at_ms           bigint                    CHECK (last_used_at_ms BETWEEN -62135596800000 AND 253402300799999),
  end_recorded_at_ms        bigint                    CHECK (end_recorded_at_ms BETWEEN -62135596800000 AND 253402300799999),
  person                    text COLLATE "C"          CHECK (length(person) BETWEEN 1 AND 128),
  reason                    text COLLATE "C"          CHECK (length(reason) BETWEEN 1 AND 255),
  code_expires_at_ms        bigint                    CHECK (code_expires_at_ms BETWEEN -62135596800000 AND 253402300799999),
  opened_at_ms              bigint                    CHECK (opened_at_ms BETWEEN -62135596800000 AND 253402300799999),
  made_by                   text COLLATE "C"          CHECK (made_by ~ '^key_[0-9A-Za-z]{16}$'),
  CONSTRAINT sessions_are_whole CHECK (CASE kind WHEN 'session' THEN account <> '*' AND person IS NOT NULL AND code_expires_at_ms IS NOT NULL AND expires_at_ms IS NOT NULL
    ELSE person IS NULL AND reason IS NULL AND code_expires_at_ms IS NULL AND opened_at_ms IS NULL AND made_by IS NULL END),
  CONSTRAINT kind_is_that_of_id CHECK ((kind = 'session') = (substr(id, 1, 4) = 'ses_')),
  CONSTRAINT start_is_of_kind CHECK (CASE WHEN kind = 'key' THEN substr(key_start, 1, 3) = 'tk_' ELSE substr(key_start, 1, 8) = CASE WHEN opened_at_ms IS NULL THEN 'ts_code_' ELSE 'ts_live_' END END),
  CONSTRAINT ends_are_recorded CHECK ((revoked_at_ms IS NULL AND rolled_at_ms IS NULL) = (end_recorded_at_ms IS NULL)),
  CONSTRAINT only_operators_have_a_prefix CHECK (account_prefix IS NULL OR (account = '*' AND length(account_prefix) <= 64 AND account_prefix ~ '^[A-Za-z0-9._-]+$'))
);

CREATE UNIQUE INDEX api_keys_by_hash ON api_keys (hash);
CREATE INDEX api_keys_by_time ON api_keys (account, created_at_ms, id) WHERE kind = 'key';
CREATE INDEX sessions_by_time ON api_keys (account, created_at_ms, id) WHERE kind = 'session';
CREATE INDEX sessions_by_person ON api_keys (account, person, created_at_ms, id) WHERE kind = 'session';
CREATE INDEX sessions_of_everywhere ON api_keys (person, created_at_ms, id) WHERE kind = 'session';
CREATE INDEX sessions_by_expiry ON api_keys (expires_at_ms) WHERE kind = 'session';

CREATE INDEX api_keys_by_end ON api_keys (end_recorded_at_ms) WHERE end_recorded_at_ms IS NOT NULL;

-- The role that serves lists opens and ends sessions, so it may update columns such as `revoked_at_ms`. This
-- trigger keeps it from revoking keys: without UPDATE on the whole table, a role may change only
-- `last_used_at_ms` of a key.
CREATE FUNCTION refuse_key_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF has_table_privilege(TG_RELID, 'UPDATE') THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'permission denied for keys, and for what never changes of a session' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER sessions_alone BEFORE UPDATE ON api_keys FOR EACH ROW
  WHEN (CASE WHEN OLD.kind = 'key'
    THEN (NEW.hash, NEW.key_start, NEW.opened_at_ms, NEW.revoked_at_ms, NEW.end_recorded_at_ms) IS DISTINCT FROM (OLD.hash, OLD.key_start, OLD.opened_at_ms, OLD.revoked_at_ms, OLD.end_recorded_at_ms)
    ELSE (OLD.opened_at_ms IS NOT NULL AND NEW.hash <> OLD.hash) OR (OLD.revoked_at_ms IS NOT NULL AND NEW.revoked_at_ms IS DISTINCT FROM OLD.revoked_at_ms) END)
  EXECUTE FUNCTION refuse_key_change();

-- If CURSOR_SECRETS is not set, cursors are sealed with this secret. The only row is created once.
CREATE TABLE cursor_secret (
  only_row      integer PRIMARY KEY CHECK (only_row = 1),
  secret        text   NOT NULL CHECK (secret ~ '^[0-9A-Za-z_-]{43}$'),
  created_at_ms bigint NOT NULL CHECK (created_at_ms BETWEEN -62135596800000 AND 253402300799999)
);

-- Sums of the transactions in the database, updated with each transaction. `day` counts from 1970-01-01.
-- Amounts are hundredths, and can exceed 64 bits. `account` needs no CHECK, because `accounts` already checks
-- the name, and with a second CHECK, the write would take 1.5 times as long.
CREATE TABLE daily_totals (
  count         bigint           NOT NULL,
  day           integer          NOT NULL,
  account       text COLLATE "C" NOT NULL,
  currency_code text COLLATE "C" NOT NULL,
  status        text COLLATE "C" NOT NULL,
  amount        numeric          NOT NULL,
  PRIMARY KEY (account, day, currency_code, status)
) WITH (fillfactor = 80);

ALTER TABLE daily_totals ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_account ON daily_totals FOR SELECT
  USING (account = current_setting('transactions.account', true));

-- The last sealed change of each account with its nonce, and the seal at this change, as SPEC.md defines it.
-- `digests` has 8 characters for each sealed change that is not in `seal_blocks` yet.
CREATE TABLE seals (
  sequence bigint           NOT NULL CHECK (sequence >= 0),
  nonce    bigint,
  account  text COLLATE "C" PRIMARY KEY CHECK (length(account) <= 64 AND account ~ '^[A-Za-z0-9._-]+$'),
  seal     text COLLATE "C" NOT NULL CHECK (seal ~ '^[0-9a-f]{64}$'),
  digests  text COLLATE "C" NOT NULL
) WITH (fillfactor = 50);

-- Blocks of 64 sealed changes. `sequence` is the number of the last change, and `seal` is the seal at that
-- change. `digests` has 8 characters for each change. A block never changes.
CREATE TABLE seal_blocks (
  sequence bigint           NOT NULL CHECK (sequence % 64 = 0),
  account  text COLLATE "C" NOT NULL CHECK (length(account) <= 64 AND account ~ '^[A-Za-z0-9._-]+$'),
  seal     text COLLATE "C" NOT NULL CHECK (seal ~ '^[0-9a-f]{64}$'),
  digests  text COLLATE "C" NOT NULL CHECK (length(digests) = 512),
  PRIMARY KEY (account, sequence)
);

ALTER TABLE seals ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_account ON seals FOR SELECT
  USING (account = current_setting('transactions.account', true));

-- The exports of the last 24 hours. `record` is the request and the result, as JSON.
CREATE TABLE exports (
  started_at_ms bigint           NOT NULL CHECK (started_at_ms BETWEEN -62135596800000 AND 253402300799999),
  account       text COLLATE "C" NOT NULL CHECK (length(account) <= 64 AND account ~ '^[A-Za-z0-9._-]+$'),
  id            text COLLATE "C" NOT NULL CHECK (id ~ '^exp_[0-9A-Za-z]{16}$'),
  record        text             NOT NULL,
  PRIMARY KEY (account, id)
);

CREATE INDEX exports_by_start ON exports (started_at_ms);

-- A role that does not own the table uses only exports of the account in the setting `transactions.account`.
-- It may also remove every export that began before the time in the setting `transactions.exports_before`.
ALTER TABLE exports ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_account ON exports
  USING (account = current_setting('transactions.account', true));
CREATE POLICY find_expired ON exports FOR SELECT
  USING (started_at_ms < nullif(current_setting('transactions.exports_before', true), '')::bigint);
CREATE POLICY remove_expired ON exports FOR DELETE
  USING (started_at_ms < nullif(current_setting('transactions.exports_before', true), '')::bigint);

-- `types` is a JSON array, or null for all types. `quick` is 1 if the last response came within a second.
CREATE TABLE webhook_endpoints (
  ordered                  bigint           NOT NULL CHECK (ordered IN (0, 1)),
  created_at_ms            bigint           NOT NULL CHECK (created_at_ms BETWEEN -62135596800000 AND 253402300799999),
  previous_secret_until_ms bigint                    CHECK (previous_secret_until_ms BETWEEN -62135596800000 AND 253402300799999),
  disabled_at_ms           bigint                    CHECK (disabled_at_ms BETWEEN -62135596800000 AND 253402300799999),
  version                  bigint           NOT NULL CHECK (version BETWEEN 1 AND 9007199254740991),
  replay_version           bigint           NOT NULL CHECK (replay_version >= 0),
  acknowledged_sequence    bigint           NOT NULL CHECK (acknowledged_sequence >= 0),
  failing_since_ms         bigint                    CHECK (failing_since_ms BETWEEN -62135596800000 AND 253402300799999),
  quick                    bigint                    CHECK (quick IN (0, 1)),
  account                  text COLLATE "C" NOT NULL CHECK (length(account) <= 64 AND account ~ '^[A-Za-z0-9._-]+$'),
  id                       text COLLATE "C" NOT NULL CHECK (id ~ '^we_[0-9A-Za-z]{16}$'),
  url                      text             NOT NULL CHECK (length(url) <= 2048 AND url ~* '^https?://\S+$'),
  types                    text,
  label                    text                      CHECK (length(label) BETWEEN 1 AND 100),
  secret                   text             NOT NULL CHECK (secret ~ '^(whsec_[0-9A-Za-z+/]{32,88}={0,2}|whsk_[0-9A-Za-z+/]{43}=)$'),
  previous_secret          text                      CHECK (previous_secret ~ '^(whsec_[0-9A-Za-z+/]{32,88}={0,2}|whsk_[0-9A-Za-z+/]{43}=)$'),
  disabled_reason          text                      CHECK (disabled_reason IN ('requested', 'gone', 'failing')),
  PRIMARY KEY (account, id),
  CONSTRAINT previous_secret_has_time CHECK ((previous_secret IS NULL) = (previous_secret_until_ms IS NULL)),
  CONSTRAINT disabled_has_time CHECK ((disabled_reason IS NULL) = (disabled_at_ms IS NULL)),
  CONSTRAINT replayed_by_a_version CHECK (replay_version <= version)
) WITH (fillfactor = 70);

CREATE INDEX webhook_endpoints_enabled ON webhook_endpoints (account, id) WHERE disabled_at_ms IS NULL;

-- The accounts that have or had webhook endpoints. When changes of an account are recorded, or its endpoints
-- change, the id of this database transaction is stored in `moved`. The instance that delivers webhooks reads
-- `moved` to find accounts with new changes. A cluster does not use this table.
CREATE TABLE watched_accounts (
  moved   xid8             NOT NULL,
  account text COLLATE "C" PRIMARY KEY CHECK (length(account) <= 64 AND account ~ '^[A-Za-z0-9._-]+$')
) WITH (fillfactor = 70);

CREATE INDEX watched_accounts_moved ON watched_accounts (moved);

-- Changes that could not be delivered. If `next_attempt_at_ms` is null, a change is retried only on request.
CREATE TABLE webhook_failures (
  sequence           bigint           NOT NULL CHECK (sequence >= 1),
  attempts           bigint           NOT NULL CHECK (attempts BETWEEN 1 AND 9007199254740991),
  first_failed_at_ms bigint           NOT NULL CHECK (first_failed_at_ms BETWEEN -62135596800000 AND 253402300799999),
  last_failed_at_ms  bigint           NOT NULL CHECK (last_failed_at_ms BETWEEN -62135596800000 AND 253402300799999),
  next_attempt_at_ms bigint                    CHECK (next_attempt_at_ms BETWEEN -62135596800000 AND 253402300799999),
  response_status    bigint                    CHECK (response_status BETWEEN 100 AND 999),
  account            text COLLATE "C" NOT NULL CHECK (length(account) <= 64 AND account ~ '^[A-Za-z0-9._-]+$'),
  endpoint_id        text COLLATE "C" NOT NULL CHECK (endpoint_id ~ '^we_[0-9A-Za-z]{16}$'),
  error              text             NOT NULL,
  PRIMARY KEY (account, endpoint_id, sequence)
);

-- `instance` delivers webhooks until `expires_at_ms`, by the clock of the database. `rules` are the
-- settings of this instance for the addresses of receivers.
CREATE TABLE webhook_lease (
  only_row      bigint           PRIMARY KEY CHECK (only_row = 1),
  expires_at_ms bigint           NOT NULL CHECK (expires_at_ms BETWEEN -62135596800000 AND 253402300799999),
  instance      text COLLATE "C" NOT NULL CHECK (length(instance) BETWEEN 1 AND 100),
  rules         text COLLATE "C" NOT NULL
) WITH (fillfactor = 50);

-- Every 20 seconds, each serving process sets its `seen_at_ms`, by the clock of the database. `settings` is
-- JSON: the settings that must be the same on all instances, with digests in place of secrets.
CREATE TABLE instances (
  started_at_ms bigint           NOT NULL CHECK (started_at_ms BETWEEN -62135596800000 AND 253402300799999),
  seen_at_ms    bigint           NOT NULL CHECK (seen_at_ms BETWEEN -62135596800000 AND 253402300799999),
  instance      text COLLATE "C" PRIMARY KEY CHECK (length(instance) BETWEEN 1 AND 100),
  host          text             NOT NULL,
  version       text             NOT NULL,
  settings      text             NOT NULL
) WITH (fillfactor = 50);

-- The setting `transactions.account` contains an account. A role that does not own these tables sees and
-- changes only endpoints and failures of this account. If the setting `transactions.delivering` is on, the
-- role also sees the enabled endpoints and the failures of all accounts.
ALTER TABLE webhook_endpoints ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_account ON webhook_endpoints
  USING (account = current_setting('transactions.account', true));
CREATE POLICY list_deliverable ON webhook_endpoints FOR SELECT
  USING (disabled_at_ms IS NULL AND current_setting('transactions.delivering', true) = 'on');
ALTER TABLE webhook_failures ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_account ON webhook_failures
  USING (account = current_setting('transactions.account', true));
CREATE POLICY list_deliverable ON webhook_failures FOR SELECT
  USING (current_setting('transactions.delivering', true) = 'on');

-- A row means that `transactions copy` marked this database. No service starts on a marked database. In the
-- target, `state` is 'copying' until the copy ends. In the source, `state` is 'moved' from shortly before the
-- end, so that nothing more is recorded there. `other_database` is an address without its password.
CREATE TABLE copy_state (
  only_row       integer PRIMARY KEY CHECK (only_row = 1),
  since_ms       bigint  NOT NULL,
  state          text    NOT NULL CHECK (state IN ('copying', 'moved')),
  other_database text    NOT NULL
);

-- The audit trail. An entry is committed together with what it reports. No entry is ever changed or removed,
-- even if its account is erased. `detail` is JSON. There are two tables because of Citus: the coordinator
-- stores keys and `key_audit`, and the worker of an account stores the account's rows in `account_audit`.
CREATE TABLE key_audit (
  at_ms   bigint           NOT NULL CHECK (at_ms BETWEEN -62135596800000 AND 253402300799999),
  account text COLLATE "C" NOT NULL CHECK (account = '*' OR (length(account) <= 64 AND account ~ '^[A-Za-z0-9._-]+$')),
  id      text COLLATE "C" NOT NULL CHECK (id ~ '^au_[0-9A-Za-z]{16}$'),
  action  text             NOT NULL CHECK (action ~ '^[a-z]+[.][a-z]+$'),
  subject text,
  detail  text,
  via     text             NOT NULL CHECK (via IN ('command', 'api', 'service')),
  actor   text                      CHECK (length(actor) BETWEEN 1 AND 200),
  address text,
  PRIMARY KEY (account, at_ms, id),
  CONSTRAINT entries_have_subjects CHECK (action = 'session.ended' OR (subject IS NULL) = (substr(action, 1, 8) = 'account.'))
);

CREATE INDEX key_audit_by_time ON key_audit (at_ms, id);

CREATE TABLE account_audit (
  at_ms   bigint           NOT NULL CHECK (at_ms BETWEEN -62135596800000 AND 253402300799999),
  account text COLLATE "C" NOT NULL CHECK (length(account) <= 64 AND account ~ '^[A-Za-z0-9._-]+$'),
  id      text COLLATE "C" NOT NULL CHECK (id ~ '^au_[0-9A-Za-z]{16}$'),
  action  text             NOT NULL CHECK (action ~ '^[a-z]+[.][a-z]+$'),
  subject text,
  detail  text,
  via     text             NOT NULL CHECK (via IN ('command', 'api', 'service')),
  actor   text                      CHECK (length(actor) BETWEEN 1 AND 200),
  address text,
  PRIMARY KEY (account, at_ms, id),
  CONSTRAINT entries_have_subjects CHECK (action = 'session.ended' OR (subject IS NULL) = (substr(action, 1, 8) = 'account.'))
);

CREATE INDEX account_audit_by_time ON account_audit (at_ms, id);
CREATE INDEX account_audit_created ON account_audit (account, subject) WHERE action = 'endpoint.created';

-- A role that does not own this table must first set `transactions.account` to an account. Then the role may
-- only add entries about this account, and read the entries 'endpoint.created' of this account.
ALTER TABLE account_audit ENABLE ROW LEVEL SECURITY;
CREATE POLICY add_to_account ON account_audit FOR INSERT
  WITH CHECK (account = current_setting('transactions.account', true));
CREATE POLICY find_created ON account_audit FOR SELECT
  USING (account = current_setting('transactions.account', true) AND action = 'endpoint.created');
