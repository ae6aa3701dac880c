import assert from 'node:assert/strict';
import { test } from 'node:test';
import packageJson from '#package' with { type: 'json' };
import { makePostgresDatabase } from '../rig/database/postgres.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { call, createKey, createOperatorKey, recordPending, startServe } from '../rig/service/process.ts';

const WARM_UP = 5000;
const REQUESTS = 20_000;
const CONNECTIONS = 48;
const GREATEST_SHARE = 0.03;

const [, ...START_OPTIONS] = packageJson.scripts.start
  .split(' ')
  .filter((word) => !/^bin|^serve$/.test(word));

/**
 * Two sums from a trace: the bytes that the young generation collected, and how many of them it promoted to
 * the old generation.
 */
function bytesOf(trace: string): { scavenged: number; promoted: number } {
  const sum = (name: string) =>
    trace
      .split('\n')
      .filter((line) => / gc=s /.test(line))
      .reduce((total, line) => total + Number(new RegExp(` ${name}=(\\d+)`).exec(line)?.[1] ?? 0), 0);
  return { scavenged: sum('allocated'), promoted: sum('promoted') };
}

async function times(count: number, send: (index: number) => Promise<Response>): Promise<void> {
  let next = 0;
  const connection = async () => {
    while (next < count) {
      const response = await send(next++);
      assert.ok(response.ok, `${response.status} ${await response.clone().text()}`);
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
}

// Promoted objects live until the next full collection. Its pauses caused most of the longest waits of lists.
test('almost nothing that lists and recordings on PostgreSQL allocate is promoted to the old generation', async (t) => {
  const { path: cwd } = temporaryFolder(t);
  const env = { DATABASE_URL: await makePostgresDatabase(), OPERATOR_PORT: '0', RATE_LIMIT: 'off' };
  const options = { cwd, env, nodeOptions: [...START_OPTIONS, '--trace-gc-nvp'] };
  const key = await createKey('store-1', { cwd, env });
  const operatorKey = await createOperatorKey({ cwd, env });
  const served = await startServe(options, t);
  let trace = '';
  served.child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    trace += chunk;
  });
  const list = () => call(`${served.url}/v1/transactions`, key);
  const record = (index: number) => recordPending(served, operatorKey, `tx-${index}`);
  await times(WARM_UP, (index) => record(REQUESTS + index));
  await times(WARM_UP, list);
  for (const [name, send] of Object.entries({ list, record })) {
    trace = '';
    await times(REQUESTS, send);
    const { scavenged, promoted } = bytesOf(trace);
    assert.ok(scavenged > 20 * 2 ** 20, `only ${scavenged} bytes of ${name} were collected`);
    const share = promoted / scavenged;
    t.diagnostic(`${name}: ${(share * 100).toFixed(2)} % of ${scavenged} bytes promoted`);
    assert.ok(share <= GREATEST_SHARE, `${(share * 100).toFixed(1)} % of the bytes of ${name} were promoted`);
  }
});
