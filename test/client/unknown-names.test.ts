import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { type ClientOptions, TransactionsClient } from '../../client/src/index.ts';
import { PlatformClient } from '../../client/src/platform.ts';
import { clientOn } from '../rig/http/client.ts';

const GOOD: ClientOptions = { url: 'https://service.test', apiKey: 'a-key' };

/** A value that JavaScript can pass although the compiler would refuse it. */
const untyped = (value: object) => value as never;

test('an unknown option of the client is a TypeError that names it and the nearest known option', () => {
  const meant: [option: string, known: RegExp][] = [
    [
      'maxRetrys',
      /^The option "maxRetrys" is unknown: did you mean maxRetries\? The options are url, allowHttp, apiKey, /,
    ],
    ['timeoutMS', /"timeoutMS" is unknown: did you mean timeoutMs\?/],
    ['apikey', /"apikey" is unknown: did you mean apiKey\?/],
    ['key', /^The option "key" is unknown: did you mean apiKey\?/],
    ['api_key', /did you mean apiKey\?/],
    ['baseURL', /did you mean url\?/],
    ['timeout', /did you mean timeoutMs\?/],
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

test('what is read in a loop has no data of a page: a TypeError says what to write, and console.log shows the place of a list', async () => {
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

test('an unknown filter or option of a method is a TypeError, and nothing is sent', async () => {
  const { client, requests } = clientOn(async () => assert.fail('nothing is sent'), 'a-key');
  const { transactions } = client;
  const misspelt = untyped({ curency: 'EUR' });
  const filter = {
    name: 'TypeError',
    message:
      'The filter "curency" is unknown: did you mean currency? The filters are status, currency, from, to, timeZone, merchantReference.',
  };
  assert.throws(() => transactions.list(misspelt), filter);
  assert.throws(() => transactions.list(untyped({ curency: undefined })), filter);
  const saved = { version: 1 as const, filters: misspelt, last: null, next: null };
  assert.throws(() => transactions.resume(saved), filter);
  const parameter = {
    name: 'TypeError',
    message: /"curser" is unknown: did you mean cursor\? .*, merchantReference, cursor\.$/,
  };
  await assert.rejects(transactions.page(untyped({ curser: 'a' })), parameter);

  const option = {
    name: 'TypeError',
    message: 'The option "timeout" is unknown: did you mean timeoutMs? The options are signal, timeoutMs.',
  };
  const options = untyped({ timeout: 5 });
  assert.throws(() => transactions.list({}, options), option);
  assert.throws(() => transactions.resume({ ...saved, filters: {} }, options), option);
  await assert.rejects(transactions.page({}, options), option);
  await assert.rejects(transactions.retrieve('a', options), option);
  assert.equal(requests.length, 0);
});

test('a signal in place of the options is refused, because it would be ignored', async () => {
  const { client } = clientOn(async () => assert.fail('nothing is sent'), 'a-key');
  const { signal } = new AbortController();
  await assert.rejects(client.transactions.page({}, untyped(signal)), {
    name: 'TypeError',
    message: /\{ signal \}/,
  });
});
