import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { FormattedChange } from '../../src/ledger/changes/change.ts';
import {
  EXPORT_EXAMPLE_QUERY,
  EXPORT_EXAMPLES,
  MANIFEST_EXAMPLES,
} from '../../src/ledger/exports/http/export-examples.ts';
import {
  EXAMPLE_EXPORT_ID,
  EXAMPLE_NOW_MS,
  EXAMPLE_TRANSACTIONS,
} from '../../src/ledger/http/transaction-examples.ts';
import type { ListFilter } from '../../src/ledger/list/list-filter.ts';
import { NO_SEAL, sealAfter, sealedText } from '../../src/ledger/seals/seal.ts';
import { IN_MEMORY_URL, openStore } from '../../src/store/open-store.ts';
import { expectedCsv, expectedNdjson } from '../rig/data/expected-export.ts';
import { expectedList, filterSubsets } from '../rig/data/expected-list.ts';
import { DAY, record, transaction } from '../rig/data/transactions.ts';
import { buildTestApp, type TestApp, testClock } from '../rig/service/app.ts';
import { storeWith } from '../rig/store/store-with.ts';

const ACCOUNT = 'store-1';

/** Rows of two accounts with ties, in every status and currency, and with texts that need quotes or a guard. */
const ROWS = Array.from({ length: 500 }, (_, index) =>
  transaction(index % 5 === 0 ? 'store-2' : ACCOUNT, `t${(index * 7919) % 1000}`, {
    createdAtMs: DAY('2026-03-01') + Math.floor(index / 7) * 3_700_000,
    status: ['pending', 'completed', 'completed', 'failed'][(index * 13) % 4] as string,
    currencyCode: ['EUR', 'USD', 'JPY'][(index * 31) % 3] as string,
    amountMinor: (index - 100) * 12_345,
    merchantReference:
      [null, 'order-1', '=1+1', 'a "quote", and a comma', 'größer 😀', ' ;"=1', 'a -1'][(index * 17) % 7] ??
      null,
  }),
);

const FILTERS: readonly ListFilter[] = [
  ['pending', 'USD', '2026-03-02', '2026-03-03', 'order-1'],
  ['completed', 'EUR', '2026-03-01', '2026-03-01', '=1+1'],
].flatMap(([status = '', currency = '', from = '', to = '', merchantReference = '']) =>
  filterSubsets({ status, currency, from, to, timeZone: 'Asia/Kolkata', merchantReference }),
);

async function appWithRows(): Promise<{ app: TestApp; key: string }> {
  const app = await buildTestApp();
  // Two of three become pending first.
  await record(
    app.store,
    ROWS.map((row, index) => (index % 3 === 0 ? row : { ...row, status: 'pending', paidAtMs: null })),
  );
  await record(app.store, ROWS.toReversed());
  return { app, key: await app.makeKey(ACCOUNT) };
}

function queryOf(filter: ListFilter): string {
  const sent = Object.entries(filter).filter(([, value]) => value !== null) as [string, string][];
  return new URLSearchParams(sent).toString();
}

describe('an export', () => {
  test('200: has the rows of the list, with every combination of filters, in both formats', async () => {
    const { app, key } = await appWithRows();
    for (const filter of FILTERS) {
      const rows = expectedList(ROWS, ACCOUNT, filter);
      const query = queryOf(filter);
      const csv = await app.send(`/v1/transactions.csv?${query}`, { key });
      assert.deepEqual([csv.status, csv.text], [200, expectedCsv(rows, filter)], query);
      const guarded = await app.send(`/v1/transactions.csv?spreadsheet=true&${query}`, { key });
      assert.equal(guarded.text, expectedCsv(rows, { ...filter, spreadsheet: true }), query);
      const ndjson = await app.send(`/v1/transactions.ndjson?${query}`, { key });
      const lines = ndjson.text.split(/(?<=\n)/);
      const manifest = JSON.parse(lines.pop() ?? '').export;
      assert.equal(lines.join(''), expectedNdjson(rows), query);
      assert.deepEqual((await app.send(`/v1/exports/${manifest.id}`, { key })).body, manifest);
      assert.equal(manifest.state, 'complete');
    }
  });

  test('200: its manifest has the rows, bytes, hash and totals of what was sent', async () => {
    const { app, key } = await appWithRows();
    const sent = await app.send('/v1/transactions.csv?from=2026-03-01', { key });
    const { body } = await app.send(`/v1/exports/${sent.headers['export-id']}`, { key });
    const rows = expectedList(ROWS, ACCOUNT, { ...(FILTERS[0] as ListFilter), ...EVERYTHING });
    const bytes = Buffer.from(sent.text);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const expected = { rows: rows.length, bytes: bytes.length, sha256, filters: { from: '2026-03-01' } };
    assert.deepEqual(
      { rows: body.rows, bytes: body.bytes, sha256: body.sha256, filters: body.filters },
      expected,
    );
    const { body: totals } = await app.send('/v1/totals?from=2026-03-01', { key });
    assert.deepEqual({ data: body.totals, asOf: body.asOf, asOfId: body.asOfId }, totals);
    assert.equal(sent.headers['export-as-of'], String(totals.asOf));
    assert.equal(sent.headers['export-as-of-id'], totals.asOfId);
    // Nothing is sealed in this test: the seal is computed from the changes.
    const { body: feed } = await app.send('/v1/changes?limit=1000', { key });
    assert.equal(feed.data.length, body.asOf);
    assert.equal(
      body.seal,
      feed.data.reduce(
        (seal: string, change: FormattedChange) => sealAfter(seal, sealedText(change)),
        NO_SEAL,
      ),
    );
  });

  test('200: with gzip it has the same bytes, and the hash of the uncompressed ones', async () => {
    const { app, key } = await appWithRows();
    for (const format of ['csv', 'ndjson']) {
      const plain = await app.send(`/v1/transactions.${format}`, { key });
      const headers = { authorization: `Bearer ${key}`, 'accept-encoding': 'br;q=0.9, gzip' };
      const { rawPayload, headers: sent } = await app.server.inject({
        url: `/v1/transactions.${format}`,
        headers,
      });
      assert.equal(sent['content-encoding'], 'gzip');
      assert.equal(sent['vary'], 'accept-encoding');
      assert.ok(rawPayload.length < plain.text.length / 2);
      const withoutManifest = (text: string) => text.replace(/^\{"export".*\n/m, '');
      const text = gunzipSync(rawPayload).toString();
      assert.equal(withoutManifest(text), withoutManifest(plain.text));
      const { body } = await app.send(`/v1/exports/${sent['export-id']}`, { key });
      const hash = createHash('sha256').update(withoutManifest(text)).digest('hex');
      assert.deepEqual([body.state, body.sha256], ['complete', hash]);
    }
    for (const accepted of ['gzip;q=0', 'br', 'identity, gzip;q=0.0']) {
      const headers = { 'accept-encoding': accepted };
      const { headers: sent } = await app.send('/v1/transactions.csv', { key, headers });
      assert.equal(sent['content-encoding'], undefined, accepted);
    }
  });

  test('200: HEAD has its headers, and runs none', async () => {
    const { app, key } = await appWithRows();
    const head = await app.send('/v1/transactions.csv?currency=EUR', { key, method: 'HEAD' });
    assert.deepEqual([head.status, head.text, head.headers['export-id']], [200, '', undefined]);
    assert.equal(head.headers['content-type'], 'text/csv; charset=utf-8; header=present');
    assert.equal((await app.send('/v1/transactions.csv?currency=eur', { key, method: 'HEAD' })).status, 400);
  });

  test('200: the responses are the examples of the reference', async () => {
    const clock = testClock(EXAMPLE_NOW_MS);
    const options = { drawNonce: () => 1 };
    const { store } = await openStore(IN_MEMORY_URL, clock.now, options);
    const app = await buildTestApp({
      clock,
      store,
      randomBytes: (length) => createHash('sha512').update('the examples').digest().subarray(0, length),
    });
    await record(
      store,
      EXAMPLE_TRANSACTIONS.map((one) => ({ ...one, account: ACCOUNT })),
    );
    const authorization = `Bearer ${await app.makeKey(ACCOUNT)}`;
    const get = (url: string) => app.server.inject({ url, headers: { authorization } });
    const csv = await get(`/v1/transactions.csv?${EXPORT_EXAMPLE_QUERY}`);
    assert.equal(csv.body, EXPORT_EXAMPLES.csv.usd.value);
    assert.equal(csv.headers['export-id'], EXAMPLE_EXPORT_ID);
    const manifest = await get(`/v1/exports/${EXAMPLE_EXPORT_ID}`);
    assert.deepEqual(manifest.json(), MANIFEST_EXAMPLES.complete.value);
  });
});

test('200: its totals have the order of currency and status, also if the database returns them in another', async () => {
  const clock = testClock();
  const { store } = await openStore(IN_MEMORY_URL, clock.now);
  const rows = ['USD', 'EUR', 'JPY'].flatMap((currencyCode) =>
    ['pending', 'completed'].map((status) =>
      transaction(ACCOUNT, `${currencyCode}-${status}`, {
        currencyCode,
        status,
        merchantReference: 'order-1',
      }),
    ),
  );
  await record(store, rows);
  const sumListed: typeof store.sumListed = async (...query) => {
    const read = await store.sumListed(...query);
    return {
      ...read,
      totals: read.totals.toSorted((left, right) => (left.currencyCode > right.currencyCode ? -1 : 1)),
    };
  };
  const app = await buildTestApp({ clock, store: storeWith(store, { sumListed }) });
  const key = await app.makeKey(ACCOUNT);
  const { headers } = await app.send('/v1/transactions.csv?merchantReference=order-1', { key });
  const { totals } = (await app.send(`/v1/exports/${headers['export-id']}`, { key })).body;
  assert.deepEqual(
    totals.map((total: { currencyCode: string; status: string }) => `${total.currencyCode} ${total.status}`),
    ['EUR', 'JPY', 'USD'].flatMap((currency) => [`${currency} completed`, `${currency} pending`]),
  );
});

test('404: the export of another account, an unknown one, and one that began 24 hours ago', async () => {
  const { app, key } = await appWithRows();
  const { headers } = await app.send('/v1/transactions.csv', { key });
  const path = `/v1/exports/${headers['export-id']}`;
  const other = await app.send(path, { key: await app.makeKey('store-2') });
  const unknown = await app.send('/v1/exports/exp_0000000000000000', { key });
  const malformed = await app.send('/v1/exports/exp_1', { key });
  const { requestId: _, ...expected } = unknown.body;
  for (const { status, body } of [other, unknown, malformed]) {
    const { requestId: _, ...shown } = body;
    assert.deepEqual([status, shown], [404, expected]);
  }
  app.clock.advance(24 * 3_600_000 - 1);
  assert.equal((await app.send(path, { key })).status, 200);
  app.clock.advance(1);
  assert.equal((await app.send(path, { key })).status, 404);
});

const EVERYTHING = { status: null, currency: null, to: null, merchantReference: null, from: '2026-03-01' };
