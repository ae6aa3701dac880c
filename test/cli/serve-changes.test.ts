import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import {
  call,
  createKey,
  createOperatorKey,
  recordPending,
  type Served,
  startServe,
} from '../rig/service/process.ts';

async function changesFrom(root: string, key: string, query: string) {
  const response = await call(`${root}/changes?${query}`, key);
  return { status: response.status, body: JSON.parse(await response.text()) };
}

const changes = (served: Served, key: string, query: string) => changesFrom(`${served.url}/v1`, key, query);

async function record(served: Served, key: string, reference: string): Promise<void> {
  const response = await recordPending(served, key, reference);
  assert.equal(response.status, 201, await response.text());
}

async function untilWaiting(served: Served, callers: number): Promise<void> {
  const line = new RegExp(`^transactions_change_callers_waiting ${callers}$`, 'm');
  while (!line.test(await (await fetch(`${served.operatorUrl}/metrics`)).text())) await delay(20);
}

for (const args of [[], ['--workers', '2']]) {
  test(`a recording wakes a waiting caller, and a stop signal ends a wait (${args.join(' ') || 'one process'})`, async (t) => {
    const { path: cwd } = temporaryFolder(t);
    const key = await createKey('store-1', { cwd });
    const operator = await createOperatorKey({ cwd }, 'record,read');
    const served = await startServe({ cwd, env: { OPERATOR_PORT: '0' }, args }, t);
    const first = [
      changes(served, key, 'wait=30'),
      changesFrom(`${served.operatorUrl}/v1/accounts/store-1`, operator, 'wait=30'),
    ];
    await untilWaiting(served, 2);
    await record(served, operator, 'r1');
    for (const { status, body } of await Promise.all(first))
      assert.deepEqual([status, body.lastSequence], [200, 1]);
    const metrics = await (await fetch(`${served.operatorUrl}/metrics`)).text();
    const woken = /^transactions_change_wakeup_seconds_count (\d+)$/m.exec(metrics)?.[1];
    assert.equal(woken, args.length === 0 ? '2' : '1');

    const second = changes(served, key, 'after=1&wait=30');
    await untilWaiting(served, 1);
    const stopped = served.stop();
    assert.deepEqual((await second).body.data, []);
    assert.deepEqual(await stopped, { status: 0, signal: null });
    const [, waitedMs] = /"after":1,"count":0,"waitedMs":(\d+(?:\.\d{1,3})?)[,}]/.exec(served.logged()) ?? [];
    assert.ok(Number(waitedMs) < 30_000, `the stop waited for the caller: ${waitedMs} ms`);
  });
}
