import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { LAST_ACCOUNT } from '../../src/operate/copy/copy-reader.ts';
import { openCopyReader } from '../../src/store/open-store.ts';
import { createAccountKey } from '../crash/recording-load.ts';
import { CITUS_URL, makeCitusDatabase } from '../rig/database/citus.ts';
import { makePostgresDatabase } from '../rig/database/postgres.ts';
import { until } from '../rig/run/give-up.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import {
  call,
  createOperatorKey,
  outcomeOf,
  recordPending,
  run,
  startServe,
  walkList,
} from '../rig/service/process.ts';
import { recordChanges } from '../rig/webhooks/webhook-service.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const GUIDE = readFileSync(`${ROOT}/docs/moving.md`, 'utf8');
const COMMANDS = [...GUIDE.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, line = '']) => line.trim());
const [COPY = '', MOVE = '', START = '', VERIFY = ''] = COMMANDS;

const ACCOUNTS = ['store-1', 'store-2'] as const;
const namesOf = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

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

async function changesIn(url: string): Promise<number> {
  const opened = await openCopyReader(url);
  assert.ok('reader' in opened);
  const heads = await opened.reader.listHeads('', LAST_ACCOUNT, 10);
  await opened.reader.close();
  return heads.reduce((sum, { head }) => sum + head, 0);
}

async function move(t: TestContext, from: string, to: string): Promise<void> {
  const { path: cwd } = temporaryFolder(t);
  const optionsOf = (url: string) => ({ cwd, env: { DATABASE_URL: url, OPERATOR_PORT: '0' } });
  const env = { OLD: from, NEW: to };
  const service = await startServe(optionsOf(from), t);
  const operatorKey = await createOperatorKey(optionsOf(from));
  const key = await createAccountKey(service, operatorKey, ACCOUNTS[0]);
  await recordChanges(service, operatorKey, ACCOUNTS, namesOf('before', 25));

  const copy = follow(COPY, env, cwd);
  t.after(() => copy.kill('SIGKILL'));
  let copied = '';
  copy.stdout?.on('data', (piece) => (copied += piece));
  const copyEnd = outcomeOf(copy);
  await until(() => copied.includes('Nothing behind.') || copy.exitCode !== null);
  await recordChanges(service, operatorKey, ACCOUNTS, namesOf('meanwhile', 20));
  const later = await createAccountKey(service, operatorKey, ACCOUNTS[0]);
  await until(async () => copy.exitCode !== null || (await changesIn(to)) === 90);
  const refused = await run(['serve'], optionsOf(to));
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /target of a copy .* that has not ended/);
  const page = await call(`${service.url}/v1/transactions`, key);
  const { nextCursor } = (await page.json()) as { nextCursor: string };
  const restOf = ({ url }: { url: string }) => walkList(url, key, `cursor=${nextCursor}`);
  const rest = await restOf(service);
  assert.equal(rest.length, 35);

  execFileSync('sh', ['-c', MOVE], { env: { COPY_PID: String(copy.pid) } });
  const ended = await copyEnd;
  assert.equal(ended.status, 0, ended.stderr + ended.stdout);
  assert.match(
    ended.stderr,
    /^SIG(INT|TERM): the copy marks the source as moved, copies the rest and ends\./m,
  );
  assert.match(
    ended.stdout,
    /The source and the target have the same last change and the same seal of each account: 2 accounts with 90 changes\./,
  );
  assert.equal((await recordPending(service, operatorKey, 'refused')).status, 503);
  await service.stop();
  const left = await run(['serve'], optionsOf(from));
  assert.equal(left.status, 1);
  assert.match(left.stderr, /it was moved to /);

  assert.equal(START, 'DATABASE_URL="$NEW" npm start');
  const moved = await startServe(optionsOf(to), t);
  assert.deepEqual(await restOf(moved), rest);
  const verified = await outcomeOf(follow(VERIFY, env, cwd));
  assert.equal(verified.status, 0, verified.stderr);
  assert.match(verified.stdout, /: no disagreement\./);
  assert.equal((await recordPending(moved, operatorKey, 'after')).status, 201);
  const next = await call(`${moved.url}/v1/changes?after=45`, later);
  assert.equal(((await next.json()) as { lastSequence: number }).lastSequence, 46);
}

const sqliteUrl = (t: TestContext) => {
  const folder = temporaryFolder(t);
  return `sqlite:${folder.path}/transactions.db`;
};

test('the guide to moving has four commands', () => assert.equal(COMMANDS.length, 4));

test('the guide moves everything from SQLite to PostgreSQL', async (t) =>
  move(t, sqliteUrl(t), await makePostgresDatabase()));

test('the guide moves everything from PostgreSQL to SQLite', async (t) =>
  move(t, await makePostgresDatabase(), sqliteUrl(t)));

if (CITUS_URL !== undefined) {
  test('the guide moves everything from PostgreSQL to Citus', async (t) =>
    move(t, await makePostgresDatabase(), await makeCitusDatabase()));

  test('the guide moves everything from Citus to PostgreSQL', async (t) =>
    move(t, await makeCitusDatabase(), await makePostgresDatabase()));
}
