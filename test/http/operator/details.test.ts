import assert from 'node:assert/strict';

import { beforeEach, describe, test } from 'node:test';
import { buildTestApp, type TestApp } from '../../rig/service/app.ts';
import { buildTestOperatorApp, type TestOperatorApp } from '../../rig/service/operator-app.ts';

const ROOT = '/v1/accounts/store-1/transactions';
const PAID = {
  merchantReference: 'order-1',
  status: 'completed',
  amount: '79.90',
  currencyCode: 'EUR',
  paidAt: '2026-03-01T10:00:05.000Z',
  createdAt: '2026-03-01T10:00:00.000Z',
};
const PENDING = { ...PAID, status: 'pending', paidAt: null };
const ADA = { last4: '4242', customer: 'Ada Lovelace' };
const REFUND = { ...PAID, amount: '-20.00', createdAt: '2026-03-02T10:00:00.000Z', relatedTo: 'store-1.pay' };

describe('details and related transactions', () => {
  let app: TestApp;
  let operator: TestOperatorApp;
  let key: string;
  beforeEach(async () => {
    app = await buildTestApp();
    operator = await buildTestOperatorApp(app.store, app.clock);
    key = await app.makeKey('store-1');
  });

  const put = (name: string, body: object) =>
    operator.send(`${ROOT}/store-1.${name}`, { method: 'PUT', body });
  const get = (path: string) => app.send(path, { key });
  const remove = (name: string) => operator.send(`${ROOT}/store-1.${name}/details`, { method: 'DELETE' });

  test('a transaction without them has the same bytes and headers as before in every response and file', async () => {
    await put('pay', PAID);
    const row =
      '{"reference":"store-1.pay","merchantReference":"order-1","status":"completed","amount":"79.90","currencyCode":"EUR","paidAt":"2026-03-01T10:00:05.000Z","createdAt":"2026-03-01T10:00:00.000Z"}';
    assert.equal((await get('/v1/transactions/store-1.pay')).text, row);
    const repeated = await put('pay', PAID);
    assert.equal(repeated.text, row);
    const names = ({ headers }: { headers: object }) =>
      Object.keys(headers)
        .filter((name) => !['connection', 'content-length', 'date', 'transfer-encoding'].includes(name))
        .sort()
        .join(' ');
    const ofAll = 'cache-control content-type request-id x-content-type-options';
    for (const path of ['transactions', 'transactions/store-1.pay', 'search?text=order', 'changes'])
      assert.equal(names(await get(`/v1/${path}`)), ofAll, path);
    for (const path of ['transactions.csv', 'transactions.ndjson'])
      assert.equal(
        names(await get(`/v1/${path}`)),
        'cache-control content-disposition content-type export-as-of export-as-of-id export-id request-id vary x-content-type-options',
      );
    assert.equal(
      names(repeated),
      'cache-control change-id change-sequence content-type recording-outcome request-id x-content-type-options',
    );
    assert.equal((await get('/v1/transactions')).text, `{"data":[${row}],"nextCursor":null,"hasMore":false}`);
    assert.ok((await get('/v1/search?text=order')).text.startsWith(`{"data":[${row}],"searchedBackTo"`));
    assert.ok((await get('/v1/changes')).text.includes(`"transaction":${row}}],"lastSequence":1`));
    assert.ok((await get('/v1/transactions.ndjson')).text.startsWith(`${row}\n{"export":`));
    assert.equal(
      (await get('/v1/transactions.csv')).text,
      'reference,merchantReference,status,amount,currencyCode,paidAt,createdAt\r\nstore-1.pay,order-1,completed,79.90,EUR,2026-03-01T10:00:05.000Z,2026-03-01T10:00:00.000Z\r\n',
    );
  });

  test('names that come with the final change are in the second change alone', async () => {
    assert.equal((await put('pay', { ...PENDING, details: { customer: 'Ada Lovelace' } })).status, 201);
    assert.equal((await put('pay', { ...PAID, details: { ...ADA, customer: 'Eve' } })).status, 409);
    const paid = await put('pay', { ...PAID, details: ADA });
    assert.deepEqual([paid.status, paid.body.details], [200, ADA]);
    const { data } = (await get('/v1/changes')).body;
    assert.deepEqual(
      data.map(({ transaction }: { transaction: { details: object } }) => transaction.details),
      [{ customer: 'Ada Lovelace' }, ADA],
    );
    assert.equal((await put('pay', { ...PAID, details: ADA })).headers['recording-outcome'], 'unchanged');
  });

  test('422 card_number: a card number is refused in details in every way in, and accepted as merchantReference', async () => {
    const card = { ...PAID, details: { note: 'card 4111 1111-1111 1111' } };
    const fault = { pointer: '/details/note', code: 'card_number' };
    const refused = await put('pay', card);
    assert.equal(refused.status, 422);
    assert.partialDeepStrictEqual(refused.body.errors, [fault]);
    const headers = { 'idempotency-key': 'k' };
    assert.equal((await operator.send(ROOT, { method: 'POST', body: card, headers })).status, 422);
    const line = JSON.stringify({ account: 'store-1', reference: 'store-1.pay', ...card });
    const batch = await operator.send('/v1/batch', {
      method: 'POST',
      text: `${line}\n`,
      headers: { 'content-type': 'application/x-ndjson' },
    });
    assert.partialDeepStrictEqual(JSON.parse(batch.text), { outcome: 'invalid', errors: [fault] });
    for (const text of [refused.text, batch.text, ...operator.logged]) assert.doesNotMatch(text, /4111/);
    assert.equal((await put('pay', { ...PAID, merchantReference: '4111111111111111' })).status, 201);
  });

  test('a search finds a part of any text of details, in upper and lower case, and no name of one', async () => {
    await put('pay', { ...PAID, details: { ...ADA, note: 'say "NO"' } });
    await put('later', { ...PENDING, details: { customer: 'Eve' } });
    await put('later', { ...PAID, details: { customer: 'Eve', company: 'Größer GmbH' } });
    for (const [text, reference] of [
      ['LOVE', 'store-1.pay'],
      ['424', 'store-1.pay'],
      ['"no"', 'store-1.pay'],
      ['grö', 'store-1.later'],
    ] as const) {
      const { data } = (await get(`/v1/search?text=${encodeURIComponent(text)}`)).body;
      assert.deepEqual(
        data.map((one: { reference: string }) => one.reference),
        [reference],
        text,
      );
    }
    assert.deepEqual((await get('/v1/search?text=customer')).body.data, []);
  });

  test('a detail can have the name of a property that every object has, and is absent without one', async () => {
    await put('plain', { ...PAID, createdAt: '2026-02-01T10:00:00.000Z', details: ADA });
    const { text } = await get('/v1/transactions.csv?details=constructor');
    assert.match(text, /,details\.constructor\r\n.*000Z,\r\n$/);
    const other = await put('plain', {
      ...PAID,
      createdAt: '2026-02-01T10:00:00.000Z',
      details: { ...ADA, constructor: 'Babbage' },
    });
    assert.deepEqual(other.body.differences, [
      { field: 'details.constructor', recorded: null, given: 'Babbage' },
    ]);
    const paid = await put('pay', { ...PAID, details: { constructor: 'Babbage' } });
    assert.equal(paid.body.details.constructor, 'Babbage');
    assert.match((await get('/v1/transactions.csv?details=constructor')).text, /000Z,Babbage\r\n/);
  });

  test('CSV has columns of details and relatedTo on wish, and the manifest names them', async () => {
    await put('pay', { ...PAID, details: { customer: '=1, "2"' } });
    await put('re', REFUND);
    const query = 'relatedTo=true&details=customer,last4';
    const { text, headers } = await get(`/v1/transactions.csv?${query}`);
    assert.deepEqual(
      text.split('\r\n').map((line) => line.split(',').slice(7).join(',')),
      ['relatedTo,details.customer,details.last4', 'store-1.pay,,', ',"=1, ""2""",', ''],
    );
    const id = String(headers['export-id']);
    const manifest = (await get(`/v1/exports/${id}`)).body;
    assert.deepEqual(manifest.filters, { relatedTo: 'true', details: 'customer,last4' });
    const guarded = await get(`/v1/transactions.csv?details=customer&spreadsheet=true`);
    assert.ok(guarded.text.includes(`"'=1, ""2"""`));
  });

  test('an export has the times at which transactions and their statuses were recorded, as the changes have them', async () => {
    await put('pay', PENDING);
    app.clock.advance(60_000);
    await put('pay', PAID);
    app.clock.advance(60_000);
    await put('re', { ...REFUND, status: 'pending', paidAt: null });
    const changes = (await get('/v1/changes')).body.data as {
      recordedAt: string;
      transaction: { reference: string };
    }[];
    const timesOf = (reference: string) =>
      changes.filter((one) => one.transaction.reference === reference).map((one) => one.recordedAt);
    const expected = ['store-1.pay', 'store-1.re'].map((reference) => {
      const times = timesOf(reference);
      return [reference, times[0], times.at(-1)].join(' ');
    });
    for (const query of ['', '&status=pending', '&status=completed']) {
      const lines = (await get(`/v1/transactions.ndjson?recordedAt=true${query}`)).text.trimEnd().split('\n');
      const rows = lines.slice(0, -1).map((line) => JSON.parse(line));
      const shown = rows.map((one) => [one.reference, one.recordedAt, one.statusRecordedAt].join(' '));
      assert.deepEqual(
        shown.sort(),
        expected.filter((one) => query === '' || one.includes(query.includes('pending') ? '.re ' : '.pay ')),
      );
    }
    const csv = await get('/v1/transactions.csv?recordedAt=true&details=customer');
    const [head, first] = csv.text.split('\r\n').map((line) => line.split(',').slice(7));
    assert.deepEqual(head, ['recordedAt', 'statusRecordedAt', 'details.customer']);
    assert.ok(expected.some((one) => one.endsWith(first?.slice(0, 2).join(' ') ?? '')));
    assert.equal((await get('/v1/transactions.ndjson?recordedAt=1')).body.code, 'invalid_column');
    assert.doesNotMatch((await get('/v1/transactions.ndjson')).text, /recordedAt/);
  });

  test('details that are removed are nowhere, the audit trail says who did it, and a repetition does not bring them back', async () => {
    await put('pay', { ...PENDING, details: ADA });
    const removed = await remove('pay');
    assert.equal(removed.status, 204);
    const at = new Date(app.clock.now()).toISOString();
    for (const repeated of [{ ...PENDING, details: ADA }, PENDING]) {
      const again = await put('pay', repeated);
      assert.equal(again.headers['recording-outcome'], 'unchanged');
      assert.deepEqual([again.body.details, again.body.detailsRemovedAt], [undefined, at]);
    }
    const paid = await put('pay', { ...PAID, details: { ...ADA, method: 'card' } });
    assert.equal(paid.headers['recording-outcome'], 'changed');
    assert.deepEqual([paid.body.details, paid.body.detailsRemovedAt], [undefined, at]);
    assert.equal((await remove('pay')).status, 204);
    const absent = await remove('none');
    assert.equal(absent.status, 404);
    assert.match(absent.body.detail, /^No transaction of this account has this reference\./);
    await put('both', { ...PENDING, details: { customer: 'Ada Lovelace' } });
    await put('both', { ...PAID, details: ADA });
    assert.equal((await remove('both')).status, 204);
    for (const path of ['/v1/transactions', '/v1/changes', '/v1/transactions.ndjson'])
      assert.doesNotMatch((await get(path)).text, /Ada|4242|card/);
    const audit = await app.store.listAudit('store-1', null, 10);
    assert.deepEqual(
      audit
        .filter(({ action }) => action === 'details.removed')
        .map(({ subject, detail }) => [subject, detail])
        // Both were removed in the same millisecond.
        .sort(),
      [
        ['store-1.both', null],
        ['store-1.pay', null],
      ],
    );
  });

  test('a POST is repeated with its details alone, until they are removed', async () => {
    const post = (details: object) =>
      operator.send(ROOT, {
        method: 'POST',
        body: { ...PAID, details },
        headers: { 'idempotency-key': 'once' },
      });
    const first = await post(ADA);
    assert.equal((await post(ADA)).text, first.text);
    const other = await post({ customer: 'Eve' });
    assert.deepEqual([other.status, other.body.code], [409, 'idempotency_key_reused']);
    await operator.send(`${ROOT}/${first.body.reference}/details`, { method: 'DELETE' });
    for (const details of [ADA, { customer: 'Eve' }]) {
      const { status, body } = await post(details);
      assert.deepEqual([status, body.reference, body.details], [201, first.body.reference, undefined]);
    }
  });

  test('404: an account reads its details, and no key of it removes them', async () => {
    const { status } = await app.send('/v1/transactions/store-1.pay/details', { key, method: 'DELETE' });
    assert.equal(status, 404);
  });
});
