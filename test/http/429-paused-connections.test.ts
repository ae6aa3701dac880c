import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { listen } from '../rig/http/connection.ts';
import { buildTestApp, testConfig } from '../rig/service/app.ts';

async function sendInTurn(port: number, keys: readonly string[]) {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  const responses: { status: number; beganAtMs: number; tookMs: number }[] = [];
  for (const key of keys) {
    const beganAtMs = performance.now();
    socket.write(`GET /v1/transactions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
    const text = await new Promise<string>((resolve) => socket.once('data', resolve));
    responses.push({ status: Number(text.slice(9, 12)), beganAtMs, tookMs: performance.now() - beganAtMs });
  }
  socket.destroy();
  return responses;
}

const PAUSE_MS = 248;

test('429: the service reads with pauses from a connection with only refused requests, but not from a shared one', async (t) => {
  const app = await buildTestApp({ config: { ...testConfig, rateLimit: { perSecond: 1, burst: 2 } } });
  const { port } = await listen(t, app.server);
  const greedy = await app.makeKey('store-1', { id: 'key_0000000000000001' });
  const times = (count: number, key: string) => Array.from({ length: count }, () => key);

  const alone = await sendInTurn(port, times(16, greedy));
  const refused = alone.slice(2);
  assert.deepEqual(new Set(refused.map(({ status }) => status)), new Set([429]));
  const quickest = Math.min(...refused.slice(0, 8).map(({ tookMs }) => tookMs));
  assert.ok(quickest < PAUSE_MS, `${quickest} ms`);
  // The last three requests contain two whole pauses: after the first response and after the second.
  const [first, , last] = refused.slice(-3) as [(typeof refused)[0], unknown, (typeof refused)[0]];
  const pausedMs = last.beganAtMs + last.tookMs - first.beganAtMs;
  assert.ok(pausedMs >= 2 * PAUSE_MS, `${pausedMs} ms`);

  const shared: string[] = [];
  for (let index = 0; index < 32; index++) {
    const other = await app.makeKey('store-2', { id: `key_1${String(index).padStart(15, '0')}` });
    shared.push(greedy, greedy, other);
  }
  const responses = await sendInTurn(port, shared);
  const others = responses.filter((_, index) => index % 3 === 2);
  assert.deepEqual(new Set(others.map(({ status }) => status)), new Set([200]));
  assert.ok(Math.min(...others.map(({ tookMs }) => tookMs)) < PAUSE_MS);
});
