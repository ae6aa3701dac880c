import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { DAY, record, transaction } from '../rig/data/transactions.ts';
import { buildTestApp, type TestApp } from '../rig/service/app.ts';
import { type Assistant, connectAssistant } from './assistant.ts';

/*
 * Questions of a support agent, and the calls of an assistant that knows the address, a key and the result of
 * tools/list. Each answer is compared with the expected one, computed from the rows of the test.
 */

const MINUTE_MS = 60_000;
const at = (day: string, minutes = 0) => DAY(day) + minutes * MINUTE_MS;

const ROWS = [
  transaction('store-1', 'mueller', {
    createdAtMs: at('2026-06-08', 610),
    paidAtMs: at('2026-06-08', 612),
    amountMinor: 7990,
    merchantReference: 'ORD-1042',
  }),
  transaction('store-1', 'refund', {
    createdAtMs: at('2026-06-10', 5),
    paidAtMs: at('2026-06-10', 5),
    amountMinor: -7990,
    status: 'refunded',
    merchantReference: 'ORD-1042',
  }),
  transaction('store-1', 'waiting', {
    createdAtMs: at('2026-06-09'),
    amountMinor: 1500,
    status: 'pending',
    merchantReference: 'ORD-1050',
  }),
  transaction('store-1', 'francs', {
    createdAtMs: at('2026-06-09', 30),
    amountMinor: 12050,
    currencyCode: 'CHF',
  }),
  transaction('store-1', 'failed', { createdAtMs: at('2026-06-11'), amountMinor: 100, status: 'failed' }),
  ...Array.from({ length: 40 }, (_, index) =>
    transaction('store-1', `may-${index}`, {
      createdAtMs: at('2026-05-01', index * 700),
      amountMinor: 1000 + index,
    }),
  ),
];

let app: TestApp;
let assistant: Assistant;

before(async () => {
  app = await buildTestApp();
  await record(app.store, ROWS);
  assistant = await connectAssistant(app, await app.makeKey('store-1', { scopes: ['read', 'webhooks'] }));
});

const ask = async (name: string, given: Record<string, unknown> = {}) => {
  const { isError, structuredContent, content } = await assistant.call(name, given);
  assert.equal(isError, undefined, content[0]?.text);
  return structuredContent;
};
const references = ({ data }: { data: { reference: string }[] }) => data.map(({ reference }) => reference);

test('1. Has order 1042 been paid, and when?', async () => {
  const found = await ask('find_transactions', { text: 'ord-1042', status: 'completed' });
  assert.deepEqual(references(found), ['store-1.mueller']);
  assert.equal(found.data[0].paidAt, '2026-06-08T10:12:00.000Z');
});

test('2. Was it refunded, with how much?', async () => {
  const found = await ask('find_transactions', { text: 'ord-1042', status: 'refunded' });
  assert.deepEqual([references(found), found.data[0].amount], [['store-1.refund'], '-79.90']);
});

test('3. Which payment of about 80 euros came in that week?', async () => {
  const found = await ask('find_transactions', {
    amountFrom: 78,
    amountTo: '82.00',
    currency: 'EUR',
    from: '2026-06-08',
    to: '2026-06-14',
  });
  assert.deepEqual(references(found), ['store-1.mueller']);
});

test('4. Which payments are still pending?', async () => {
  assert.deepEqual(references(await ask('list_transactions', { status: 'pending' })), ['store-1.waiting']);
});

test('5. What became of the payment store-1.failed?', async () => {
  const { transaction: found, changes } = await ask('get_transaction', { reference: 'store-1.failed' });
  assert.equal(found.status, 'failed');
  assert.equal(changes.at(-1).type, 'transaction.failed');
});

test('6. How much was completed in May, by currency?', async () => {
  const { data } = await ask('totals', { from: '2026-05-01', to: '2026-05-31', status: 'completed' });
  const amountMinor = ROWS.filter(({ reference }) => reference.includes('may-')).reduce(
    (sum, row) => sum + row.amountMinor,
    0,
  );
  assert.deepEqual(data, [
    { currencyCode: 'EUR', status: 'completed', count: 40, amount: (amountMinor / 100).toFixed(2) },
  ]);
});

test('7. On which day of June was the most taken?', async () => {
  const { data, omittedRows } = await ask('totals', {
    from: '2026-06-01',
    status: 'completed',
    currency: 'EUR',
    by: 'day',
  });
  assert.deepEqual([data.map(({ day }: { day: string }) => day), omittedRows], [['2026-06-08'], 0]);
});

test('8. List all payments of May', async () => {
  const all: string[] = [];
  for (let given: Record<string, unknown> = { from: '2026-05-01', to: '2026-05-31' }; ; ) {
    const page = await ask('list_transactions', given);
    all.push(...references(page));
    if (!page.hasMore) break;
    given = { ...given, cursor: page.nextCursor };
  }
  assert.equal(new Set(all).size, 40);
  assert.equal(all.length, 40);
});

test('9. Our program got date_range_too_long: what shall we do?', async () => {
  const { cause, solution } = await ask('explain_error', { code: 'date_range_too_long' });
  assert.match(cause, /days/);
  assert.match(solution, /90/);
});

test('10. Did webhooks fail?', async () => {
  const url = 'https://shop.example/webhooks';
  const created = await app.send('/v1/webhooks', {
    method: 'POST',
    key: await app.makeKey('store-1', { scopes: ['webhooks'] }),
    body: { url },
  });
  assert.equal(created.status, 201, created.text);
  const { endpoints } = await ask('webhook_failures');
  assert.deepEqual(
    endpoints.map(({ id, failureCount }: { id: string; failureCount: number }) => [id, failureCount]),
    [[created.body.id, 0]],
  );
  assert.deepEqual(await ask('webhook_failures', { id: created.body.id }), { failures: [], hasMore: false });
});
