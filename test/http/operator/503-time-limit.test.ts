import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { IN_MEMORY_URL, openStore } from '../../../src/store/open-store.ts';
import { wrapStore } from '../../../src/store/wrap-store.ts';
import { listen, readUntil } from '../../rig/http/connection.ts';
import { GIVE_UP_MS } from '../../rig/run/give-up.ts';
import { testClock, testConfig } from '../../rig/service/app.ts';
import { buildTestOperatorApp } from '../../rig/service/operator-app.ts';

const SOON = { timeout: GIVE_UP_MS };
const TIMEOUT_MS = 800;
/** The limit is checked eight times in its length. */
const CHECK_MS = TIMEOUT_MS / 8;
const BODY = JSON.stringify({
  status: 'completed',
  amount: '12.50',
  currencyCode: 'EUR',
  paidAt: '2026-03-31T09:30:00.000Z',
  createdAt: '2026-03-31T09:30:00.000Z',
});
const TRANSACTIONS = '/v1/accounts/store-1/transactions';
const KEYS = '/v1/accounts/store-1/keys';
const HANGING = [
  'recordTransactions',
  'recordOnce',
  'createApiKey',
  'retrieveApiKey',
  'listApiKeys',
  'ping',
] as const;

/** The operator's interface on a store that stops responding after the operator's key was created. The test advances its timers. */
async function appThatHangs(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { store } = await openStore(IN_MEMORY_URL, Date.now);
  let isHanging = false;
  const hangs = Promise.withResolvers<void>();
  const hanging = wrapStore(store, HANGING, (_name, call) => {
    if (!isHanging) return call();
    hangs.resolve();
    return new Promise(() => {});
  });
  const config = { ...testConfig, requestTimeoutMs: TIMEOUT_MS };
  const app = await buildTestOperatorApp(hanging, testClock(), config);
  isHanging = true;
  const { open } = await listen(t, app.server);
  const caller = open();
  let received = '';
  caller.on('data', (text: string) => {
    received += text;
  });
  return {
    ...app,
    caller,
    hangs: hangs.promise,
    pass: (ms: number) => t.mock.timers.tick(ms),
    /** Whether the caller has an answer, after what was written to its connection has arrived. */
    isAnswered: async () => {
      for (let turn = 0; turn < 10; turn++) await nextTurn();
      return received !== '';
    },
  };
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
      const { caller, key, hangs, pass, isAnswered } = await appThatHangs(t);
      const bytes = head(request, key, body).replace('Host: x\r\n', `Host: x\r\n${headers ?? ''}`);
      caller.write(bytes + body);
      await hangs;
      pass(TIMEOUT_MS - CHECK_MS);
      assert.equal(await isAnswered(), false);
      pass(2 * CHECK_MS);
      const response = await readUntil(caller, /\r\n\r\n\{.*\}$/);
      assert.match(response, /^HTTP\/1\.1 503 /);
      assert.match(response, /"code":"unavailable"/);
      assert.match(response, /\r\nretry-after: 1\r\n/);
    },
  );
}

test('503 unavailable: the time limit of a request starts when its body has arrived', SOON, async (t) => {
  const { caller, key, server, hangs, pass, isAnswered } = await appThatHangs(t);
  const begun = once(server.server, 'request');
  caller.write(head(`PUT ${TRANSACTIONS}/r1`, key, BODY) + BODY.slice(0, 10));
  await begun;
  pass(3 * TIMEOUT_MS);
  caller.write(BODY.slice(10));
  await hangs;
  // The first check after it notices that the body has arrived.
  pass(TIMEOUT_MS);
  assert.equal(await isAnswered(), false);
  pass(2 * CHECK_MS);
  assert.match(await readUntil(caller, /\r\n\r\n\{.*\}$/), /^HTTP\/1\.1 503 /);
});
