import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePostgresDatabase } from '../rig/database/postgres.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { inTier } from '../rig/run/tier.ts';
import {
  call,
  createKey,
  createOperatorKey,
  recordPending,
  START_OPTIONS,
  startServe,
} from '../rig/service/process.ts';

const CALLERS = 48;
const WARM_UP_REQUESTS = 4000;
const REQUESTS = inTier({ short: 5000, long: 20_000 });
const MOST_PROMOTED = 0.03;

const SCAVENGE = / gc=s .* allocated=(\d+) promoted=(\d+) /g;

function promotedShare(trace: string): number {
  let [allocated, promoted] = [0, 0];
  for (const [, allocatedBytes, promotedBytes] of trace.matchAll(SCAVENGE)) {
    allocated += Number(allocatedBytes);
    promoted += Number(promotedBytes);
  }
  assert.ok(allocated > 0, `no scavenge was traced:\n${trace}`);
  return promoted / allocated;
}

async function send(count: number, request: () => Promise<Response>): Promise<void> {
  let sent = 0;
  const sendSome = async () => {
    while (sent++ < count) {
      const response = await request();
      assert.ok(response.ok, `${response.status}`);
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, sendSome));
}

// To free promoted memory, V8 must collect the whole heap. This stops all requests for 10 to 30 ms.
// If this test fails, look for new closures in properties. V8 promotes the objects that such closures use.
for (const [store, databaseUrl] of [
  ['SQLite', async () => 'sqlite:transactions.db'],
  ['PostgreSQL', makePostgresDatabase],
] as const)
  test(`lists and recordings on ${store} promote at most 3 % of the memory that they allocate`, async (t) => {
    const cwd = temporaryFolder(t).path;
    const env = { DATABASE_URL: await databaseUrl(), OPERATOR_PORT: '0', RATE_LIMIT: '1000000' };
    const key = await createKey('store-1', { cwd, env });
    const operatorKey = await createOperatorKey({ cwd, env });
    const served = await startServe({ cwd, env, nodeOptions: [...START_OPTIONS, '--trace-gc-nvp'] }, t);
    let trace = '';
    served.child.stdout?.setEncoding('latin1').on('data', (text: string) => {
      trace += text;
    });
    let recorded = 0;
    const record = () => recordPending(served, operatorKey, `order-${recorded++}`);
    const list = () => call(`${served.url}/v1/transactions`, key);
    await send(WARM_UP_REQUESTS, record);
    await send(WARM_UP_REQUESTS, list);
    for (const request of [list, record]) {
      trace = '';
      await send(REQUESTS, request);
      const share = promotedShare(trace);
      assert.ok(share <= MOST_PROMOTED, `${request.name}: ${share}`);
    }
  });
