import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { csvFile, csvLine, sampleCsv } from '../rig/data/csv.ts';
import { tagged } from '../rig/database/isolation.ts';
import { makePostgresDatabase } from '../rig/database/postgres.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { createDatabase, importCsv, runProgram, startServe } from '../rig/service/process.ts';

const MANY = 100_000;
const ENDPOINTS_WITH_FAILURES = 10;
const HEAP = ['--max-old-space-size=128'];

const keyId = (number: number) => `key_${1e15 + number}`;

function fill(path: string): void {
  using db = new DatabaseSync(path);
  const nowMs = Date.now();
  const insert = (table: string, columns: string, values: string, count = MANY) =>
    db.exec(
      `WITH RECURSIVE numbers (n, id) AS (SELECT 0, 1000000000000000 UNION ALL SELECT n + 1, id + 1 FROM numbers WHERE n < ${count - 1})
       INSERT INTO ${table} (${columns}) SELECT ${values} FROM numbers`,
    );
  const insertKeys = (account: string, from: number) =>
    insert(
      'api_keys',
      'account, id, hash, key_start, scopes, created_at_ms',
      `${account}, 'key_' || (id + ${from}), printf('%064d', n + ${from}), 'tk_live_aaaaaa', 'read', ${nowMs}`,
    );
  const insertEndpoints = (account: string, from: number, acknowledged: string, count = MANY) =>
    insert(
      'webhook_endpoints',
      'account, id, url, ordered, secret, created_at_ms, version, replay_version, acknowledged_sequence, failing_since_ms',
      `${account}, 'we_' || (id + ${from}), 'https://shop.example/webhooks', 0, 'whsec_${Buffer.alloc(24).toString('base64')}',
       ${nowMs}, 1, 0, ${acknowledged}, ${nowMs}`,
      count,
    );
  const AUDIT = 'account, action, subject, at_ms, id, via, actor';
  db.exec('BEGIN');
  insert('accounts', 'account, head_sequence', "'shop-' || n, 0");
  insertEndpoints("'shop-' || n", 0, '0');
  insertKeys("'store-1'", 0);
  insertKeys("'shop-' || n", MANY);
  insert(
    'key_audit',
    AUDIT,
    `'store-1', 'key.created', 'key_' || id, ${nowMs}, 'au_' || id, 'command', 'operator'`,
  );
  insert(
    'account_audit',
    AUDIT,
    `'shop-' || n, 'endpoint.created', 'we_' || id, ${nowMs}, 'au_' || (id + ${MANY}), 'command', 'operator'`,
  );
  insert(
    'exports',
    'account, id, started_at_ms, record',
    `'store-1', 'exp_' || id, ${nowMs}, json_object('account', 'store-1', 'id', 'exp_' || id, 'startedAtMs', ${nowMs})`,
  );
  const head = "(SELECT head_sequence FROM accounts WHERE account = 'store-1')";
  insertEndpoints("'store-1'", MANY, head, ENDPOINTS_WITH_FAILURES);
  insert(
    'webhook_failures',
    'account, endpoint_id, sequence, attempts, first_failed_at_ms, last_failed_at_ms, error',
    `'store-1', 'we_' || (1000000000000000 + ${MANY} + n % ${ENDPOINTS_WITH_FAILURES}), 1 + n / ${ENDPOINTS_WITH_FAILURES},
     10, ${nowMs}, ${nowMs}, 'connection refused'`,
  );
  db.exec('COMMIT');
}

const lines = (stdout: string) => stdout.trimEnd().split('\n').length;

type Command = readonly [args: readonly string[], lines: number];

const COMMANDS: readonly Command[] = [
  [['accounts'], MANY + 3],
  [['accounts', '--json'], MANY + 2],
  [['keys', 'list'], 2 * MANY + 1],
  [['keys', 'list', '--account', 'store-1', '--json'], MANY],
  [['keys', 'roll', keyId(1), '--grace', '1h'], 1],
  [['keys', 'revoke', keyId(2)], 1],
  [['audit'], 2 * MANY + 3],
  [['webhooks', 'list', '--failing', '--json'], MANY + ENDPOINTS_WITH_FAILURES],
  [['show', tagged('store-1', 'pay_0000000')], 1],
  [['import', 'more.csv'], 1],
  [['verify'], 1],
];

describe('a heap of 128 MB is enough for 100,000 accounts, keys, endpoints, failures, exports and audit entries', () => {
  const folder = temporaryFolder();
  const cwd = folder.path;
  const SQLITE = 'sqlite:many.db';
  let postgres: string;

  const inLittleMemory = (databaseUrl: string, args: readonly string[], env = {}) =>
    runProgram(args, { cwd, env: { DATABASE_URL: databaseUrl, ...env }, nodeOptions: HEAP });
  const succeeds = async (databaseUrl: string, [args, least]: Command) => {
    const { status, stdout, stderr } = await inLittleMemory(databaseUrl, args);
    assert.equal(status, 0, stderr);
    assert.ok(lines(stdout + stderr) >= least, `${lines(stdout + stderr)} lines`);
  };

  test('storing these rows', async () => {
    const options = { cwd, env: { DATABASE_URL: SQLITE } };
    await createDatabase(options);
    await importCsv(sampleCsv((2 * MANY) / ENDPOINTS_WITH_FAILURES), options);
    fill(`${cwd}/many.db`);
    writeFileSync(`${cwd}/more.csv`, csvFile(csvLine({ account: 'store-1', reference: 'one-more' })));
  });

  test('copy from SQLite to PostgreSQL', async () => {
    postgres = await makePostgresDatabase();
    await succeeds(SQLITE, [['copy', '--from', SQLITE, '--to', postgres, '--keep-source'], 1]);
  });

  test('copy from PostgreSQL to SQLite', () =>
    succeeds(postgres, [['copy', '--from', postgres, '--to', 'sqlite:copied.db', '--keep-source'], 1]));

  test('backup of SQLite', () => succeeds(SQLITE, [['backup', 'backup.db'], 1]));

  for (const store of ['SQLite', 'PostgreSQL'] as const) {
    const databaseUrl = () => (store === 'SQLite' ? SQLITE : postgres);

    for (const command of COMMANDS)
      test(`${command[0].join(' ')} on ${store}`, () => succeeds(databaseUrl(), command));

    test(`audit repeat on ${store}`, async () => {
      const { stdout, stderr: failed } = await inLittleMemory(databaseUrl(), ['audit', '--json']);
      assert.equal(failed, '');
      writeFileSync(`${cwd}/audit.ndjson`, stdout);
      const { status, stderr } = await inLittleMemory(databaseUrl(), ['audit', 'repeat', 'audit.ndjson']);
      assert.equal(status, 0, stderr);
    });

    test(`serve on ${store}`, async () => {
      const env = { DATABASE_URL: databaseUrl() };
      const served = await startServe({ cwd, env, nodeOptions: HEAP });
      assert.equal((await fetch(`${served.url}/readyz`)).status, 200);
      assert.deepEqual(await served.stop(), { status: 0, signal: null });
    });

    test(`erase on ${store}`, async () => {
      const args = ['erase', '--account', 'store-1', '--yes'];
      const { status, stderr } = await inLittleMemory(databaseUrl(), args, { REQUEST_TIMEOUT: '1000' });
      assert.equal(status, 0, stderr);
    });
  }
});
