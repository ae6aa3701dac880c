import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { jsonLines } from '../rig/data/json-lines.ts';
import { until } from '../rig/run/give-up.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { someInTier } from '../rig/run/tier.ts';
import { call, recordPending, run, startServe, walkList } from '../rig/service/process.ts';
import { createAccountKey, RecordingLoad, type Service, serviceIn } from './recording-load.ts';

const REFUSED = /requests are refused: the database file was moved/;

async function accountIn(t: TestContext, args: readonly string[] = []) {
  const service = await serviceIn(t, { args });
  const key = await createAccountKey(service.served, service.operatorKey, 'store-1');
  return { ...service, key, path: `${service.options.cwd}/data/transactions.db` };
}

async function logged({ served }: Service, pattern: RegExp): Promise<void> {
  await until(() => pattern.test(served.logged()));
}

const statusOf = async (url: string, key: string) => (await call(url, key)).status;

const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);

async function refusesEverything(service: Awaited<ReturnType<typeof accountIn>>): Promise<void> {
  const { served, key, operatorKey } = service;
  await logged(service, REFUSED);
  for (const path of ['/v1/transactions', '/v1/changes', '/v1/totals', '/v1/transactions/none'])
    assert.equal(await statusOf(`${served.url}${path}`, key), 503, path);
  for (const url of [served.url, served.operatorUrl]) {
    assert.equal(await statusOf(`${url}/readyz`, key), 503);
    assert.equal(await statusOf(`${url}/livez`, key), 200);
  }
  const recorded = await recordPending(served, operatorKey, 'late');
  assert.equal(recorded.status, 503);
}

for (const ending of someInTier(['', '-wal', '-shm'], 1))
  test(`transactions.db${ending} is moved under load: nothing is acknowledged afterwards, and the service works again when it is put back`, async (t) => {
    const service = await accountIn(t);
    const { served, options, operatorKey, path } = service;
    const load = new RecordingLoad('store-1');
    load.start(served.operatorUrl, operatorKey);
    t.after(() => load.stop());
    await until(() => load.acknowledged.size > 50);

    renameSync(`${path}${ending}`, `${path}${ending}.away`);
    await logged(service, REFUSED);
    const { size } = load.acknowledged;
    const refused = load.unavailable;
    await refusesEverything(service);
    await until(() => load.unavailable > refused + 50);
    assert.equal(load.acknowledged.size, size, 'a recording was acknowledged after the file was moved');

    renameSync(`${path}${ending}.away`, `${path}${ending}`);
    await until(() => load.acknowledged.size > size + 50);
    await logged(service, /the database file is back/);
    await load.stop();
    assert.equal(await statusOf(`${served.url}/readyz`, service.key), 200);
    await load.check(served, operatorKey);
    await served.stop('SIGKILL');
    const again = await startServe(options, t);
    assert.doesNotMatch(again.logged(), /created a new database/);
    await load.check(again, operatorKey);
  });

test('the database file is replaced by a copy: requests are refused until a restart, which uses the copy', async (t) => {
  const service = await accountIn(t);
  const { served, options, operatorKey, key, path } = service;
  await run(['backup', 'copy.db'], options);
  copyFileSync(`${options.cwd}/copy.db`, `${path}.new`);
  renameSync(`${path}.new`, path);
  await refusesEverything(service);
  assert.deepEqual(await served.stop(), { status: 0, signal: null });

  for (const ending of ['-wal', '-shm']) rmSync(`${path}${ending}`, { force: true });
  const again = await startServe(options, t);
  assert.deepEqual(await walkList(again.url, key), []);
  assert.equal((await createAccountKey(again, operatorKey, 'store-2')).startsWith('tk_'), true);
});

test('with several processes, each refuses requests, and a restarted one creates no other database', async (t) => {
  const service = await accountIn(t, ['--workers', '2']);
  const { served, path, key } = service;
  for (const ending of ['', '-wal', '-shm']) renameSync(`${path}${ending}`, `${path}${ending}.away`);
  let refusedInARow = 0;
  await until(async () => {
    const isRefused = (await statusOf(`${served.url}/v1/transactions`, key)) === 503;
    refusedInARow = isRefused ? refusedInARow + 1 : 0;
    return refusedInARow === 20;
  });
  await refusesEverything(service);
  assert.equal(existsSync(path), false);
});

test('with several processes, a restarted one does not serve a file that has replaced the database', async (t) => {
  const service = await accountIn(t, ['--workers', '2']);
  const { served, path, key, options } = service;
  await run(['backup', 'copy.db'], options);
  renameSync(path, `${path}.away`);
  copyFileSync(`${options.cwd}/copy.db`, path);
  await logged(service, REFUSED);
  const killed = childrenOf(served.pid);
  assert.equal(killed.length, 2);
  for (const pid of killed) process.kill(pid, 'SIGKILL');
  const endings = () => served.logged().split('"msg":"a worker ended"').slice(1);
  await until(async () => {
    const status = await statusOf(`${served.url}/v1/transactions`, key).catch(() => 'refused');
    assert.ok(status === 503 || status === 'refused', `a request was answered with ${status}`);
    return endings().length >= 4;
  });
  assert.match(served.logged(), /replaced after the first process had opened it/);

  renameSync(`${path}.away`, path);
  await until(async () => {
    const status = await statusOf(`${served.url}/v1/transactions`, key).catch(() => 'refused');
    return status === 200;
  });
});

test('a missing database whose log remains is not replaced by an empty one, which would remove the log', async (t) => {
  const { served, options, operatorKey, path } = await accountIn(t);
  const load = new RecordingLoad('store-1');
  load.start(served.operatorUrl, operatorKey);
  t.after(() => load.stop());
  await until(() => load.acknowledged.size > 50);
  await load.stop();
  await served.stop('SIGKILL');
  renameSync(path, `${path}.away`);
  for (const command of [['serve'], ['migrate'], ['import', 'none.csv']]) {
    const { status, stderr } = await run(command, { ...options, env: { PORT: '0' } });
    assert.equal(status, 1, stderr);
    if (command[0] !== 'import') assert.match(stderr, /transactions\.db-wal has the last recordings/);
  }
  renameSync(`${path}.away`, path);
  const again = await startServe(options, t);
  await load.check(again, operatorKey);
});

test('serve logs which database it uses, and that it has created it', async (t) => {
  const folder = temporaryFolder(t);
  const options = { cwd: folder.path };
  const first = await startServe(options);
  const database = `sqlite:${folder.path}/data/transactions.db`;
  const lines = jsonLines(first.logged());
  assert.equal(lines.find(({ msg }) => msg === 'created a new database')?.['database'], database);
  assert.equal(lines.find(({ msg }) => msg === 'listening')?.['database'], database);
  await first.stop();
  const second = await startServe(options);
  await second.stop();
  assert.doesNotMatch(second.logged(), /created a new database/);
});
