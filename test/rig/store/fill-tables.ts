export const ACCOUNTS = 400;
export const ROWS_OF_ACCOUNT = 50;
const NAME = `'acct-' || lpad(a::text, 4, '0')`;
const EACH = `generate_series(1, ${ACCOUNTS}) AS a`;
const EACH_ROW = `${EACH}, generate_series(1, ${ROWS_OF_ACCOUNT}) AS n`;

export const FILL_TABLES = [
  `INSERT INTO transactions (account, created_at_ms, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms,
     final_sequence, final_recorded_at_ms, final_nonce)
   SELECT ${NAME}, n * 1000, ${NAME} || '.' || n, 'order-' || n % 5, 'completed', n, 'EUR', n, n, n, n FROM ${EACH_ROW}`,
  `INSERT INTO accounts (account, head_sequence) SELECT ${NAME}, ${ROWS_OF_ACCOUNT} FROM ${EACH}`,
  `INSERT INTO daily_totals (account, day, currency_code, status, count, amount) SELECT ${NAME}, n, 'EUR', 'completed', 1, n FROM ${EACH_ROW}`,
  `INSERT INTO seals (account, sequence, nonce, seal, digests) SELECT ${NAME}, ${ROWS_OF_ACCOUNT}, 1, repeat('0', 64), repeat('a', 8 * ${ROWS_OF_ACCOUNT}) FROM ${EACH}`,
  `INSERT INTO seal_blocks (account, sequence, seal, digests) SELECT ${NAME}, 64 * n, repeat('0', 64), repeat('a', 512) FROM ${EACH}, generate_series(1, 4) AS n`,
  `INSERT INTO idempotency_keys (account, key, fingerprint, reference) SELECT ${NAME}, n::text, repeat('0', 64), 'r' || n FROM ${EACH_ROW}`,
  `INSERT INTO exports (account, id, started_at_ms, record) SELECT ${NAME}, 'exp_' || lpad(n::text, 16, '0'), 1000000, '{}' FROM ${EACH_ROW}`,
  ...['key_audit', 'account_audit'].map(
    (table) => `INSERT INTO ${table} (account, at_ms, id, action, subject, via)
   SELECT ${NAME}, n, 'au_' || lpad(a::text, 8, '0') || lpad(n::text, 8, '0'), 'key.created', 'key', 'api' FROM ${EACH_ROW}`,
  ),
  `INSERT INTO api_keys (account, id, hash, key_start, scopes, created_at_ms)
   SELECT ${NAME}, 'key_' || lpad(a::text, 8, '0') || lpad(n::text, 8, '0'), lpad(a::text, 32, '0') || lpad(n::text, 32, '0'), 'tk_live_aaaaaa', 'read', 0 FROM ${EACH_ROW}`,
  `INSERT INTO api_keys (account, id, kind, hash, key_start, scopes, created_at_ms, expires_at_ms, person, code_expires_at_ms)
   SELECT ${NAME}, 'ses_' || lpad(a::text, 8, '0') || lpad(n::text, 8, '0'), 'session', lpad(a::text, 32, 'f') || lpad(n::text, 32, '0'), 'ts_code_aaaaaa', 'read', n, n, 'person-' || n % 5, n FROM ${EACH_ROW}`,
  `INSERT INTO webhook_endpoints (ordered, created_at_ms, version, replay_version, acknowledged_sequence, account, id, url, secret)
   SELECT 0, n, 1, 0, 0, ${NAME}, 'we_' || lpad(n::text, 16, '0'), 'https://example.com', 'whsec_' || repeat('a', 32) FROM ${EACH}, generate_series(1, 4) AS n`,
  `INSERT INTO webhook_failures (sequence, attempts, first_failed_at_ms, last_failed_at_ms, next_attempt_at_ms, account, endpoint_id, error)
   SELECT n, 1, 0, 0, 1, ${NAME}, 'we_' || lpad('1', 16, '0'), 'failed' FROM ${EACH_ROW}`,
];

export const LARGE_TABLES = [...new Set(FILL_TABLES.map((sql) => /INTO (\w+)/.exec(sql)?.[1] as string))];
