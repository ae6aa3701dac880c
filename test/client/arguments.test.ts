import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import {
  ArgumentError,
  type ClientOptions,
  type ExportQuery,
  type PageQuery,
  type SearchQuery,
  type TotalsQuery,
  TransactionsClient,
} from '../../client/src/index.ts';
import { PlatformClient } from '../../client/src/platform.ts';
import { CARRIED } from '../rig/data/list-query.ts';
import { clientOn } from '../rig/http/client.ts';

const GOOD: ClientOptions = { url: 'https://service.test', apiKey: 'a-key' };

const untyped = (value: object) => value as never;

test('an unknown option of the client is a TypeError that names it and the nearest known option', () => {
  const meant: [option: string, known: RegExp][] = [
    [
      'maxRetrys',
      /^The option "maxRetrys" is unknown: did you mean maxRetries\? The options are url, allowHttp, apiKey, /,
    ],
    ['key', /^The option "key" is unknown: did you mean apiKey\?/],
    ['api_key', /did you mean apiKey\?/],
    ...['now', 'sleep', 'random'].map((name): [string, RegExp] => [name, /is unknown\. The options are/]),
    ['agent', /^The option "agent" is unknown\. The options are url, allowHttp, apiKey, /],
  ];
  for (const [option, message] of meant)
    assert.throws(() => new TransactionsClient(untyped({ ...GOOD, [option]: undefined })), {
      name: 'TypeError',
      message,
    });
  const all: Required<ClientOptions> = {
    url: 'http://service.test',
    allowHttp: true,
    apiKey: 'a-key',
    timeoutMs: 1,
    maxRetries: 0,
    maxRetryAfterMs: 0,
    fetch: async () => assert.fail('nothing is sent'),
    onRequest: () => {},
    onResponse: () => {},
    onRetry: () => {},
  };
  assert.ok(new TransactionsClient(all));
  for (const Client of [TransactionsClient, PlatformClient])
    assert.throws(() => new Client('tk_live_secret' as never), {
      name: 'TypeError',
      message: 'The options are not an object: write for example { url, apiKey }.',
    });
});

test('lists and feeds are read in a loop and have no data: a TypeError says what to write, and console.log shows the position of a list', async () => {
  const { client } = clientOn(async () => assert.fail('nothing is sent'), 'a-key');
  const list = client.transactions.list({ currency: 'EUR' });
  const feed = client.changes.follow({ after: 7 });
  for (const [read, or] of [
    [list, ' or const { data } = await list.page()'],
    [feed, ' or await feed.page()'],
    [client.transactions.export(), ''],
    [client.transactions.search({ text: 'abc' }), ''],
    [client.transactions.searchPages({ text: 'abc' }), ''],
    [client.transactions.related('a-1'), ''],
    [client.webhooks.failures('whk_1'), ''],
    [new PlatformClient(GOOD).accounts(), ''],
  ] as [{ data?: unknown }, string][]) {
    assert.equal(await read, read);
    const message = `This is not a page and has no data: write for await (const one of ...)${or}.`;
    assert.throws(() => read.data, { name: 'TypeError', message });
  }
  assert.match(inspect(list), /^TransactionList \{.*filters: \{ currency: 'EUR' \}.*last: null/s);
  assert.equal(inspect(feed), 'ChangeFeed { after: 7 }');
});

const sent: string[] = [];
const fetch = async (url: string) => {
  sent.push(url);
  throw new Error('nothing answers');
};
const client = new TransactionsClient({ ...GOOD, fetch, maxRetries: 0 });
const platform = new PlatformClient({ ...GOOD, fetch, maxRetries: 0 });
const { transactions, changes, webhooks } = client;
const { keys, sessions } = platform.account('store-1');

type Method = (query: never, options?: never) => unknown;

const WITH_NAMES: readonly [method: Method, misspelt: object, meant: string][] = [
  [(query, options) => transactions.list(query, options), { curency: 'EUR' }, 'currency'],
  [
    (filters, options) => transactions.resume({ version: 1, filters, last: null, next: null }, options),
    { curency: undefined },
    'currency',
  ],
  [(query, options) => transactions.page(query, options), { curser: 'a' }, 'cursor'],
  [(query, options) => transactions.search(query, options), { txt: 'abc' }, 'text'],
  [(query, options) => transactions.searchPages(query, options), { txt: 'abc' }, 'text'],
  [(query, options) => transactions.export(query, options), { curency: 'EUR' }, 'currency'],
  [
    (query: object, options) => transactions.exportFile({ format: 'csv', ...query }, options),
    { spreadshet: true },
    'spreadsheet',
  ],
  [(query, options) => client.totals(query, options), { form: '2026-01-01' }, 'from'],
  [(query, options) => changes.follow(query, options), { aftr: 1 }, 'after'],
  [(query, options) => changes.catchUp(query, options), { aftr: 1 }, 'after'],
  [(query, options) => changes.list(query, options), { aftr: 1 }, 'after'],
  [(body, options) => webhooks.create(body, options), { lable: 'x' }, 'label'],
  [(body, options) => webhooks.update('we_1', body, options), { stat: 'enabled' }, 'state'],
  [(query, options) => webhooks.failurePage('we_1', query, options), { curser: 'a' }, 'cursor'],
  [(body, options) => keys.create(body, options), { lable: 'x' }, 'label'],
  [(body, options) => keys.roll('key_1', body, options), { grase: '1h' }, 'grace'],
  [(body, options) => sessions.create(body, options), { persn: 'ada' }, 'person'],
  [(query, options) => sessions.list(options ?? query), { persn: 'ada' }, 'person'],
  [(body, options) => platform.put('store-1', 'a', body, options), { amuont: '1.00' }, 'amount'],
  [(body, options) => platform.create('store-1', body, options), { amuont: '1.00' }, 'amount'],
  [(line, options) => platform.batch([line], options), { amuont: '1.00' }, 'amount'],
];

const OTHERS: readonly ((options: never) => unknown)[] = [
  (options) => client.key(options),
  (options) => client.seal(options),
  (options) => transactions.retrieve('a', options),
  (options) => transactions.changes('a', options),
  (options) => transactions.related('a', options),
  (options) => transactions.exportManifest('a', options),
  (options) => webhooks.list(options),
  (options) => webhooks.retrieve('we_1', options),
  (options) => webhooks.delete('we_1', options),
  (options) => webhooks.rotateSecret('we_1', options),
  (options) => webhooks.test('we_1', options),
  (options) => webhooks.replay('we_1', 0, options),
  (options) => webhooks.failures('we_1', options),
  (options) => webhooks.retryFailure('we_1', 1, options),
  (options) => keys.list(options),
  (options) => keys.revoke('key_1', options),
  (options) => sessions.list(options),
  (options) => sessions.end('ses_1', options),
  (options) => sessions.endAll('ada', options),
  (options) => platform.accounts(options),
  (options) => platform.removeDetails('store-1', 'a', options),
];

async function errorOf(call: () => unknown): Promise<unknown> {
  try {
    const result = (await call()) as AsyncIterable<unknown> | undefined;
    return await result?.[Symbol.asyncIterator]().next();
  } catch (error) {
    return error;
  }
}

async function refused(call: () => unknown, message: RegExp): Promise<void> {
  const error = await errorOf(call);
  assert.ok(error instanceof TypeError, `${call}: ${error}`);
  assert.match(error.message, message);
}

test('an unknown name, an unknown option, or a signal in place of the options is a TypeError, and nothing is sent', async () => {
  sent.length = 0;
  for (const [method, misspelt, meant] of WITH_NAMES)
    await refused(
      () => method(untyped(misspelt)),
      new RegExp(`is unknown: did you mean ${meant}\\? The \\w+s are `),
    );
  const methods = [
    ...OTHERS,
    ...WITH_NAMES.map(
      ([method]) =>
        (options: never) =>
          method(untyped({}), options),
    ),
  ];
  for (const method of methods) {
    await refused(() => method(untyped({ timeout: 5 })), /did you mean timeoutMs\? The options are signal, /);
    await refused(
      () => method(untyped(new AbortController().signal)),
      /^The options are a signal: pass \{ signal \}\.$/,
    );
  }
  assert.deepEqual(sent, []);
});

test('every parameter of a query is sent, and an undefined one is not', async () => {
  const search = {
    ...CARRIED,
    ...{ amount: '1.00', amountFrom: '1.00', amountTo: '2.00', text: 'abc' },
    ...{ paidFrom: '2026-01-02', paidTo: '2026-01-03' },
  } satisfies Required<SearchQuery>;
  const page = { ...CARRIED, cursor: 'a' } satisfies Required<PageQuery>;
  const { paidFrom, paidTo } = search;
  const totals = { ...CARRIED, paidFrom, paidTo, by: 'day' } satisfies Required<TotalsQuery>;
  const flags = { spreadsheet: true, relatedTo: false, recordedAt: true };
  const { by: _, ...range } = totals;
  const file = { ...range, ...flags, format: 'csv', details: ['a', 'b'] } satisfies Required<ExportQuery>;
  // @ts-expect-error The service refuses columns of CSV for NDJSON.
  const _json: ExportQuery = { format: 'ndjson', relatedTo: true };
  for (const [call, path, query] of [
    [() => transactions.page(page), 'transactions', page],
    [() => transactions.search(search), 'search', search],
    [() => client.totals(totals), 'totals', totals],
    [
      () => transactions.exportFile(file),
      'transactions.csv',
      { ...range, spreadsheet: 'true', relatedTo: 'false', recordedAt: 'true', details: 'a,b' },
    ],
    [() => transactions.page({ status: undefined, cursor: 'a' }), 'transactions', { cursor: 'a' }],
    [
      () => changes.list({ after: 3, afterId: 'chg_3', limit: 2, wait: 0 }),
      'changes',
      { after: '3', afterId: 'chg_3', limit: '2', wait: '0' },
    ],
    [() => changes.list({ limit: undefined }), 'changes', {}],
  ] as const) {
    sent.length = 0;
    await errorOf(call);
    const { pathname, searchParams } = new URL(sent[0] ?? '');
    assert.deepEqual([pathname, Object.fromEntries(searchParams)], [`/v1/${path}`, query]);
  }
});

test('a value that is not a string, and a string that cannot be part of a URL, are refused before anything is sent', async () => {
  sent.length = 0;
  const wrong: readonly (() => unknown)[] = [
    () => transactions.list(untyped(null as never)),
    () => transactions.list({ merchantReference: 'a\udc00' }),
    () => transactions.search(untyped({ amount: 49.9 })),
    () => client.totals(untyped({ by: 1 })),
    () => client.totals(untyped(null as never)),
    ...[{}, { format: 'xml' }, { format: 'toString' }].map(
      (query) => () => transactions.exportFile(untyped(query)),
    ),
    () => webhooks.replay('we_1', -1),
    ...['two words', null, Number.NaN].flatMap((idempotencyKey) => [
      () => webhooks.create({ url: 'https://shop.example' }, untyped({ idempotencyKey })),
      () => platform.create('store-1', untyped({}), untyped({ idempotencyKey })),
    ]),
    ...['', '.', '..', '\ud800', 7, undefined].flatMap((id) => [
      () => transactions.retrieve(id as string),
      () => transactions.changes(id as string),
      () => transactions.exportManifest(id as string),
      () => keys.revoke(id as string),
      () => platform.account(id as string),
    ]),
  ];
  for (const call of wrong) assert.ok((await errorOf(call)) instanceof ArgumentError, String(call));
  assert.throws(() => transactions.list({ cursor: 'a' } as object), /use resume/);
  const date = untyped({ from: new Date(0) });
  for (const call of [
    () => transactions.list(date),
    () => transactions.export(date),
    () => client.totals(date),
  ])
    assert.match(String(await errorOf(call)), /Use utcDay for a Date/);
  assert.deepEqual(sent, []);
});
