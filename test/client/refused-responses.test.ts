import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Key,
  type SearchPage,
  type Totals,
  type TransactionsClient,
  UnexpectedResponseError,
} from '../../client/src/index.ts';
import { PlatformClient } from '../../client/src/platform.ts';
import { scriptedExport } from '../rig/data/scripted-export.ts';
import { scriptedChange } from '../rig/data/scripted-feed.ts';
import { answer, answering, answersInTurn, clientOn, testOptions } from '../rig/http/client.ts';

const change = scriptedChange(8);
const row = change.transaction;
const page = { data: [row], nextCursor: null, hasMore: false };
const feed = { data: [change], lastSequence: 8, lastId: 'chg_8', headSequence: 8, hasMore: false };
const found: SearchPage = { ...page, searchedBackTo: row.createdAt };
const key: Key = { account: 'a', id: 'key_1', kind: 'key', person: null, scopes: ['read'], expiresAt: null };
const { manifest } = scriptedExport('csv');
const total = { currencyCode: 'EUR', status: 'completed', count: 3, amount: '30.00' };
const totals: Totals = { data: [total], asOf: 1, asOfId: 'chg_1' };
const byDay = { ...totals, data: [{ day: '2026-03-01', ...total }] };
const failure = {
  ...{ sequence: 3, attempts: 1, firstFailedAt: row.createdAt, lastFailedAt: row.createdAt },
  ...{ nextAttemptAt: null, responseStatus: 500, error: 'the receiver answered 500' },
};
const byMonth = { ...totals, data: [{ month: '2026-03', ...total }] };

const CALLS: readonly [
  name: string,
  call: (client: TransactionsClient) => Promise<unknown>,
  right: unknown,
  ...wrong: unknown[],
][] = [
  [
    'a page of a list',
    ({ transactions }) => transactions.page(),
    page,
    { ...page, data: [{ ...row, amount: 12.5 }] },
    { ...page, data: [{}] },
    { ...page, hasMore: true },
    { ...page, data: [], nextCursor: 'a', hasMore: true },
  ],
  ['a transaction', ({ transactions }) => transactions.retrieve('a'), row, page],
  [
    'a page of a search',
    async ({ transactions }) => (await Array.fromAsync(transactions.searchPages({ text: 'abc' })))[0],
    found,
    { ...found, searchedBackTo: undefined },
    { ...found, data: [{ ...row, amount: 49.9 }] },
    { ...found, hasMore: true },
  ],
  [
    'changes',
    ({ transactions }) => transactions.changes('a'),
    undefined,
    { data: [{}], nextCursor: null, hasMore: false },
  ],
  [
    'a page of a feed',
    ({ changes }) => changes.list({ after: 7 }),
    feed,
    { ...feed, data: null },
    { ...feed, lastSequence: 7 },
    { ...feed, lastId: 'chg_7' },
    { ...feed, headSequence: 7 },
    { ...feed, hasMore: true },
    { data: [], lastSequence: 7, lastId: 'chg_7', headSequence: 6, hasMore: false },
    ...[
      { sequence: '8' },
      { id: 8 },
      { type: null },
      { previousStatus: undefined },
      { recordedAt: 0 },
      { transaction: { ...row, amount: 12.5 } },
    ].map((fields) => ({ ...feed, data: [{ ...change, ...fields }] })),
    { ...feed, data: [null] },
  ],
  [
    'a key',
    (client) => client.key(),
    key,
    { ...key, account: 1 },
    { ...key, kind: null },
    { ...key, person: 1 },
    { ...key, scopes: [1] },
    { ...key, expiresAt: 0 },
  ],
  [
    'a manifest',
    ({ transactions }) => transactions.exportManifest(manifest.id),
    manifest,
    { ...manifest, state: 'done' },
    { ...manifest, rows: null },
    { ...manifest, bytes: '3' },
    { ...manifest, sha256: null },
    { ...manifest, totals: [{}] },
    { ...manifest, asOf: -1 },
    { ...manifest, asOfId: undefined },
    { ...manifest, id: 7 },
  ],
  [
    'totals',
    (client) => client.totals(),
    totals,
    byDay,
    byMonth,
    ...[{ count: 1.5 }, { amount: '30' }, { currencyCode: null }, { status: undefined }].map((fields) => ({
      ...totals,
      data: [{ ...total, ...fields }],
    })),
    { ...totals, data: [null] },
    { ...totals, asOf: '1' },
    { ...totals, archivedBefore: 1 },
  ],
  [
    'totals by day',
    (client) => client.totals({ by: 'day' }),
    byDay,
    totals,
    byMonth,
    { ...byDay, data: [{ ...total, day: 20 }] },
  ],
  ['totals by month', (client) => client.totals({ by: 'month' }), byMonth, totals, byDay],
  [
    'a page of failures',
    ({ webhooks }) => webhooks.failurePage('we_1'),
    { data: [failure], nextCursor: null, hasMore: false },
    { data: [{ ...failure, sequence: '3' }], nextCursor: null, hasMore: false },
  ],
  ['endpoints', ({ webhooks }) => webhooks.list(), undefined, { data: [{}] }],
  ['an endpoint', ({ webhooks }) => webhooks.retrieve('we_1'), undefined, { data: [{}] }],
];

for (const [name, call, right, ...wrong] of CALLS)
  test(`a response that is not ${name} is refused, and the request is not repeated`, async () => {
    for (const body of [null, [], {}, ...wrong]) {
      const { client, requests } = answering(200, body);
      await assert.rejects(call(client), UnexpectedResponseError, JSON.stringify(body));
      assert.equal(requests.length, 1);
    }
    if (right !== undefined) assert.deepEqual(await call(answering(200, right).client), right);
  });

test('a response is refused if it is not JSON, is a redirect, or has an unexpected 2xx status', async () => {
  for (const response of [
    answer(200, '<html>', { 'content-type': 'text/html' }),
    answer(204, ''),
    answer(302, '', { location: 'https://elsewhere.test' }),
    answer(0, ''),
  ]) {
    const { client, requests } = clientOn(answersInTurn(response), 'a-key');
    await assert.rejects(client.transactions.list().page(), {
      name: 'UnexpectedResponseError',
      retryable: false,
    });
    assert.equal(requests.length, 1);
  }
});

test('the client of a platform refuses such responses too, and the error names the request', async () => {
  const fetch = answersInTurn(answer(200, { data: [{}], nextCursor: null, hasMore: false }));
  const platform = new PlatformClient(testOptions({ url: 'https://service.test', apiKey: 'a-key', fetch }));
  const { keys, transactions } = platform.account('store-1');
  for (const call of [
    () => keys.list(),
    () => keys.roll('key_1'),
    () => transactions.page(),
    () => platform.accounts().next(),
  ])
    await assert.rejects(call, UnexpectedResponseError);
  await assert.rejects(keys.create(), {
    message: /^The response is not a new key \(POST \/v1\/accounts\/store-1\/keys, request client-/,
  });
});
