import assert from 'node:assert/strict';
import cluster, { type Worker } from 'node:cluster';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import type { ListeningApp } from '../../src/service/listener.ts';
import { startWorkers } from '../../src/service/workers.ts';

const ADDRESS = { host: '127.0.0.1', port: 0, settings: ['HOST', 'PORT'] } as const;

describe('the process that starts workers', () => {
  const logged: { msg: string; err?: { message: string } }[] = [];
  const logger = pino({}, { write: (line) => logged.push(JSON.parse(line)) });
  const { execPath } = process;
  let team: ListeningApp;

  before(async () => {
    const exec = fileURLToPath(new URL('../rig/run/idle-worker.ts', import.meta.url));
    // By default, workers inherit the test runner's arguments. Each would run all tests of this process.
    cluster.setupPrimary({ exec, args: [], execArgv: [] });
    team = await startWorkers(2, ADDRESS, logger);
  });
  after(() => team.stop());

  const workers = () => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  const kill = (worker: Worker) => process.kill(worker.process.pid as number, 'SIGKILL');
  const nextWorker = () => new Promise<Worker>((resolve) => cluster.once('online', resolve));

  test('survives sending a message to a worker that has just died, and replaces the worker', async () => {
    const [worker] = workers() as [Worker];
    const failed = new Promise<NodeJS.ErrnoException>((resolve) => worker.process.once('error', resolve));
    const replaced = nextWorker();
    kill(worker);
    // A loop without `await`, so that the worker's `exit` event does not arrive before `send`.
    const folder = `/proc/${worker.process.pid}`;
    while (readdirSync(`${folder}/task`).length > 1 || !/\) Z/.test(readFileSync(`${folder}/stat`, 'utf8')));
    worker.send('are you there?');
    assert.equal((await failed).code, 'EPIPE');
    await replaced;
    assert.equal(logged.filter(({ msg }) => msg === 'a worker ended').length, 1);
  });

  for (const [path, reason] of [
    ['/nonexistent/node', 'ENOENT'],
    ['nul\0', 'null bytes'],
  ] as const) {
    test(`survives if the system cannot start a worker, and retries: ${reason}`, async () => {
      const [worker] = workers().filter((one) => !one.isDead()) as [Worker];
      process.execPath = path;
      const before = logged.length;
      try {
        kill(worker);
        while (!logged.slice(before).some(({ err }) => err?.message.includes(reason))) await delay(20);
      } finally {
        process.execPath = execPath;
      }
      await nextWorker();
      assert.equal(workers().filter((one) => one.process.pid !== undefined && !one.isDead()).length, 2);
    });

    test(`reports that the system cannot start the first worker: ${reason}`, async () => {
      process.execPath = path;
      const expected = new RegExp(`The system can't start a worker: .*${reason}`);
      await assert.rejects(startWorkers(2, ADDRESS, logger), expected).finally(() => {
        process.execPath = execPath;
      });
    });
  }
});
