import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
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

/** 16 digits, as an id has. */
const digits = (number: number) => String(1e15 + number);
const keyId = (number: number) => `key_${digits(number)}`;
const endpointId = (number: number) => `we_${digits(number)}`;
const SECRET = `whsec_${Buffer.alloc(24).toString('base64')}`;

/** Stores 100,000 accounts with a key each, keys of one account, failing endpoints, failures, exports and entries of the audit trail. */
function fill(path: string): void {
  const db = new DatabaseSync(path);
  const nowMs = Date.now();
  const insert = (table: string, row: Record<string, string | number | null>) =>
    db
      .prepare(
        `INSERT INTO ${table} (${Object.keys(row).join()}) VALUES (${Object.keys(row)
          .map(() => '?')
          .join()})`,
      )
      .run(...Object.values(row));
  const endpoint = (account: string, number: number, acknowledged: number) =>
    insert('webhook_endpoints', {
      account,
      id: endpointId(number),
      url: 'https://shop.example/webhooks',
      ordered: 0,
      secret: SECRET,
      created_at_ms: nowMs,
      version: 1,
      replay_version: 0,
      acknowledged_sequence: acknowledged,
      failing_since_ms: nowMs,
    });
  const key = (account: string, number: number) =>
    insert('api_keys', {
      account,
      id: keyId(number),
      hash: randomBytes(32).toString('hex'),
      key_start: 'tk_live_aaaaaa',
      scopes: 'read',
      created_at_ms: nowMs,
    });
  db.exec('BEGIN');
  for (let number = 0; number < MANY; number++) {
    const account = `shop-${number}`;
    insert('accounts', { account, head_sequence: 0 });
    endpoint(account, number, 0);
    key('store-1', number);
    key(account, MANY + number);
    const entry = { at_ms: nowMs, id: `au_${digits(number)}`, via: 'command', actor: 'operator' };
    insert('key_audit', { account: 'store-1', action: 'key.created', subject: keyId(number), ...entry });
    insert('account_audit', {
      account,
      action: 'endpoint.created',
      subject: endpointId(number),
      ...entry,
      id: `au_${digits(MANY + number)}`,
    });
    const started = { account: 'store-1', id: `exp_${digits(number)}` };
    insert('exports', {
      ...started,
      started_at_ms: nowMs,
      record: JSON.stringify({ ...started, startedAtMs: nowMs }),
    });
  }
  const { head_sequence: head } = db
    .prepare("SELECT head_sequence FROM accounts WHERE account = 'store-1'")
    .get() as { head_sequence: number };
  for (let number = 0; number < ENDPOINTS_WITH_FAILURES; number++) {
    endpoint('store-1', MANY + number, head);
    for (let sequence = 1; sequence <= MANY / ENDPOINTS_WITH_FAILURES; sequence++)
      insert('webhook_failures', {
        account: 'store-1',
        endpoint_id: endpointId(MANY + number),
        sequence,
        attempts: 10,
        first_failed_at_ms: nowMs,
        last_failed_at_ms: nowMs,
        error: 'connection refused',
      });
  }
  db.exec('COMMIT');
  db.close();
}

const lines = (stdout: string) => stdout.trimEnd().split('\n').length;

/** The least number of lines that it prints. */
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

  test('storing them', async () => {
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
