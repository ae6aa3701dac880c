import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import type { App } from '../../src/service/app.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { buildTestApp } from '../rig/service/app.ts';
import { buildTestOperatorApp } from '../rig/service/operator-app.ts';

const LIST = '/v1/transactions';
const TRANSACTION = {
  status: 'pending',
  amount: '1.00',
  currencyCode: 'EUR',
  createdAt: '2026-03-01T00:00:00Z',
};

/** Sends paths unchanged; fetch and inject remove dot segments. */
async function listen(t: TestContext, { server }: App) {
  await server.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => server.close());
  const { port } = server.server.address() as AddressInfo;
  return async (method: string, path: string, key: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const sent = request({ port, method, path, headers }).end(JSON.stringify(body));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    // biome-ignore lint/suspicious/noExplicitAny: bodies of two shapes are looked into
    return { status: response.statusCode, body: (await json(response)) as any };
  };
}

test('422, and an invalid line: a reference or an account that is . or .., which a URL cannot contain', async (t) => {
  const app = await buildTestApp();
  const operator = await buildTestOperatorApp(app.store, app.clock);
  const send = await listen(t, operator);
  for (const dots of ['.', '..', '%2e', '%2E%2e']) {
    for (const path of [`store-1/transactions/${dots}`, `${dots}/transactions/tx_1`]) {
      const { status, body } = await send('PUT', `/v1/accounts/${path}`, operator.key, TRANSACTION);
      assert.equal(status, 422, path);
      assert.match(body.errors[0].detail, /which a URL cannot contain/);
    }
    assert.equal((await send('POST', `/v1/accounts/${dots}/keys`, operator.key, {})).status, 422);
  }
  const line = (fields: object) =>
    JSON.stringify({ ...TRANSACTION, account: 'store-1', reference: 'r', ...fields });
  const text = [line({ reference: '.' }), line({ account: '..' }), line({ reference: '...' })].join('\n');
  const headers = { 'content-type': 'application/x-ndjson' };
  const batch = await operator.send('/v1/batch', { method: 'POST', text, headers });
  const outcomes = batch.text.trim().split('\n');
  assert.deepEqual(
    outcomes.map((one) => JSON.parse(one).outcome),
    ['invalid', 'invalid', 'recorded'],
  );
});

test('200: a recorded transaction with the reference . or .. is listed', async (t) => {
  const app = await buildTestApp();
  const key = await app.makeKey('store-1');
  const send = await listen(t, app);
  await record(app.store, [{ ...transaction('store-1', 'a'), reference: '..' }]);
  const { status, body } = await send('GET', LIST, key);
  assert.equal(status, 200);
  assert.equal(body.data[0].reference, '..');
  assert.equal((await send('GET', `${LIST}/..`, key)).status, 404);
});
