import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { setInterval } from 'node:timers/promises';
import { residentMb } from '../../proof/bench/rig/process-use.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { call, createOperatorKey, START_OPTIONS, startServe } from '../rig/service/process.ts';

const RATES = { lists: 80, recordings: 20 };
const ACCOUNT_SECONDS = 30;
const SHORTEST_MINUTES = 10;
const WARM_UP = 0.2;
const MAX_MORE_DESCRIPTORS = 16;
const MAX_MEMORY_RATIO = 1.25;

function endsOf(samples: readonly number[]): [first: number, last: number] {
  const warm = samples.slice(Math.floor(samples.length * WARM_UP));
  const quarter = Math.max(1, Math.floor(warm.length / 4));
  const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
  return [median(warm.slice(0, quarter)), median(warm.slice(-quarter))];
}

async function load(perSecond: number, send: () => Promise<Response>): Promise<number> {
  const sent: Promise<number>[] = [];
  const statusOf = async (response: Response) => {
    await response.arrayBuffer();
    return response.status;
  };
  for await (const _ of setInterval(1000 / perSecond)) {
    if (sent.push(send().then(statusOf)) === ACCOUNT_SECONDS * perSecond) break;
  }
  const statuses = await Promise.all(sent);
  assert.deepEqual([...new Set(statuses.filter((status) => status >= 300))], []);
  return statuses.length;
}

interface SoakOptions {
  endsAtMs: number;
  onProgress: (done: number) => void;
}

export async function soak({ endsAtMs, onProgress }: SoakOptions): Promise<string> {
  const minutes = (endsAtMs - performance.now()) / 60_000;
  const folder = temporaryFolder();
  const options = { cwd: folder.path, env: { OPERATOR_PORT: '0', RATE_LIMIT: 'off' } };
  const operatorKey = await createOperatorKey(options);
  const served = await startServe({ ...options, nodeOptions: START_OPTIONS });
  const memory: number[] = [];
  const descriptors: number[] = [];
  const fields = {
    amount: '1.00',
    currencyCode: 'EUR',
    status: 'pending',
    createdAt: '2026-03-01T00:00:00Z',
  };
  let requests = 0;
  let recorded = 0;
  try {
    for (let account = 0; performance.now() < endsAtMs; account++) {
      const path = `/v1/accounts/soak-${account}`;
      const keys = `${served.operatorUrl}${path}/keys`;
      const created = await call(keys, operatorKey, { method: 'POST', json: {} });
      const { id, key } = (await created.json()) as { id: string; key: string };
      const answered = await Promise.all([
        load(RATES.lists, () => call(`${served.url}/v1/transactions?status=pending`, key)),
        load(RATES.recordings, () =>
          call(`${served.operatorUrl}${path}/transactions/r${recorded++}`, operatorKey, {
            method: 'PUT',
            json: fields,
          }),
        ),
      ]);
      assert.equal((await call(`${keys}/${id}`, operatorKey, { method: 'DELETE' })).status, 204);
      requests += answered[0] + answered[1];
      memory.push(residentMb(served.pid));
      descriptors.push(readdirSync(`/proc/${served.pid}/fd`).length);
      onProgress(requests);
    }
  } finally {
    await served.stop();
    folder.remove();
  }
  const [firstMb, lastMb] = endsOf(memory).map((mb) => mb.toFixed(1)) as [string, string];
  const [firstOpen, lastOpen] = endsOf(descriptors);
  const isGrown =
    Number(lastMb) > Number(firstMb) * MAX_MEMORY_RATIO || lastOpen > firstOpen + MAX_MORE_DESCRIPTORS;
  const figures = `${requests} requests in ${minutes.toFixed(1)} min. Memory went from ${firstMb} to ${lastMb} MB, and descriptors from ${firstOpen} to ${lastOpen}`;
  assert.ok(minutes < SHORTEST_MINUTES || !isGrown, figures);
  return figures;
}
