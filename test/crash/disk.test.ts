import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { type TestContext, test } from 'node:test';
import { until } from '../rig/run/give-up.ts';
import { missing } from '../rig/run/installed.ts';
import { someInTier } from '../rig/run/tier.ts';
import { startServe, walkList } from '../rig/service/process.ts';
import { createAccountKey, RecordingLoad, type Service, serviceIn } from './recording-load.ts';

const MAX_FILE_BYTES = 1_500_000;

/**
 * strace counts the calls of each thread: `when=12..40` makes calls 12 to 40 of a thread fail. The main
 * thread makes too few calls to reach a fault, so the service can start.
 */
const FAULTS = [
  ['a disk that fails to sync', 'fsync,fdatasync', 'error=EIO:when=12..40'],
  ['a full disk', 'pwrite64', 'error=ENOSPC:when=100..200'],
  ['a disk that fails to write', 'pwrite64', 'error=EIO:when=100..200'],
  ['a disk that hangs for three seconds', 'fsync,fdatasync', 'delay_enter=3000000:when=12'],
] as const;
const REQUEST_TIMEOUT = { REQUEST_TIMEOUT: '1000' };

async function recordThrough(
  { served, operatorKey }: Service,
  faults: { begin?: () => void; end?: () => void } = {},
): Promise<RecordingLoad> {
  const key = await createAccountKey(served, operatorKey, 'store-1');
  const load = new RecordingLoad('store-1');
  load.start(served.operatorUrl, operatorKey);
  await until(() => load.acknowledged.size > 0);
  faults.begin?.();
  await until(() => load.unavailable > 0);
  assert.ok((await walkList(served.url, key)).length > 0);
  faults.end?.();
  const { size } = load.acknowledged;
  await until(() => load.acknowledged.size > size + 50);
  await load.stop();
  assert.equal(load.cutOff, 0, 'the service closed connections without a response');
  return load;
}

async function checkTwice(t: TestContext, service: Service, load: RecordingLoad): Promise<void> {
  const { served, options, operatorKey } = service;
  await load.check(served, operatorKey);
  await served.stop('SIGKILL');
  const again = await startServe(options, t);
  const rows = await load.check(again, operatorKey);
  t.diagnostic(
    `${load.unavailable} refusals, ${load.acknowledged.size} acknowledged, ${rows} listed after a kill`,
  );
}

test('a full file system: every acknowledged transaction is listed, lists continue, and recording resumes when there is space', {
  skip: missing('prlimit', 'util-linux'),
}, async (t) => {
  const service = await serviceIn(t, { env: REQUEST_TIMEOUT });
  const limitFiles = (bytes: string) =>
    execFileSync('prlimit', ['--pid', String(service.served.pid), `--fsize=${bytes}:`]);
  const load = await recordThrough(service, {
    begin: () => limitFiles(String(MAX_FILE_BYTES)),
    end: () => limitFiles('unlimited'),
  });
  await checkTwice(t, service, load);
});

for (const [name, calls, fault] of someInTier(FAULTS, 1)) {
  test(`${name}: every acknowledged transaction is listed, lists continue, and recording resumes afterwards`, {
    skip: missing('strace'),
  }, async (t) => {
    const through = [
      'strace',
      ...['--follow-forks', '--seccomp-bpf', '--quiet=all', '--output=/dev/null'],
      ...[`--trace=${calls}`, `--inject=${calls}:${fault}`],
    ];
    const service = await serviceIn(t, { env: REQUEST_TIMEOUT, through });
    await checkTwice(t, service, await recordThrough(service));
  });
}
