import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { jsonLines } from '../rig/data/json-lines.ts';
import { until } from '../rig/run/give-up.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { startServe } from '../rig/service/process.ts';

test('SIGHUP ends the service with exit status 0 and is logged, and a second one changes nothing', async (t) => {
  const served = await startServe({ cwd: temporaryFolder(t).path });
  served.child.kill('SIGHUP');
  assert.deepEqual(await served.stop('SIGHUP'), { status: 0, signal: null });
  const lines = jsonLines(served.logged()) as { msg: string; signal?: string }[];
  assert.equal(lines.find(({ msg }) => msg === 'stopping')?.signal, 'SIGHUP');
  assert.equal(lines.at(-1)?.msg, 'stopped');
});

for (const args of [[], ['--workers', '2']])
  test(`DRAIN_SECONDS: after SIGTERM, every process of serve ${args.join(' ')} answers requests for that time, but /readyz with 503`, async (t) => {
    const served = await startServe({
      cwd: temporaryFolder(t).path,
      args,
      env: { DRAIN_SECONDS: '3', METRICS_PORT: '0' },
    });
    const lines = () =>
      jsonLines(served.logged()) as { msg: string; url?: string; time: string; seconds?: number }[];
    const monitoring = lines().find(({ msg }) => msg === 'listening for monitoring')?.url;
    const statuses = (path: string) =>
      Promise.all(
        [served.url, served.url, monitoring].map(async (url) => (await fetch(`${url}${path}`)).status),
      );
    assert.deepEqual(await statuses('/readyz'), [200, 200, 200]);
    process.kill(served.pid, 'SIGTERM');
    await until(() => lines().filter(({ msg }) => msg === 'draining').length === args.length + 1);
    assert.deepEqual(await statuses('/readyz'), [503, 503, 503]);
    assert.deepEqual(await statuses('/livez'), [200, 200, 200]);
    const { status, headers } = await fetch(`${served.url}/v1/transactions`);
    assert.deepEqual([status, headers.get('connection')], [401, 'keep-alive']);
    assert.deepEqual(await served.stop(), { status: 0, signal: null });
    const timeOf = (message: string) =>
      Number(new Date(lines().find(({ msg }) => msg === message)?.time ?? 0));
    assert.ok(timeOf('stopping') - timeOf('draining') >= 2990);
  });

for (const args of [[], ['--workers', '2']])
  test(`Ctrl-C ends the draining of serve ${args.join(' ')}, and a second SIGTERM does not`, async (t) => {
    const served = await startServe({ cwd: temporaryFolder(t).path, args, env: { DRAIN_SECONDS: '60' } });
    const messages = () => (jsonLines(served.logged()) as { msg: string }[]).map(({ msg }) => msg);
    for (const signal of ['SIGTERM', 'SIGTERM'] as const) {
      process.kill(served.pid, signal);
      await until(() => messages().filter((msg) => msg === 'draining').length === args.length + 1);
    }
    assert.ok(!messages().includes('stopping'));
    assert.deepEqual(await served.stop('SIGINT'), { status: 0, signal: null });
    assert.equal(messages().filter((msg) => msg === 'stopping').length, args.length + 1);
  });

for (const args of [[], ['--workers', '2']]) {
  test(`SIGUSR1 and SIGUSR2 are logged by every process of serve ${args.join(' ')}, and open no debugger`, async (t) => {
    const served = await startServe({ cwd: temporaryFolder(t).path, args });
    const children = readFileSync(`/proc/${served.pid}/task/${served.pid}/children`, 'utf8');
    const pids = [served.pid, ...children.split(' ').filter(Boolean).map(Number)];
    assert.equal(pids.length, args.length === 0 ? 1 : 3);
    const ignored = () =>
      served
        .logged()
        .split('\n')
        .filter((line) => line.includes('"msg":"ignored a signal"'));
    for (const signal of ['SIGUSR1', 'SIGUSR2'] as const) {
      for (const pid of pids) process.kill(pid, signal);
      await until(
        () =>
          served.child.signalCode !== null ||
          ignored().filter((line) => line.includes(signal)).length === pids.length,
      );
    }
    assert.equal((await fetch(`${served.url}/livez`)).status, 200);
    assert.doesNotMatch(served.logged(), /Debugger/);
    assert.deepEqual(await served.stop(), { status: 0, signal: null });
  });
}
