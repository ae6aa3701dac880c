import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { IN_MEMORY_URL, openStore } from '../../../src/store/open-store.ts';
import { wrapStore } from '../../../src/store/wrap-store.ts';
import { testClock, testConfig } from '../../rig/app.ts';
import { listen, readUntil } from '../../rig/connection.ts';
import { buildTestOperatorApp } from '../../rig/operator-app.ts';

const SOON = { timeout: 30_000 };
const TIMEOUT_MS = 200;
/** The limit is checked eight times in its length. The rest allows for a busy machine. */
const MOST_MS = 10 * TIMEOUT_MS;
const BODY = JSON.stringify({
  status: 'completed',
  amount: '12.50',
  currencyCode: 'EUR',
  paidAt: '2026-03-31T09:30:00.000Z',
  createdAt: '2026-03-31T09:30:00.000Z',
});
const TRANSACTIONS = '/v1/accounts/store-1/transactions';
const KEYS = '/v1/accounts/store-1/keys';
const HANGING = ['recordTransactions', 'recordOnce', 'createApiKey', 'listApiKeys', 'ping'] as const;

/** The operator's interface on a store that stops responding after the operator's key was created. */
async function appThatHangs(t: TestContext) {
  const { store } = await openStore(IN_MEMORY_URL, Date.now);
  let isHanging = false;
  const hanging = wrapStore(store, HANGING, (_name, call) => (isHanging ? new Promise(() => {}) : call()));
  const config = { ...testConfig, requestTimeoutMs: TIMEOUT_MS };
  const app = await buildTestOperatorApp(hanging, testClock(), config);
  isHanging = true;
  const { open } = await listen(t, app.server);
  return { ...app, caller: open() };
}

const head = (request: string, key: string, body: string) =>
  `${request} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
  (body === '' ? '\r\n' : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`);

for (const [request, body, headers] of [
  [`PUT ${TRANSACTIONS}/r1`, BODY],
  [`POST ${TRANSACTIONS}`, BODY, 'Idempotency-Key: a\r\n'],
  [`POST ${KEYS}`, '{}'],
  [`GET ${KEYS}`, ''],
  [`DELETE ${KEYS}/key_0123456789abcdef`, ''],
  ['GET /readyz', ''],
] as const) {
  test(
    `503 unavailable: ${request} ends at its time limit if the store does not respond`,
    SOON,
    async (t) => {
      const { caller, key } = await appThatHangs(t);
      const bytes = head(request, key, body).replace('Host: x\r\n', `Host: x\r\n${headers ?? ''}`);
      const beganAtMs = performance.now();
      caller.write(bytes + body);
      const response = await readUntil(caller, /\r\n\r\n\{.*\}$/);
      const tookMs = performance.now() - beganAtMs;
      assert.match(response, /^HTTP\/1\.1 503 /);
      assert.match(response, /"code":"unavailable"/);
      assert.match(response, /\r\nretry-after: 1\r\n/);
      assert.ok(tookMs >= TIMEOUT_MS * 0.9 && tookMs < MOST_MS, `${tookMs} ms of ${TIMEOUT_MS}`);
    },
  );
}

test('503 unavailable: the time limit of a request starts when its body has arrived', SOON, async (t) => {
  const { caller, key, server } = await appThatHangs(t);
  const begun = once(server.server, 'request');
  caller.write(head(`PUT ${TRANSACTIONS}/r1`, key, BODY) + BODY.slice(0, 10));
  await begun;
  await delay(3 * TIMEOUT_MS);
  const beganAtMs = performance.now();
  caller.write(BODY.slice(10));
  assert.match(await readUntil(caller, /\r\n\r\n\{.*\}$/), /^HTTP\/1\.1 503 /);
  const tookMs = performance.now() - beganAtMs;
  assert.ok(tookMs >= TIMEOUT_MS * 0.9 && tookMs < MOST_MS, `${tookMs} ms of ${TIMEOUT_MS}`);
});
