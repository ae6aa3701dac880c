import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { NO_FILTER } from '../../src/core/list/list-filter.ts';
import { openStore } from '../../src/store/open-store.ts';
import { type RunOptions, type Served, startServe, walkList } from '../rig/process.ts';
import { temporaryFolder } from '../rig/temporary-folder.ts';
import { transaction } from '../rig/transactions.ts';
import { makeKey, makeOperatorKey, RecordingLoad, until } from './recording-load.ts';

/** Beyond what the first recordings take, and soon reached. */
const MAX_FILE_BYTES = 1_500_000;

const findProgram = (name: string) =>
  ['/usr/bin', '/bin', '/usr/local/bin']
    .map((folder) => `${folder}/${name}`)
    .find((path) => existsSync(path));

const PRLIMIT = findProgram('prlimit');
const STRACE = findProgram('strace');

/**
 * What becomes of which calls, counted by thread: the one that answers makes fewer, so that it begins, and the one that
 * records commits some transactions before and after.
 */
const FAULTS = [
  ['a disk that does not confirm', 'fsync,fdatasync', 'error=EIO:when=12..40'],
  ['a disk without room', 'pwrite64', 'error=ENOSPC:when=100..200'],
  ['a disk that takes no page', 'pwrite64', 'error=EIO:when=100..200'],
  ['a disk that hangs for three seconds', 'fsync,fdatasync', 'delay_enter=3000000:when=12'],
] as const;
const REQUEST_TIMEOUT = '1000';

interface Service {
  served: Served;
  running: RunOptions;
  operatorKey: string;
}

async function serviceIn(t: TestContext, through: readonly string[] = []): Promise<Service> {
  const folder = temporaryFolder();
  t.after(folder.remove);
  const running = { cwd: folder.path, env: { OPERATOR_PORT: '0', REQUEST_TIMEOUT } };
  const operatorKey = await makeOperatorKey(running);
  const served = await startServe({ ...running, through });
  t.after(() => served.stop('SIGKILL'));
  return { served, running, operatorKey };
}

/** Records until some was refused and some acknowledged again afterwards. */
async function recordThrough(
  { served, operatorKey }: Service,
  faults: { begin?: () => void; end?: () => void } = {},
): Promise<RecordingLoad> {
  const key = await makeKey(served, operatorKey, 'store-1');
  const load = new RecordingLoad('store-1');
  load.start(served.operatorUrl, operatorKey);
  await until(() => load.acknowledged.size > 0);
  faults.begin?.();
  await until(() => load.unavailable > 0);
  // What is there is shown, whatever can not be written.
  assert.ok((await walkList(served.url, key)).length > 0);
  faults.end?.();
  const { size } = load.acknowledged;
  await until(() => load.acknowledged.size > size + 50);
  await load.stop();
  assert.equal(load.cutOff, 0, 'the service cut connections off');
  return load;
}

/** What was acknowledged is there, in the running service and in one that is started after a kill. */
async function checkTwice(t: TestContext, service: Service, load: RecordingLoad): Promise<void> {
  const { served, running, operatorKey } = service;
  await load.check(served, operatorKey);
  await served.stop('SIGKILL');
  const again = await startServe(running);
  t.after(() => again.stop());
  const rows = await load.check(again, operatorKey);
  t.diagnostic(
    `${load.unavailable} refusals, ${load.acknowledged.size} acknowledged, ${rows} there after a kill`,
  );
}

test('a full disk: nothing is acknowledged that is not there, lists go on, and recording does when there is room', {
  skip: PRLIMIT === undefined && 'prlimit is not installed; Debian has it in the package util-linux',
}, async (t) => {
  const service = await serviceIn(t);
  const limitFiles = (bytes: string) =>
    execFileSync(PRLIMIT as string, ['--pid', String(service.served.pid), `--fsize=${bytes}:`]);
  const load = await recordThrough(service, {
    begin: () => limitFiles(String(MAX_FILE_BYTES)),
    end: () => limitFiles('unlimited'),
  });
  await checkTwice(t, service, load);
});

for (const [name, calls, becomes] of FAULTS) {
  test(`${name}: nothing is acknowledged that is not there, lists go on, and recording does afterwards`, {
    skip: STRACE === undefined && 'strace is not installed; Debian has it as the package strace',
  }, async (t) => {
    const service = await serviceIn(t, [
      STRACE as string,
      ...['--follow-forks', '--seccomp-bpf', '--quiet=all', '--output=/dev/null'],
      ...[`--trace=${calls}`, `--inject=${calls}:${becomes}`],
    ]);
    await checkTwice(t, service, await recordThrough(service));
  });
}

test('a thread of recordings that can not begin: StoreUnavailable, and the next recording begins another', async (t) => {
  const folder = temporaryFolder();
  t.after(folder.remove);
  const path = `${folder.path}/transactions.db`;
  const { store } = await openStore(`sqlite:${path}`, Date.now);
  t.after(() => store.close());
  const question = { account: 'store-1', filter: NO_FILTER, after: null };
  const record = () =>
    Promise.allSettled(['a', 'b'].map((name) => store.recordTransactions([transaction('store-1', name)])));

  renameSync(path, `${path}.away`);
  mkdirSync(path);
  for (const recorded of await record()) {
    assert.equal(recorded.status, 'rejected');
    assert.equal((recorded as PromiseRejectedResult).reason.name, 'StoreUnavailable');
  }
  assert.deepEqual((await store.listTransactions(question, 10)).transactions, []);

  rmSync(path, { recursive: true });
  renameSync(`${path}.away`, path);
  for (const recorded of await record()) assert.equal(recorded.status, 'fulfilled');
  assert.equal((await store.listTransactions(question, 10)).transactions.length, 2);
});
