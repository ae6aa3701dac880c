import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { PAID, PENDING } from '../../rig/http/request-bodies.ts';
import { buildTestApp, type TestApp } from '../../rig/service/app.ts';
import { buildTestOperatorApp, type TestOperatorApp } from '../../rig/service/operator-app.ts';

const AT = (name: string) => `/v1/accounts/store-1/transactions/store-1.${name}`;
const DETAILS = { customer: 'Zoë Müller', last4: '4242' };

let app: TestApp;
let operator: TestOperatorApp;
let key: string;
beforeEach(async () => {
  app = await buildTestApp();
  operator = await buildTestOperatorApp(app.store, app.clock);
  key = await app.makeKey('store-1');
});

const put = (name: string, body: object) => operator.send(AT(name), { method: 'PUT', body });
const read = async (path: string) => {
  const { status, body, text } = await app.send(path, { key });
  assert.equal(status, 200, text);
  return body;
};

test('details and relatedTo are in each response that shows the transaction, and in no other transaction', async () => {
  assert.equal((await put('plain', PAID)).status, 201);
  assert.equal((await put('refund', { ...PAID, details: DETAILS, relatedTo: 'store-1.plain' })).status, 201);
  const shown = await read('/v1/transactions/store-1.refund');
  assert.deepEqual([shown.details, shown.relatedTo], [DETAILS, 'store-1.plain']);
  const plain = await read('/v1/transactions/store-1.plain');
  assert.deepEqual(Object.keys(plain).sort(), [
    ...['amount', 'createdAt', 'currencyCode', 'merchantReference', 'paidAt', 'reference', 'status'],
  ]);
  const { data } = await read('/v1/transactions');
  assert.deepEqual(
    data.map(({ details }: { details?: object }) => details).filter((one: unknown) => one !== undefined),
    [DETAILS],
  );
  const found = await read('/v1/search?text=MÜLL');
  assert.deepEqual(
    found.data.map(({ reference }: { reference: string }) => reference),
    ['store-1.refund'],
  );
  const related = await read('/v1/transactions/store-1.plain/related');
  assert.deepEqual(related.data, [shown]);
  assert.deepEqual((await read('/v1/transactions/store-1.refund/related')).data, []);
});

test('the final change can add names, and no value ever changes', async () => {
  assert.equal((await put('a', { ...PENDING, details: { customer: 'Ada' } })).status, 201);
  const changed = await put('a', { ...PAID, details: { customer: 'Bob' } });
  assert.deepEqual([changed.status, changed.body.code], [409, 'transaction_conflict']);
  assert.deepEqual(changed.body.differences, [{ field: 'details.customer', recorded: 'Ada', given: 'Bob' }]);
  const final = await put('a', { ...PAID, details: { customer: 'Ada', last4: '4242' } });
  assert.equal(final.status, 200, final.text);
  const { data } = await read('/v1/changes');
  assert.deepEqual(
    data.map(({ transaction }: { transaction: { details: object } }) => transaction.details),
    [{ customer: 'Ada' }, { customer: 'Ada', last4: '4242' }],
  );
});

test('a card number is refused and repeated nowhere; a merchantReference may look like one', async () => {
  const number = '4242 4242-4242 4242';
  const refused = await put('a', { ...PAID, details: { card: `no. ${number}` } });
  assert.deepEqual([refused.status, refused.body.errors[0].code], [422, 'card_number']);
  assert.ok(!refused.text.includes('4242') && !operator.logged.join('').includes('4242'));
  assert.equal((await put('b', { ...PAID, merchantReference: '4242424242424242' })).status, 201);
});

test('removed details are in no response, and recording again neither conflicts nor brings them back', async () => {
  assert.equal((await put('a', { ...PAID, details: DETAILS })).status, 201);
  const removed = await operator.send(`${AT('a')}/details`, { method: 'DELETE' });
  assert.equal(removed.status, 204);
  assert.equal((await put('a', { ...PAID, details: DETAILS })).status, 200);
  const shown = await read('/v1/transactions/store-1.a');
  assert.match(shown.detailsRemovedAt, /Z$/);
  for (const path of [
    '/v1/transactions',
    '/v1/changes',
    '/v1/transactions.ndjson',
    '/v1/transactions.csv?details=customer',
  ])
    assert.ok(!(await app.send(path, { key })).text.includes('Müller'), path);
  assert.deepEqual((await read('/v1/search?text=müller')).data, []);
});

test('a CSV file has the columns that are asked for', async () => {
  assert.equal((await put('a', { ...PAID, details: DETAILS, relatedTo: 'store-1.x' })).status, 201);
  const lines = async (query: string) =>
    (await app.send(`/v1/transactions.csv${query}`, { key })).text.split('\r\n');
  assert.ok(!(await lines(''))[0]?.includes('details'));
  const [header = '', row = ''] = await lines('?details=customer,last4&relatedTo=true');
  assert.match(
    header,
    /,details\.customer,details\.last4,relatedTo$|,relatedTo,details\.customer,details\.last4$/,
  );
  assert.ok(row.includes('Zoë Müller') && row.includes('4242') && row.includes('store-1.x'), row);
});
