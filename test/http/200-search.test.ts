import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_COMPARED_BY_SEARCH, MAX_FOUND } from '../../src/ledger/search/search-transactions.ts';
import { DAY, record, transaction } from '../rig/data/transactions.ts';
import { buildTestApp, type TestApp, testConfig } from '../rig/service/app.ts';

const SEARCH = '/v1/search';

const at = (index: number) => ({ createdAtMs: DAY('2026-03-01') + index * 1000 });

/** The references and the cursors of all responses of a search. */
async function searchAll(app: TestApp, key: string, query: string) {
  const references: string[] = [];
  const searchedBackTo: string[] = [];
  for (let path = `${SEARCH}?${query}`; ; ) {
    const { status, body, text } = await app.send(path, { key });
    assert.equal(status, 200, text);
    assert.equal(body.hasMore, body.nextCursor !== null);
    references.push(...body.data.map(({ reference }: { reference: string }) => reference));
    searchedBackTo.push(body.searchedBackTo);
    if (!body.hasMore) return { references, searchedBackTo };
    path = `${SEARCH}?cursor=${body.nextCursor}`;
  }
}

test('200: a response has at most 100 transactions, and its cursor alone continues after them', async () => {
  const app = await buildTestApp();
  const rows = Array.from({ length: 250 }, (_, index) =>
    transaction('store-1', `r${1000 + index}`, at(index >> 2)),
  );
  await record(app.store, rows);
  const key = await app.makeKey('store-1');
  const first = await app.send(`${SEARCH}?text=E-1.R&currency=EUR`, { key });
  assert.equal(first.body.data.length, MAX_FOUND);
  assert.equal(first.body.searchedBackTo, first.body.data.at(-1).createdAt);
  assert.match(String(first.headers['link']), /^<\/v1\/search\?cursor=[\w-]+>; rel="next"$/);
  assert.match(String(first.headers['cursor-expires']), /Z$/);
  const { references } = await searchAll(app, key, 'text=E-1.R&currency=EUR');
  assert.deepEqual(references, rows.map(({ reference }) => reference).toReversed());
  const same = await app.send(`${SEARCH}?text=E-1.R&currency=EUR&cursor=${first.body.nextCursor}`, { key });
  assert.equal(same.body.data[0].reference, references[MAX_FOUND]);
});

test('200: a request compares a bounded number of transactions, and can be empty and have more', async () => {
  const app = await buildTestApp();
  const steps: number[] = [];
  const { searchTransactions } = app.store;
  let left = 25_000;
  app.store.searchTransactions = async (query, compared) => {
    steps.push(compared);
    left -= compared;
    const found = await searchTransactions(query, compared);
    return {
      ...found,
      end: left > 0 ? { createdAtMs: DAY('2026-03-01') - steps.length, reference: 'x' } : null,
    };
  };
  const key = await app.makeKey('store-1');
  const { references, searchedBackTo } = await searchAll(app, key, 'amount=1.00');
  assert.deepEqual(references, []);
  assert.deepEqual(searchedBackTo, ['2026-02-28T23:59:59.983Z', '0001-01-01T00:00:00.000Z']);
  const total = steps.reduce((sum, compared) => sum + compared, 0);
  assert.ok(total >= 25_000 && total < 25_000 + MAX_COMPARED_BY_SEARCH, String(total));
});

test('200: a search with the longest parameters has cursors of at most 512 characters, and Link continues it', async () => {
  const app = await buildTestApp();
  const merchantReference = '\u{1f600}"'.repeat(85);
  const rows = Array.from({ length: 150 }, (_, index) =>
    transaction('store-1', `r${index}`, { ...at(index), merchantReference }),
  );
  await record(app.store, rows);
  const key = await app.makeKey('store-1');
  const sent = new URLSearchParams({
    merchantReference,
    text: merchantReference.slice(0, 96),
    amountFrom: '0.01',
  });
  const first = await app.send(`${SEARCH}?${sent}`, { key });
  const { nextCursor } = first.body;
  assert.match(nextCursor, /^[A-Za-z0-9_-]{1,512}$/);
  const link = /^<([^>]+)>/.exec(first.headers['link'] ?? '')?.[1] ?? assert.fail('no link');
  const second = await app.send(link, { key });
  assert.equal(second.status, 200, second.text);
  assert.deepEqual([second.body.data.length, second.body.hasMore], [50, false]);
  const alone = await app.send(`${SEARCH}?cursor=${nextCursor}`, { key });
  assert.deepEqual([alone.status, alone.body.code], [400, 'cursor_filter_mismatch']);
  const other = await app.send(`${link}&status=completed`, { key });
  assert.deepEqual([other.status, other.body.code], [400, 'cursor_filter_mismatch']);
});

test('429: a search counts as several requests', async () => {
  const app = await buildTestApp({ config: { ...testConfig, rateLimit: { perSecond: 1, burst: 25 } } });
  const key = await app.makeKey('store-1');
  const statuses = [];
  for (let request = 0; request < 3; request++)
    statuses.push((await app.send(`${SEARCH}?text=abc`, { key })).status);
  assert.deepEqual(statuses, [200, 200, 429]);
  assert.equal((await app.send('/v1/transactions', { key })).status, 200);
});

test('200: a text is one phrase of one field, and what its documentation says finds a payment by a detail', async () => {
  const app = await buildTestApp();
  const details = JSON.stringify({ customer: 'Ada Lovelace', card: '9975' });
  await record(app.store, [transaction('store-1', 'r1', { ...at(0), details })]);
  const key = await app.makeKey('store-1');
  const counts = [];
  for (const text of ['a love', '9975', 'lovelace 9975']) {
    const { body } = await app.send(
      `${SEARCH}?${new URLSearchParams({ text, from: '2026-03-01', to: '2026-03-02' })}`,
      { key },
    );
    counts.push(body.data.length);
  }
  assert.deepEqual(counts, [1, 1, 0]);
  const { body } = await app.send('/openapi.json');
  const { parameters } = body.paths['/v1/search'].get;
  const { schema, description } = parameters.find(({ name }: { name: string }) => name === 'text');
  assert.match(description ?? schema.description, /^One phrase: .* or one value of details/);
});
