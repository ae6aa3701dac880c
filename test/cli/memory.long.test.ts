import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { bucketOf } from '../../src/webhooks/webhook.ts';
import { csvFile, csvLine, sampleCsv } from '../rig/csv.ts';
import { tagged } from '../rig/isolation.ts';
import { createDatabase, importCsv, runProgram, startServe } from '../rig/process.ts';
import { temporaryFolder } from '../rig/temporary-folder.ts';

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
      bucket: bucketOf(account),
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
      attempt: 1,
      record: JSON.stringify({ ...started, startedAtMs: nowMs, attempt: 1 }),
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

describe('a heap of 128 MB is enough for 100,000 accounts, keys, endpoints, failures, exports and audit entries', () => {
  const folder = temporaryFolder();
  const options = { cwd: folder.path, env: { DATABASE_URL: 'sqlite:many.db' } };
  const inLittleMemory = (args: readonly string[]) => runProgram(args, { ...options, nodeOptions: HEAP });

  test('storing them', async () => {
    await createDatabase(options);
    await importCsv(sampleCsv((2 * MANY) / ENDPOINTS_WITH_FAILURES), options);
    fill(`${folder.path}/many.db`);
    writeFileSync(`${folder.path}/more.csv`, csvFile(csvLine({ account: 'store-1', reference: 'one-more' })));
  });

  const lines = (stdout: string) => stdout.trimEnd().split('\n').length;
  const commands: readonly (readonly [args: readonly string[], lines: number])[] = [
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
    [['backup', 'backup.db'], 1],
    [['copy', '--from', 'sqlite:many.db', '--to', 'sqlite:copied.db', '--keep-source'], 1],
  ];
  for (const [args, least] of commands)
    test(args.join(' '), async () => {
      const { status, stdout, stderr } = await inLittleMemory(args);
      assert.equal(status, 0, stderr);
      assert.ok(lines(stdout + stderr) >= least, `${lines(stdout + stderr)} lines`);
    });

  test('audit repeat', async () => {
    const { stdout, stderr: failed } = await inLittleMemory(['audit', '--json']);
    assert.equal(failed, '');
    writeFileSync(`${folder.path}/audit.ndjson`, stdout);
    const { status, stderr } = await inLittleMemory(['audit', 'repeat', 'audit.ndjson']);
    assert.equal(status, 0, stderr);
  });

  test('serve', async () => {
    const served = await startServe({ ...options, nodeOptions: HEAP });
    assert.equal((await fetch(`${served.url}/readyz`)).status, 200);
    assert.deepEqual(await served.stop(), { status: 0, signal: null });
  });

  test('erase', async () => {
    const { status, stderr } = await runProgram(['erase', '--account', 'store-1', '--yes'], {
      ...options,
      env: { ...options.env, REQUEST_TIMEOUT: '1000' },
      nodeOptions: HEAP,
    });
    assert.equal(status, 0, stderr);
  });
});
