import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { jsonLines } from '../rig/data/json-lines.ts';
import { GIVE_UP_MS } from '../rig/run/give-up.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { createDatabase, createKey, run, runProgram, startServe } from '../rig/service/process.ts';

/** Has a correct checksum. */
const API_KEY = 'tk_live_0000000000000000000000000000002C8GjS';
const KEY = /^tk_live_[0-9A-Za-z]{36}$/;
/** A program that ends when a thread is started. */
const WITHOUT_THREADS = [
  '--import',
  'data:text/javascript,import threads from "node:worker_threads"; import { syncBuiltinESMExports } from "node:module"; threads.Worker = class { constructor() { process.exit(99); } }; syncBuiltinESMExports();',
];

describe('keys', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(async () => {
    folder = temporaryFolder();
    await createDatabase({ cwd: folder.path });
  });
  afterEach(() => folder.remove());

  const keys = (...args: string[]) => run(['keys', ...args], { cwd: folder.path });

  test('create prints only the key to standard output, and its id to standard error', async () => {
    const { status, stdout, stderr } = await keys('create', '--account', 'store-1');
    assert.equal(status, 0);
    assert.match(stdout.trim(), KEY);
    assert.match(stderr, /only time that the key is shown.*transactions keys revoke key_/);
  });

  test('create, roll and revoke start no thread, which takes longer than what they write', async () => {
    const alone = async (...args: string[]) => {
      const options = { cwd: folder.path, nodeOptions: WITHOUT_THREADS };
      const { status, stdout, stderr } = await runProgram(['keys', ...args], options);
      assert.equal(status, 0, `${args[0]}: ${stderr}`);
      return stdout;
    };
    const { id } = JSON.parse(await alone('create', '--account', 'store-1', '--json'));
    await alone('roll', id);
    await alone('revoke', id);
    const states = jsonLines((await keys('list', '--json')).stdout).map(({ state }) => state);
    assert.deepEqual(states.sort(), ['active', 'revoked']);
  });

  test('the audit trail has who made, rolled and revoked a key, and never the key', async () => {
    const created = JSON.parse((await keys('create', '--account', 'store-1', '--json')).stdout);
    const rolled = JSON.parse((await keys('roll', created.id, '--json')).stdout);
    for (let times = 0; times < 2; times++) await keys('revoke', created.id);
    const audit = async (...args: string[]) => (await run(['audit', ...args], { cwd: folder.path })).stdout;
    const by = { account: 'store-1', subject: created.id, via: 'command', address: null };
    const actor = process.env['SUDO_USER'] ?? userInfo().username;
    const json = await audit('--json');
    assert.deepEqual(
      jsonLines(json).map(({ id: _, at: __, ...entry }) => entry),
      [
        { ...by, action: 'key.created', detail: { scopes: ['read'], expiresAt: null }, actor },
        {
          ...by,
          action: 'key.rolled',
          detail: { newKeyId: rolled.id, acceptedUntil: rolled.replaced.expiresAt },
          actor,
        },
        { ...by, action: 'key.revoked', detail: null, actor },
      ],
    );
    const table = (await audit('--account', 'store-1')).trim().split('\n');
    assert.equal(table.length, 4);
    assert.match(table[0] as string, /^AT +ACTION +ACCOUNT +ID +VIA +BY +DETAIL$/);
    for (const { key } of [created, rolled])
      assert.ok(![json, ...table].some((text) => text.includes(key.slice(8, -6))));
    assert.equal(await audit('--account', 'store-2'), '');
  });

  test('a backup brings a revoked key back to life, and the audit trail of the lost database or the log revokes it again', async () => {
    const { id } = JSON.parse((await keys('create', '--account', 'store-1', '--json')).stdout);
    const live = `${folder.path}/data/transactions.db`;
    copyFileSync(live, `${folder.path}/backup.db`);
    await run(['keys', 'revoke', id], { cwd: folder.path, env: { SUDO_USER: 'u'.repeat(300) } });
    const trail = (await run(['audit', '--json'], { cwd: folder.path })).stdout;
    writeFileSync(`${folder.path}/audit.ndjson`, trail);
    const [, revoked] = jsonLines(trail);
    assert.equal(revoked?.['actor'], 'u'.repeat(200));
    const logged = JSON.stringify({ level: 30, status: 204, audit: revoked, msg: 'request' });
    // As a collector of logs has it, among lines of others.
    writeFileSync(
      `${folder.path}/service.log`,
      `started\n{"level":30}\nhost {svc}: ${logged}\n{"audit":{"id":"x"}}`,
    );
    writeFileSync(`${folder.path}/docker.log`, JSON.stringify({ log: `${logged}\n`, stream: 'stdout' }));
    // The last line was cut.
    writeFileSync(`${folder.path}/cut.log`, `${logged}\n${logged.slice(0, -20)}`);
    for (const file of ['audit.ndjson', 'service.log', 'docker.log', 'cut.log']) {
      const isCut = file === 'cut.log';
      copyFileSync(`${folder.path}/backup.db`, live);
      for (const end of ['-wal', '-shm']) rmSync(live + end, { force: true });
      const state = async () => jsonLines((await keys('list', '--json')).stdout)[0]?.['state'];
      assert.equal(await state(), 'active');
      const repeat = () => run(['audit', 'repeat', file], { cwd: folder.path });
      const first = await repeat();
      assert.match(
        first.stdout,
        new RegExp(`^Repeated: key\\.revoked ${id} of store-1 at \\S+ by .+\\.\\n$`),
      );
      assert.match(first.stderr, /: 1 repeated, 0 left to do by hand\.\n/);
      assert.equal(first.stderr.includes('1 line with the id of an entry could not be read'), isCut);
      assert.equal(await state(), 'revoked');
      assert.deepEqual([(await repeat()).stdout, first.status], ['', isCut ? 1 : 0]);
    }
    const both = await run(['audit', 'repeat', 'service.log', 'docker.log'], { cwd: folder.path });
    assert.match(both.stderr, /^1 entry, of which this database has 0: 0 repeated, 0 left to do by hand\.$/m);
    writeFileSync(`${folder.path}/other.txt`, 'nothing\n');
    const none = await run(['audit', 'repeat', 'other.txt'], { cwd: folder.path });
    assert.deepEqual([none.status, none.stdout], [1, '']);
    assert.match(none.stderr, /no entry of an audit trail/);
    for (const args of [
      ['audit', '--account', 'store-1', 'repeat', 'service.log'],
      ['audit', 'repeat', 'service.log', '--account', 'store-1'],
    ]) {
      const refused = await run(args, { cwd: folder.path });
      assert.deepEqual([refused.status, refused.stdout], [2, '']);
      assert.match(
        refused.stderr,
        /^"audit repeat" has no option --account: it is for the changes of all accounts\.\n$/,
      );
    }
    const missing = await run(['audit', 'repeat', 'missing.log'], { cwd: folder.path });
    assert.deepEqual([missing.status, missing.stderr], [1, 'There is no file "missing.log".\n']);
  });

  test('create --json, list --json and list show the same properties', async () => {
    const created = JSON.parse(
      (await keys('create', '--account', 'store-1', '--label', 'till 4', '--expires', '2999-01-31', '--json'))
        .stdout,
    );
    assert.match(created.key, KEY);
    assert.match(created.id, /^key_[0-9A-Za-z]{16}$/);
    assert.equal(created.account, 'store-1');
    assert.equal(created.expiresAt, '2999-01-31T00:00:00.000Z');
    await keys('create', '--account', 'store-2');

    assert.equal(created.keyStart, created.key.slice(0, 14));
    const { key: _, ...properties } = created;
    const listed = jsonLines((await keys('list', '--account', 'store-1', '--json')).stdout);
    const untouched = { revokedAt: null, rolledAt: null, lastUsedAt: null };
    assert.deepEqual(listed, [{ ...properties, state: 'active', ...untouched }]);
    assert.equal(jsonLines((await keys('list', '--json')).stdout).length, 2);

    const table = (await keys('list')).stdout.trim().split('\n');
    assert.equal(table.length, 3);
    assert.match(table[0] as string, /^ID +KEY +ACCOUNT +SCOPES +STATE +CREATED +EXPIRES +LAST USED +LABEL$/);
    assert.match(
      table[1] as string,
      /^key_\S+ +tk_live_\w{6}\.\.\. +store-1 +read +active .* never +till 4$/,
    );
  });

  test('list fits a terminal of 80 characters and less, and a file has one line for each key', async () => {
    await keys('create', '--account', 'a'.repeat(64), '--label', 'x'.repeat(100), '--expires', '2999-01-31');
    const { stdout } = await keys('list');
    assert.equal(stdout.trim().split('\n').length, 2);
    for (const width of [80, 60, 40]) {
      const shown = await run(['keys', 'list'], { cwd: folder.path, env: { COLUMNS: String(width) } });
      const lines = shown.stdout.split('\n');
      assert.ok(lines.every(({ length }) => length <= width) && lines.length > 9, shown.stdout);
      assert.equal(shown.stdout.replaceAll(/\s+/g, '').includes('x'.repeat(100)), true);
    }
  });

  test('create takes scopes, and the prefix of the accounts of an operator key; list shows both', async () => {
    const create = async (...args: string[]) => JSON.parse((await keys('create', ...args, '--json')).stdout);
    const both = await create('--account', 'store-1', '--scopes', 'webhooks, read');
    assert.deepEqual([both.scopes, both.accountPrefix], [['read', 'webhooks'], null]);
    const operator = await create('--operator');
    assert.deepEqual([operator.scopes, operator.accountPrefix], [['record', 'keys'], null]);
    const shop = await create('--operator', '--scopes', 'record', '--account-prefix', 'shop-');
    assert.deepEqual([shop.scopes, shop.accountPrefix], [['record'], 'shop-']);

    const listed: { id: string }[] = jsonLines((await keys('list', '--json')).stdout);
    for (const { key: _, ...properties } of [both, operator, shop]) {
      const untouched = { state: 'active', revokedAt: null, rolledAt: null, lastUsedAt: null };
      assert.deepEqual(
        listed.find(({ id }) => id === properties.id),
        { ...properties, ...untouched },
      );
    }
    const table = (await keys('list')).stdout;
    assert.match(table, / shop-\* +record +active /);
    assert.match(table, / store-1 +read,webhooks +active /);
  });

  test('roll prints a new key with the same properties, and when the old one ends', async () => {
    const create = async (...args: string[]) => JSON.parse((await keys('create', ...args, '--json')).stdout);
    const old = await create(
      '--operator',
      '--scopes',
      'keys',
      '--account-prefix',
      'shop-',
      '--label',
      'shop',
    );
    const before = Date.now();
    const rolled = JSON.parse((await keys('roll', old.id, '--grace', '90s', '--json')).stdout);
    const { id, key, keyStart, createdAt, replaced, ...properties } = rolled;
    const { id: _, key: __, keyStart: ___, createdAt: ____, ...expected } = old;
    assert.equal(keyStart, key.slice(0, 18));
    assert.deepEqual(properties, expected);
    assert.match(key, /^tk_operator_[0-9A-Za-z]{36}$/);
    assert.equal(Date.parse(createdAt) + 90_000, Date.parse(replaced.expiresAt));
    assert.ok(Date.parse(createdAt) >= before);
    assert.equal(replaced.id, old.id);

    const again = await keys('roll', id, '--expires', '2999-01-31');
    assert.match(again.stdout.trim(), /^tk_operator_[0-9A-Za-z]{36}$/);
    assert.match(
      again.stderr,
      new RegExp(`only time that the new key.*key_\\w{16}\\. The old key, ${id}, is accepted until \\d{4}-`),
    );
    const listed = jsonLines((await keys('list', '--json')).stdout);
    assert.deepEqual(
      listed.map(({ state }: { state: string }) => state),
      ['active', 'active', 'active'],
    );
    assert.ok(
      listed.some(({ expiresAt }: { expiresAt: string }) => expiresAt === '2999-01-31T00:00:00.000Z'),
    );
  });

  test('roll of a key that is revoked fails, and makes none', async () => {
    const { id } = JSON.parse((await keys('create', '--account', 'store-1', '--json')).stdout);
    await keys('revoke', id);
    const { status, stdout, stderr } = await keys('roll', id);
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, /is revoked or has expired, so it cannot be rolled/);
    assert.equal(jsonLines((await keys('list', '--json')).stdout).length, 1);
  });

  test('an account whose id begins like a key has keys', async () => {
    const { id } = JSON.parse((await keys('create', '--account', 'tk_live_north', '--json')).stdout);
    const listed = jsonLines((await keys('list', '--account', 'tk_live_north', '--json')).stdout);
    assert.deepEqual(
      listed.map((key: { id: string }) => key.id),
      [id],
    );
  });

  test('only the hash of a key, and how it begins, are stored', async () => {
    const key = await createKey('store-1', { cwd: folder.path });
    const file = readFileSync(`${folder.path}/data/transactions.db`);
    assert.ok(file.includes(key.slice(0, 14)) && !file.includes(key.slice(8)));
    assert.ok(file.includes('store-1'));
  });

  // The simulation tests that this takes at most a second: a busy machine does not stretch its time.
  test('a revoked key is soon refused by a running service', { timeout: GIVE_UP_MS }, async () => {
    const served = await startServe({ cwd: folder.path });
    try {
      const { id, key } = JSON.parse((await keys('create', '--account', 'store-1', '--json')).stdout);
      const send = async () =>
        (await fetch(`${served.url}/v1/transactions`, { headers: { authorization: `Bearer ${key}` } }))
          .status;
      assert.equal(await send(), 200);
      const revoked = await keys('revoke', id);
      assert.equal(revoked.stdout, `${id} of account store-1 is revoked.\n`);
      while ((await send()) !== 401) await delay(50);
      assert.equal((await keys('revoke', id)).status, 0);
      assert.match((await keys('list')).stdout, /revoked/);
    } finally {
      await served.stop();
    }
  });

  test('revoke reads the key itself from standard input, of an account or the operator, and prints its id', async () => {
    for (const owner of [['--account', 'store-1'], ['--operator']]) {
      const { id, key, account } = JSON.parse((await keys('create', ...owner, '--json')).stdout);
      const revoke = (stdin: string) => run(['keys', 'revoke', '-'], { cwd: folder.path, stdin });
      for (const wrong of ['', '\n', key.slice(0, -1), `x${key}`, key.repeat(100)]) {
        const refused = await revoke(wrong);
        assert.equal(refused.status, 2);
        assert.ok(!refused.stderr.includes(key.slice(8, 38)));
      }
      assert.equal((await revoke(` ${key}\r\nmore`)).stdout, `${id} of account ${account} is revoked.\n`);
      const listed = jsonLines((await keys('list', '--json')).stdout);
      assert.equal(listed.find((one: { id: string }) => one.id === id).state, 'revoked');
    }
  });

  test('revoke reports a key that does not exist', async () => {
    await createKey('store-1', { cwd: folder.path });
    const { status, stderr } = await run(['keys', 'revoke', '-'], { cwd: folder.path, stdin: API_KEY });
    assert.equal(status, 1);
    assert.match(stderr, /This key does not exist in this database/);
  });

  test('no command prints a key that was typed in the wrong place', async () => {
    const key = await createKey('store-1', { cwd: folder.path });
    for (const args of [
      ['revoke', key],
      ['revoke', key.slice(0, -1)],
      ['revoke', ` ${key}`],
      ['revoke', `${key.slice(0, -1)}-`],
      ['list', '--account', key],
      ['create', '--account', key],
      ['list', `--${key}`],
      [key],
    ]) {
      const { stdout, stderr } = await keys(...args);
      assert.ok(!(stdout + stderr).includes(key.slice(8, 38)), stderr);
    }
  });

  for (const [name, args, status, message] of [
    ['an invalid account', ['create', '--account', 'a b'], 2, /The account "a b" contains a character/],
    ['no account', ['create'], 2, /--account/],
    ['an invalid date', ['create', '--account', 'a', '--expires', 'soon'], 2, /"soon" is not a date/],
    ['a date that has passed', ['create', '--account', 'a', '--expires', '2020-01-01'], 2, /has passed/],
    ['an empty label', ['create', '--account', 'a', '--label', ''], 2, /label must be 1 to 100/],
    ['the account of the operator', ['create', '--account', '*'], 2, /The account "\*" contains a/],
    ['to list the keys of an invalid account', ['list', '--account', '*'], 2, /The account "\*" contains a/],
    [
      'to list the keys of an account that is a path segment',
      ['list', '--account', '..'],
      2,
      /The account is ".."/,
    ],
    ['to revoke what is not an id', ['revoke', 'tk_live_abc'], 2, /is not the id of a key/],
    ['to revoke a key in the command line', ['revoke', API_KEY], 2, /Write "-" and send the key to standard/],
    [
      'an API key as the account',
      ['create', '--account', API_KEY],
      2,
      /^The value of --account is an API key\./,
    ],
    [
      'a misspelt key as the account',
      ['create', '--account', `${API_KEY.slice(0, -1)}x`],
      2,
      /is an API key/,
    ],
    ['an API key as the account to list', ['list', '--account', API_KEY], 2, /is an API key/],
    ['to roll an unknown id', ['roll', 'key_0000000000000000'], 1, /No key has the id/],
    ['to roll by the key itself', ['roll', API_KEY], 2, /is not the id of a key/],
    [
      'a grace without a unit',
      ['roll', 'key_0000000000000000', '--grace', '24'],
      2,
      /--grace cannot be "24"; write 0/,
    ],
    ['a grace that is too long', ['roll', 'key_0000000000000000', '--grace', '31d'], 2, /at most 30d/],
    [
      'an unknown scope',
      ['create', '--account', 'a', '--scopes', 'read,write'],
      2,
      /has "write", which is not/,
    ],
    ['a scope of the operator', ['create', '--account', 'a', '--scopes', 'record'], 2, /has "record", which/],
    [
      'no scope',
      ['create', '--operator', '--scopes', ','],
      2,
      /has no scope; the scopes of an operator's key/,
    ],
    ['a prefix for an account', ['create', '--account', 'a', '--account-prefix', 'a'], 2, /add --operator/],
    [
      'a malformed prefix',
      ['create', '--operator', '--account-prefix', 'a b'],
      2,
      /The account prefix must be/,
    ],
    ['to revoke an unknown id', ['revoke', 'key_0000000000000000'], 1, /No key has the id/],
    ['an unknown option', ['list', '--acount', 'a'], 2, /Did you mean --account\?/],
  ] as const) {
    test(`refuses ${name}`, async () => {
      const outcome = await keys(...args);
      assert.equal(outcome.status, status);
      assert.match(outcome.stderr, message);
      assert.equal(outcome.stdout, '');
    });
  }
});
