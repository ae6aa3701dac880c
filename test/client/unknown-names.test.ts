import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ClientOptions, TransactionsClient } from '../../client/src/index.ts';
import { clientOn } from '../rig/http/client.ts';

const GOOD: ClientOptions = { url: 'https://service.test', apiKey: 'a-key' };

/** A value that the compiler would refuse, as JavaScript can pass it. */
const untyped = (value: object) => value as never;

test('an unknown option of the client is a TypeError that names it and the nearest known option', () => {
  const meant: [option: string, known: RegExp][] = [
    [
      'maxRetrys',
      /^The option "maxRetrys" is unknown: did you mean maxRetries\? The options are url, allowHttp, apiKey, /,
    ],
    ['timeoutMS', /"timeoutMS" is unknown: did you mean timeoutMs\?/],
    ['apikey', /"apikey" is unknown: did you mean apiKey\?/],
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
    now: Date.now,
    sleep: async () => {},
    random: Math.random,
    onRequest: () => {},
    onResponse: () => {},
    onRetry: () => {},
  };
  assert.ok(new TransactionsClient(all));
});

test('an unknown filter or option of a method is a TypeError, and nothing is sent', async () => {
  const { client, requests } = clientOn(async () => assert.fail('nothing is sent'), 'a-key');
  const { transactions } = client;
  const misspelt = untyped({ curency: 'EUR' });
  const filter = {
    name: 'TypeError',
    message:
      'The filter "curency" is unknown: did you mean currency? The filters are status, currency, merchantReference, from, to, timeZone.',
  };
  assert.throws(() => transactions.list(misspelt), filter);
  assert.throws(() => transactions.list(untyped({ curency: undefined })), filter);
  const saved = { version: 1 as const, filters: misspelt, last: null, next: null };
  assert.throws(() => transactions.resume(saved), filter);
  const parameter = {
    name: 'TypeError',
    message: /"curser" is unknown: did you mean cursor\? .*, to, timeZone, cursor\.$/,
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
