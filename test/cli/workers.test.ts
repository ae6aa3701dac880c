import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { buildInfo } from '../../src/service/build-info.ts';
import { CSV_HEADER, csvLine } from '../rig/data/csv.ts';
import { jsonLines } from '../rig/data/json-lines.ts';
import { freePort } from '../rig/http/loopback.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import {
  call,
  createKey,
  importCsv,
  run,
  type Served,
  start,
  startRunning,
  startServe,
  walkList,
} from '../rig/service/process.ts';

const WORKERS = 2;

describe('serve --workers', () => {
  const { path: cwd, remove } = temporaryFolder();
  const env = { OPERATOR_PORT: '0', METRICS_PORT: '0' };
  const options = { cwd, env, args: ['--workers', String(WORKERS)] };
  const references = Array.from({ length: 35 }, (_, index) => `store-1.r${10 + index}`);
  let key: string;
  let served: Served;

  before(async () => {
    const lines = references.map((reference) => csvLine({ reference: reference.replace('store-1.', '') }));
    await importCsv([CSV_HEADER, ...lines].join('\n'), { cwd });
    key = await createKey('store-1', { cwd });
    served = await startServe(options);
  });
  after(async () => {
    await served.stop();
    remove();
  });

  const logLines = () => jsonLines(served.logged());
  const monitoringUrl = (): string => logLines().find(({ msg }) => msg === 'listening for monitoring').url;
  const requestsCounted = async (url: string) => {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    const line =
      /^transactions_http_request_duration_seconds_count\{listener="public".*status="200"\} (\d+)$/m;
    return Number(line.exec(metrics)?.[1] ?? 0);
  };

  test('metrics are sums over all processes, on both listeners that serve them', async () => {
    const counted = await requestsCounted(monitoringUrl());
    // Each request opens a new connection, so that every process gets requests.
    for (let request = 0; request < 10; request++) {
      const headers = { connection: 'close' };
      assert.equal((await call(`${served.url}/v1/transactions`, key, { headers })).status, 200);
    }
    for (const url of [served.operatorUrl, monitoringUrl()])
      assert.equal(await requestsCounted(url), counted + 10);
  });

  test('METRICS_PORT serves only the health checks and the metrics, and the error for a port in use names it', async () => {
    const get = async (path: string) => (await fetch(`${monitoringUrl()}${path}`)).status;
    for (const path of ['/livez', '/readyz', '/metrics']) assert.equal(await get(path), 200, path);
    for (const path of ['/', '/v1/transactions', '/v1/accounts', '/docs', '/openapi.json'])
      assert.equal(await get(path), 404, path);
    assert.equal((await fetch(`${served.url}/metrics`)).status, 404);
    const port = new URL(monitoringUrl()).port;
    const { status, stderr } = await run(['serve'], { cwd, env: { PORT: '0', METRICS_PORT: port } });
    assert.equal(status, 1);
    assert.match(stderr, /set METRICS_PORT to another port/);
  });

  test('the start line, /readyz and the metrics name the running version, once for all processes', async () => {
    const { version, commit } = logLines().find(({ msg }) => msg === 'listening');
    const ready = await (await fetch(`${served.url}/readyz`)).json();
    assert.deepEqual(ready, { status: 'ok', version, commit });
    assert.deepEqual({ version, commit }, buildInfo());
    const metrics = await (await fetch(`${monitoringUrl()}/metrics`)).text();
    const line = `transactions_build_info{version="${version}",commit="${commit}"} 1`;
    assert.deepEqual(
      metrics.split('\n').filter((one) => one.startsWith('transactions_build_info')),
      [line],
    );
  });

  test('a process that ends is replaced, and requests are answered meanwhile', async () => {
    const [pid] = workersOf(served);
    process.kill(pid as number, 'SIGKILL');
    for (;;) {
      // A request fails if the killed process had already accepted its connection.
      const answer = await fetch(`${served.url}/livez`, {
        headers: { connection: 'close' },
        signal: AbortSignal.timeout(5000),
      }).catch(() => null);
      if (answer !== null) assert.equal(answer.status, 200);
      const now = workersOf(served);
      if (now.length === WORKERS && !now.includes(pid as number)) break;
      await delay(50);
    }
    assert.equal((await walkList(served.url, key)).length, references.length);
    const isLogged = () =>
      logLines().some(({ msg, workerPid }) => msg === 'a worker ended' && workerPid === pid);
    while (!isLogged()) await delay(50);
  });

  test('after a stop signal before any process listens all processes end, the first one with status 0', async () => {
    const child = start(['serve', ...options.args], { cwd, env: { ...options.env, PORT: '0' } });
    const exited = once(child, 'exit');
    let pids: number[] = [];
    for (; pids.length === 0; await delay(1)) pids = workersOf({ child });
    child.kill('SIGTERM');
    assert.deepEqual(await exited, [0, null]);
    for (const pid of pids) assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  });

  test("when /readyz first answers, the operator's listener and that for monitoring answer too", async (t) => {
    const [PORT, OPERATOR_PORT, METRICS_PORT] = await Promise.all([freePort(), freePort(), freePort()]);
    const ports = { PORT: `${PORT}`, OPERATOR_PORT: `${OPERATOR_PORT}`, METRICS_PORT: `${METRICS_PORT}` };
    const { child } = startRunning(t, ['serve', ...options.args], { cwd, env: ports });
    const answers = (port: number) =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!(await answers(PORT))) assert.equal(child.exitCode, null);
    assert.deepEqual(await Promise.all([answers(OPERATOR_PORT), answers(METRICS_PORT)]), [true, true]);
  });

  test('when the first process is killed, the others end too', async () => {
    const second = await startServe(options);
    const pids = workersOf(second);
    await second.stop('SIGKILL');
    const isAlive = (pid: number) => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    while (pids.some(isAlive)) await delay(20);
    await assert.rejects(fetch(`${second.url}/livez`));
  });

  test('an error that prevents the first worker from starting is reported once, with exit status 1', async () => {
    const port = new URL(served.url).port;
    const { status, stderr } = await run(['serve', '--workers', '3'], { cwd, env: { PORT: port } });
    assert.equal(status, 1);
    assert.equal(stderr.split(`Port ${port} of 127.0.0.1 is in use`).length, 2, stderr);
  });
});

function workersOf({ child }: Pick<Served, 'child'>): number[] {
  const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
  return children.split(' ').filter(Boolean).map(Number);
}
