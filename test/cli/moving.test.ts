import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { LAST_ACCOUNT } from '../../src/operate/copy/copy-reader.ts';
import { openCopyReader } from '../../src/store/open-store.ts';
import { CITUS_URL, makeCitusDatabase } from '../rig/database/citus.ts';
import { makePostgresDatabase } from '../rig/database/postgres.ts';
import { GIVE_UP_MS } from '../rig/run/give-up.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { call, outcomeOf, type RunOptions, run, type Served } from '../rig/service/process.ts';
import { type Receiver, startReceiver } from '../rig/webhooks/receiver.ts';
import {
  createEndpoint,
  createOperatorKey,
  createWebhookKey,
  type Endpoint,
  readEndpoint,
  recordChanges,
  startWebhookService,
  until,
} from '../rig/webhooks/webhook-service.ts';

/*
 * Follows docs/moving.md with the commands of the document, one after the other, while the service records.
 */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const GUIDE = readFileSync(`${ROOT}/docs/moving.md`, 'utf8');
const COMMANDS = [...GUIDE.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, line = '']) => line.trim());
const [COPY = '', MOVE = '', START = '', VERIFY = ''] = COMMANDS;

const ACCOUNTS = ['store-1', 'store-2'] as const;
const namesOf = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);
const PAYMENT = {
  merchantReference: 'order-1',
  status: 'pending',
  amount: '24.50',
  currencyCode: 'USD',
  paidAt: null,
  createdAt: '2026-03-30T09:30:00.000Z',
};
const COMPLETED = { ...PAYMENT, status: 'completed', paidAt: '2026-03-30T09:31:00.000Z' };

/** Sends a request, and returns its status and its body, if any. */
async function send(url: string, key: string, method = 'GET', json?: object, idempotencyKey?: string) {
  const response = await call(url, key, {
    method,
    ...(json !== undefined && { json }),
    ...(idempotencyKey !== undefined && { headers: { 'idempotency-key': idempotencyKey } }),
  });
  const answer = await response.text();
  return { status: response.status, body: answer === '' ? undefined : JSON.parse(answer) };
}

/** Runs a command of the guide with its variables, in a folder without the program. */
function follow(line: string, env: Record<string, string>, cwd: string): ChildProcess {
  const program = `"${process.execPath}" "${ROOT}bin/transactions.js"`;
  const script = line.replace(
    /npx --no-install transactions|node_modules\/\.bin\/node bin\/transactions\.js/,
    program,
  );
  return spawn('sh', ['-c', script.replace(/^(?!DATABASE_URL)/, 'exec ')], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

interface Caller {
  operatorKey: string;
  /** Of the first account, with webhooks. */
  key: string;
  /** Of the second account: rolled while the copy follows, so that both are accepted. */
  rolledKey: string;
  revokedKey: { id: string; key: string };
  endpoint: Endpoint;
  receiver: Receiver;
}

/** What an account and the operator have at a service. */
async function startCalling(t: TestContext, service: Served, options: RunOptions): Promise<Caller> {
  const operatorKey = await createOperatorKey(options);
  const receiver = await startReceiver();
  t.after(() => receiver.close());
  const key = await createWebhookKey(service, operatorKey, ACCOUNTS[0]);
  const rolledKey = await createWebhookKey(service, operatorKey, ACCOUNTS[1]);
  const { body } = await send(`${service.operatorUrl}/v1/accounts/${ACCOUNTS[0]}/keys`, operatorKey, 'POST', {
    label: 'to revoke',
  });
  const endpoint = await createEndpoint(service, key, `${receiver.url}/hooks`);
  return { operatorKey, key, rolledKey, revokedKey: body, endpoint, receiver };
}

/** What callers see of a service: it is the same after the move. */
async function seenBy({ key, rolledKey }: Caller, { url }: Served, cursor: string) {
  const paths = [
    '/v1/transactions',
    `/v1/transactions?cursor=${cursor}`,
    '/v1/changes?after=3',
    '/v1/totals?from=2026-01-01&to=2026-12-31',
    '/v1/webhooks',
  ];
  const seen: unknown[] = [];
  for (const one of [key, rolledKey])
    for (const path of one === key ? paths : ['/v1/changes', '/v1/totals']) {
      const { status, body } = await send(`${url}${path}`, one);
      assert.equal(status, 200, JSON.stringify(body));
      // Each response seals its cursor again.
      seen.push({ path, ...body, nextCursor: body.nextCursor && 'a cursor' });
    }
  return seen;
}

/** The number of changes in a database that is copied to. */
async function changesIn(url: string): Promise<number> {
  const opened = await openCopyReader(url);
  assert.ok('reader' in opened);
  const heads = await opened.reader.listHeads('', LAST_ACCOUNT, 10);
  await opened.reader.close();
  return heads.reduce((sum, { head }) => sum + head, 0);
}

const sequencesOf = ({ received }: Receiver): number[] =>
  received.map(({ body }) => JSON.parse(body).data.sequence);

/** Records, completes, rolls and revokes, as a service does while its database is copied. Returns the response to a POST. */
async function recordMeanwhile(caller: Caller, service: Served) {
  const { operatorKey, rolledKey, revokedKey } = caller;
  const accounts = `${service.operatorUrl}/v1/accounts`;
  await recordChanges(service, operatorKey, ACCOUNTS, namesOf('meanwhile', 20));
  const completed = await send(`${accounts}/store-1/transactions/pay_1`, operatorKey, 'PUT', COMPLETED);
  assert.equal(completed.status, 200);
  const posted = await send(`${accounts}/store-1/transactions`, operatorKey, 'POST', PAYMENT, 'once');
  assert.equal(posted.status, 201);
  const keys = (await send(`${accounts}/store-2/keys`, operatorKey)).body.data as { id: string }[];
  assert.equal(keys.length, 1);
  const roll = await send(`${accounts}/store-2/keys/${keys[0]?.id}/roll`, operatorKey, 'POST', {});
  assert.equal(roll.status, 201, JSON.stringify(roll.body));
  const revoked = await send(`${accounts}/store-1/keys/${revokedKey.id}`, operatorKey, 'DELETE');
  assert.ok(revoked.status < 300);
  return { posted, rolledTo: roll.body.key as string, rolledKey };
}

async function move(t: TestContext, from: string, to: string): Promise<void> {
  const folder = temporaryFolder(t);
  const optionsOf = (url: string) => ({ cwd: folder.path, env: { DATABASE_URL: url } });
  const env = { OLD: from, NEW: to };
  const service = await startWebhookService(optionsOf(from), t);
  const caller = await startCalling(t, service, optionsOf(from));
  const { operatorKey, key, endpoint, receiver } = caller;
  await recordChanges(service, operatorKey, ACCOUNTS, namesOf('before', 25));
  const put = `${service.operatorUrl}/v1/accounts/store-1/transactions/pay_1`;
  assert.equal((await send(put, operatorKey, 'PUT', PAYMENT)).status, 201);

  const copy = follow(COPY, env, folder.path);
  t.after(() => copy.kill('SIGKILL'));
  let copied = '';
  copy.stdout?.on('data', (piece) => (copied += piece));
  const copyEnd = outcomeOf(copy);
  await until(() => copied.includes('Nothing behind.') || copy.exitCode !== null);
  const { posted, rolledTo } = await recordMeanwhile(caller, service);
  await until(async () => copy.exitCode !== null || (await changesIn(to)) === 48 + 45);
  const refused = await run(['serve'], optionsOf(to));
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /target of a copy .* that has not ended/);
  const { body: page } = await send(`${service.url}/v1/transactions`, key);
  await until(() => receiver.received.length === 48);
  await until(async () => (await readEndpoint(service, key, endpoint.id)).acknowledgedSequence === 48);
  const before = await seenBy(caller, service, page.nextCursor);

  execFileSync('sh', ['-c', MOVE], { env: { COPY_PID: String(copy.pid) } });
  const ended = await copyEnd;
  assert.equal(ended.status, 0, ended.stderr + ended.stdout);
  assert.match(
    ended.stderr,
    /^SIG(INT|TERM): the copy marks the source as moved, copies the rest and ends\./m,
  );
  assert.match(ended.stdout, /Both are equal: the heads and seals of 2 accounts with 93 changes\./);
  assert.equal((await send(`${put}0`, operatorKey, 'PUT', PAYMENT)).status, 503);
  await service.stop();
  const left = await run(['serve'], optionsOf(from));
  assert.equal(left.status, 1);
  assert.match(left.stderr, /it was moved to /);

  assert.equal(START, 'DATABASE_URL="$NEW" npm start');
  const moved = await startWebhookService(optionsOf(to), t);
  assert.deepEqual(await seenBy(caller, moved, page.nextCursor), before);
  const verified = await outcomeOf(follow(VERIFY, env, folder.path));
  assert.equal(verified.status, 0, verified.stderr);
  assert.match(verified.stdout, /: no disagreement\./);
  const transactions = `${moved.operatorUrl}/v1/accounts/store-1/transactions`;
  const repeated = await send(transactions, operatorKey, 'POST', PAYMENT, 'once');
  assert.deepEqual(repeated.body, posted.body);
  const other = await send(transactions, operatorKey, 'POST', { ...PAYMENT, amount: '1.00' }, 'once');
  assert.equal(other.body.code, 'idempotency_key_reused');
  assert.equal((await send(`${moved.url}/v1/changes`, caller.revokedKey.key)).status, 401);
  assert.equal((await send(`${moved.url}/v1/changes`, rolledTo)).status, 200);
  await recordChanges(moved, operatorKey, ACCOUNTS, ['after']);
  const { body: next } = await send(`${moved.url}/v1/changes?after=48`, key);
  assert.deepEqual(
    next.data.map((change: { sequence: number }) => change.sequence),
    [49],
  );
  // Each change is delivered once over the whole move.
  await until(() => receiver.received.length >= 49);
  assert.deepEqual(
    sequencesOf(receiver).sort((left, right) => left - right),
    Array.from({ length: 49 }, (_, index) => index + 1),
  );
}

const sqliteUrl = (t: TestContext) => {
  const folder = temporaryFolder(t);
  return `sqlite:${folder.path}/transactions.db`;
};

describe('the guide to moving', { timeout: GIVE_UP_MS }, () => {
  test('has four commands', () => assert.equal(COMMANDS.length, 4));

  test('moves everything from SQLite to PostgreSQL', async (t) =>
    move(t, sqliteUrl(t), await makePostgresDatabase()));

  test('moves everything from PostgreSQL to SQLite', async (t) =>
    move(t, await makePostgresDatabase(), sqliteUrl(t)));

  if (CITUS_URL !== undefined) {
    test('moves everything from PostgreSQL to Citus', async (t) =>
      move(t, await makePostgresDatabase(), await makeCitusDatabase()));

    test('moves everything from Citus to PostgreSQL', async (t) =>
      move(t, await makeCitusDatabase(), await makePostgresDatabase()));
  }
});
