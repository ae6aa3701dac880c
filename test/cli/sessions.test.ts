import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, test } from 'node:test';
import { makeApiKey } from '../../src/keys/api-key.ts';
import { keyCreated } from '../../src/keys/audited-keys.ts';
import { exchangeCode } from '../../src/keys/session.ts';
import { secureRandomBytes } from '../../src/service/random-bytes.ts';
import { openStore } from '../../src/store/open-store.ts';
import { jsonLines } from '../rig/data/json-lines.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { createDatabase, run } from '../rig/service/process.ts';
import { someStamp } from '../rig/store/audit.ts';

let folder: ReturnType<typeof temporaryFolder>;
let cwd: string;
beforeEach(async () => {
  folder = temporaryFolder();
  cwd = folder.path;
  await createDatabase({ cwd });
});
afterEach(() => folder.remove());

const PUBLIC_URL = 'https://payments.example/';
const command = (...args: string[]) => run(args, { cwd, env: { PUBLIC_URL } });
const ADA = ['--account', 'store-1', '--person', 'ada@shop.example'];
const create = async (...args: string[]) => {
  const { status, stdout, stderr } = await command('sessions', 'create', ...ADA, ...args, '--json');
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
};
/** Exchanges a code as the service does. Returns the key. */
async function open(code: string): Promise<string | undefined> {
  const { store } = await openStore(`sqlite:${cwd}/data/transactions.db`, Date.now);
  const stamp = () => ({ ...someStamp(Date.now()), via: 'api' as const });
  const opened = await exchangeCode(store, code, stamp, secureRandomBytes);
  await store.close();
  return opened?.key;
}
/** Changes something as a request of a session does. */
async function changeSomething(actor: string): Promise<void> {
  const { store } = await openStore(`sqlite:${cwd}/data/transactions.db`, Date.now);
  const wanted = { account: 'store-1', label: null, expiresAtMs: null, scopes: ['read'] as const };
  const { stored } = makeApiKey(wanted, Date.now(), secureRandomBytes);
  await store.createApiKey(stored, keyCreated(stored, { ...someStamp(Date.now()), via: 'api', actor }));
  await store.close();
}
const listed = async (...args: string[]) => {
  const { stdout } = await command('sessions', 'list', '--account', 'store-1', ...args, '--json');
  return jsonLines(stdout).map(({ person, state, reason }) => [person, state, reason]);
};

test('create prints only the address to standard output, or the code without PUBLIC_URL', async () => {
  const { status, stdout, stderr } = await command('sessions', 'create', ...ADA);
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^https:\/\/payments\.example\/#session=ts_code_[0-9A-Za-z]{36}\n$/);
  assert.match(stderr, /works once, until .* lasts until .* transactions sessions end ses_/);
  assert.match(stderr, /The account store-1 is new/);
  const plain = await run(['sessions', 'create', ...ADA], { cwd });
  assert.match(plain.stdout, /^ts_code_[0-9A-Za-z]{36}\n$/);
  await command('keys', 'create', '--account', 'store-1');
  assert.doesNotMatch((await command('sessions', 'create', ...ADA)).stderr, /is new/);
});

test('a session is created with its options, opened once, listed and ended', async () => {
  const { code, id, ...created } = await create(
    ...['--scopes', 'webhooks,read', '--expires', '30m', '--reason', 'ticket 1014'],
  );
  assert.deepEqual([created.scopes, created.reason], [['read', 'webhooks'], 'ticket 1014']);
  assert.equal(Date.parse(created.expiresAt) - Date.parse(created.createdAt), 1_800_000);
  assert.deepEqual(await listed(), [['ada@shop.example', 'waiting', 'ticket 1014']]);
  assert.ok(await open(code));
  assert.equal(await open(code), undefined);
  assert.deepEqual(await listed('--person', 'ada@shop.example'), [
    ['ada@shop.example', 'open', 'ticket 1014'],
  ]);
  assert.deepEqual(await listed('--person', 'ben'), []);
  assert.match((await command('sessions', 'list', '--account', 'store-1')).stdout, /staff or a command$/m);
  assert.equal((await command('sessions', 'end', id)).status, 0);
  assert.deepEqual(await listed(), [['ada@shop.example', 'ended', 'ticket 1014']]);
});

test('all sessions of a person end, and a leaked key of a session by the key itself', async () => {
  const { code } = await create();
  await create();
  const other = JSON.parse(
    (await command('sessions', 'create', '--account', 'store-1', '--person', 'ben', '--json')).stdout,
  );
  const ended = await command('sessions', 'end', ...ADA);
  assert.equal(ended.stdout, '2 sessions of account store-1 ended.\n');
  assert.equal(await open(code), undefined);
  const key = (await open(other.code)) as string;
  const revoked = await run(['keys', 'revoke', '-'], { cwd, stdin: `${key}\n` });
  assert.deepEqual([revoked.status, revoked.stdout.includes(key)], [0, false]);
  assert.deepEqual(
    (await listed()).map(([, state]) => state),
    ['ended', 'ended', 'ended'],
  );
});

test('verify and a backup accept sessions in every state, and the entries of their ends', async () => {
  const { id } = await create();
  const { code } = await create();
  assert.ok(await open(code));
  await create();
  assert.equal((await command('sessions', 'end', id)).status, 0);
  assert.equal((await command('sessions', 'end', ...ADA)).status, 0);
  const { status, stdout } = await command('verify');
  assert.equal(status, 0, stdout);
});

test('wrong options are refused, and neither a code nor a key in the place of an id is printed', async () => {
  const { code } = await create();
  for (const [args, message] of [
    [['create', '--account', 'store-1'], /--person/],
    [['create', ...ADA, '--expires', '13h'], /--expires cannot be "13h"; write a number with s, m or h/],
    [['create', ...ADA, '--expires', '59s'], /--expires cannot be "59s"/],
    [['create', ...ADA, '--scopes', 'record'], /--scopes has "record", which is not a scope/],
    [['create', ...ADA, '--reason', ''], /The reason must be 1 to 255 characters/],
    [['end'], /Write the id of a session, or --account ID and --person TEXT/],
    [['end', '--account', 'store-1'], /Write the id of a session/],
    [['end', code], /not the id of a session/],
  ] as const) {
    const { status, stderr } = await command('sessions', ...args);
    assert.equal(status, 2, stderr);
    assert.match(stderr, message);
    assert.ok(!stderr.includes(code));
  }
  const unknown = await command('sessions', 'end', 'ses_0000000000000000');
  assert.equal(unknown.status, 1);
  assert.match(unknown.stderr, /No session has the id ses_0000000000000000/);
});

test('audit --person has who looked at which account, and why', async () => {
  const { code, id } = await create('--reason', 'ticket 1014');
  await open(code);
  await changeSomething(id);
  await changeSomething('ses_0000000000000000');
  await command('sessions', 'create', '--account', 'store-2', '--person', 'ben');
  await command('sessions', 'end', id);
  const { stdout } = await command('audit', '--person', 'ada@shop.example', '--json');
  assert.deepEqual(
    jsonLines(stdout).map(({ action, account, subject, detail, actor }) =>
      subject === id ? [action, account, detail.reason] : [action, actor],
    ),
    [
      ['session.created', 'store-1', 'ticket 1014'],
      ['session.opened', 'store-1', 'ticket 1014'],
      ['key.created', id],
      ['session.ended', 'store-1', 'ticket 1014'],
    ],
  );
  const none = await command('audit', '--person', 'nobody');
  assert.deepEqual([none.stdout, none.stderr.includes('This person had no session.')], ['', true]);
});

test("access has who can reach an account now: its keys, its sessions and the operator's keys for it", async () => {
  await command('keys', 'create', '--account', 'store-1');
  const { id: revoked } = JSON.parse(
    (await command('keys', 'create', '--account', 'store-1', '--json')).stdout,
  );
  await command('keys', 'revoke', revoked);
  const { code } = await create('--reason', 'ticket 1014');
  await open(code);
  const { id: over } = await create();
  await command('sessions', 'end', over);
  await command('keys', 'create', '--operator', '--label', 'recorder');
  await command('keys', 'create', '--operator', '--account-prefix', 'shop-');
  await command('keys', 'create', '--operator', '--account-prefix', 'store-', '--scopes', 'sessions');
  const { stdout } = await command('access', '--account', 'store-1', '--json');
  assert.deepEqual(
    jsonLines(stdout).map(({ access, name, scopes, reason }) => [access, name, scopes.join(), reason]),
    [
      ['key', null, 'read', null],
      ['session', 'ada@shop.example', 'read', 'ticket 1014'],
      ["operator's key", 'recorder', 'record,keys', null],
      ["operator's key", null, 'sessions', null],
    ],
  );
  const nobody = await command('access', '--account', 'shops');
  assert.match(nobody.stdout, /recorder/);
  assert.match(nobody.stderr, /No role of staff is listed/);
  const [titles = '', ...rows] = (await command('access', '--account', 'store-1')).stdout.trim().split('\n');
  for (const row of rows) assert.equal(row[titles.indexOf('SCOPES') - 1], ' ', row);
});

test('access has the roles of staff that can reach the account, by the settings', async () => {
  const env = {
    OIDC_ROLES: 'groups:support=read,groups:eu=read+audit@store-,groups:us=read@us-,groups:audit=audit',
  };
  const { stdout } = await run(['access', '--account', 'store-1', '--json'], { cwd, env });
  assert.deepEqual(
    jsonLines(stdout).map(({ access, id, scopes, accountPrefix }) => [
      access,
      id,
      scopes.join(),
      accountPrefix,
    ]),
    [
      ['role', 'groups:support', 'read', null],
      ['role', 'groups:eu', 'read,audit', 'store-'],
    ],
  );
});

test('after a restore, "audit repeat" ends every session, and leaves the entries of sessions alone', async () => {
  const { code } = await create();
  await open(code);
  await create();
  writeFileSync(`${cwd}/audit.ndjson`, (await command('audit', '--json')).stdout);
  const repeated = await command('audit', 'repeat', 'audit.ndjson');
  assert.equal(repeated.status, 0, repeated.stderr);
  assert.match(repeated.stdout, /^Ended: 2 sessions/);
  assert.deepEqual(
    (await listed()).map(([, state]) => state),
    ['ended', 'ended'],
  );
  const again = await command('audit', 'repeat', 'audit.ndjson');
  assert.equal(again.stdout, '');
});
