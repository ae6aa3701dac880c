import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { KEY_PLACEHOLDER, type ProblemExample } from '../../../src/http/problems/problem-example.ts';
import { EXAMPLE_NOW_MS, EXAMPLE_TRANSACTIONS } from '../../../src/ledger/http/transaction-examples.ts';
import { IN_MEMORY_URL, openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { buildTestApp, type TestApp, type TestClock, testClock, testConfig } from '../service/app.ts';
import { buildTestOperatorApp, type TestOperatorApp } from '../service/operator-app.ts';
import { record } from './transactions.ts';

/** Of the examples. */
export const ACCOUNT = 'store-1';
/** Of the operator's listener, followed by an account. */
export const OPERATOR_PATH = '/v1/accounts/';

export interface Served {
  app: TestApp;
  operator: TestOperatorApp;
  key: string;
  clock: TestClock;
}

/** Both listeners on a store with the transactions of the examples. */
export async function serveExamples(
  transactions = EXAMPLE_TRANSACTIONS,
  wrap: (store: Store) => Store = (store) => store,
  settings: Partial<typeof testConfig> = {},
): Promise<Served> {
  const clock = testClock(EXAMPLE_NOW_MS);
  let nonce = 0;
  const drawNonce = () => ++nonce;
  const { store } = await openStore(IN_MEMORY_URL, clock.now, { drawNonce });
  if (transactions.length > 0)
    await record(
      store,
      transactions.map((transaction) => ({ ...transaction, account: ACCOUNT })),
    );
  const app = await buildTestApp({
    clock,
    store: wrap(store),
    cursorSecrets: ['a secret of the examples, long enough'],
    randomBytes: (length) => createHash('sha512').update('the examples').digest().subarray(0, length),
    config: { ...testConfig, rateLimit: { perSecond: 1000, burst: 2000 }, ...settings },
  });
  const operator = await buildTestOperatorApp(store, clock);
  return { app, operator, key: await app.makeKey(ACCOUNT, { scopes: ['read', 'webhooks'] }), clock };
}

/** Sends over a socket, because some errors never reach a handler. */
async function send({ request }: ProblemExample, { app, operator, key }: Served) {
  const isOperators = request.target.startsWith('/v1/accounts');
  const { server } = isOperators ? operator : app;
  const address = await server.listen({ host: '127.0.0.1', port: 0 });
  const headers = Object.entries(request.headers).map(([name, value]) => [
    name,
    value.replace(KEY_PLACEHOLDER, isOperators ? operator.key : key),
  ]);
  const sent = httpRequest(address + request.target, {
    method: request.method,
    headers: Object.fromEntries(headers),
    agent: false,
  });
  const answered = once(sent, 'response');
  // The service can close the connection while a refused body is sent.
  sent.on('error', () => {});
  sent.end(request.body);
  const [response] = (await answered) as [IncomingMessage];
  return { response, body: JSON.parse(await text(response)) };
}

/** Sends the request of an example, compares the response with it, and ends the service. */
export async function checkExample(example: ProblemExample, served: Served): Promise<void> {
  try {
    const { response, body } = await send(example, served);
    assert.equal(response.statusCode, example.response.status);
    assert.deepEqual(body, { ...example.response, requestId: response.headers['request-id'] });
    for (const [name, value] of Object.entries(example.headers)) {
      assert.equal(response.headers[name.toLowerCase()], value, name);
    }
  } finally {
    await Promise.all([served.app.server.close(), served.operator.server.close()]);
  }
}
