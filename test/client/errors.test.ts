import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import {
  ArgumentError,
  AuthenticationError,
  type ClientOptions,
  CursorExpiredError,
  CursorMalformedError,
  InvalidRequestError,
  NotFoundError,
  PermissionDeniedError,
  ProblemError,
  RateLimitedError,
  ServiceError,
  TransactionsClient,
  TransactionsError,
} from '../../client/src/index.ts';
import { scriptedChange } from '../rig/data/scripted-feed.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { answer, answering, clientOf, clientOn } from '../rig/http/client.ts';
import { buildTestApp, testConfig } from '../rig/service/app.ts';

type Kind = abstract new (...values: never[]) => TransactionsError;

async function errorOf<Wanted extends Kind>(
  call: Promise<unknown>,
  wanted: Wanted,
): Promise<InstanceType<Wanted>> {
  const error = await call.then(
    () => assert.fail('the call succeeded'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof TransactionsError, String(error));
  assert.equal(error.constructor.name, wanted.name);
  assert.equal(error.name, wanted.name);
  return error as InstanceType<Wanted>;
}

test('400: every wrong parameter is reported with its code, its correction and the request id', async () => {
  const app = await buildTestApp();
  const { client, requests } = clientOf(app, await app.makeKey('store-1'));
  const one = await errorOf(client.transactions.list({ currency: 'usd' }).page(), InvalidRequestError);
  assert.deepEqual([one.code, one.status, one.retryable], ['invalid_currency', 400, false]);
  assert.deepEqual(
    one.faults.map(({ parameter, code }) => [parameter, code]),
    [['currency', 'invalid_currency']],
  );
  assert.match(
    one.message,
    /USD.*\(invalid_currency, GET \/v1\/transactions\?currency=usd, request client-\w{16}\)$/,
  );
  assert.match(one.requestId ?? '', /^client-\w{16}$/);
  assert.ok(app.logged.some((line) => JSON.parse(line).requestId === one.requestId));
  assert.equal(one.helpUrl, 'https://service.test/errors/invalid_currency');

  const two = await errorOf(
    client.transactions.list({ currency: 'usd', from: 'May' }).page(),
    InvalidRequestError,
  );
  assert.equal(two.code, 'invalid_request');
  assert.deepEqual(two.faults.map(({ code }) => code).sort(), ['invalid_currency', 'invalid_date']);
  for (const { parameter, detail } of two.faults) assert.ok(two.message.includes(`${parameter}: ${detail}`));
  for (const error of [one, two]) {
    const printed = inspect(error);
    for (const { detail } of error.faults) assert.equal(printed.split(detail).length, 2, printed);
    const { detail, faults, requestId } = JSON.parse(JSON.stringify(error));
    assert.deepEqual([detail, faults, requestId], [error.detail, error.faults, error.requestId]);
  }
  const inverted = client.transactions.list({ from: '2026-03-02', to: '2026-03-01' });
  assert.equal((await errorOf(inverted.page(), InvalidRequestError)).code, 'date_range_inverted');
  assert.equal(requests.length, 3);
});

test('400: malformed and expired cursors each have a class; the error for an expired one has the request that continues', async () => {
  const app = await buildTestApp({ config: { ...testConfig, cursorLifetimeSeconds: 1 } });
  const recorded = Array.from({ length: 11 }, (_, index) => transaction('store-1', `${index}`));
  await record(app.store, recorded);
  const { client, requests } = clientOf(app, await app.makeKey('store-1'));
  const malformed = await errorOf(client.transactions.page({ cursor: 'a' }), CursorMalformedError);
  assert.equal(malformed.code, 'cursor_malformed');
  const { nextCursor } = await client.transactions.page();
  app.clock.advance(1000);
  const expired = await errorOf(client.transactions.page({ cursor: nextCursor ?? '' }), CursorExpiredError);
  assert.equal(expired.resume, `/v1/transactions?cursor=${expired.cursor}`);
  const { data } = await client.transactions.page({ cursor: expired.cursor ?? '' });
  assert.deepEqual([data.length, data[0]?.reference], [1, 'store-1.0']);
  assert.ok(expired instanceof InvalidRequestError && expired instanceof ProblemError);
  assert.equal(requests.length, 4);
});

test('401, 403, 404 and 429 each have a class; only 429 is retried', async () => {
  const app = await buildTestApp({ config: { ...testConfig, rateLimit: { perSecond: 1, burst: 1 } } });
  const unknownKey = clientOf(app, 'tk_live_nothing');
  const refused = await errorOf(unknownKey.client.transactions.page(), AuthenticationError);
  assert.equal(refused.code, 'invalid_api_key');
  assert.equal(unknownKey.requests.length, 1);

  const denied = clientOf(app, await app.makeKey('store-1', { scopes: ['webhooks'] }));
  const lacking = await errorOf(denied.client.transactions.page(), PermissionDeniedError);
  assert.deepEqual([lacking.code, lacking.status, lacking.retryable], ['insufficient_scope', 403, false]);
  assert.match(lacking.message, /needs a key with the scope read/);
  assert.equal(denied.requests.length, 1);

  const { client, requests, waitsMs } = clientOf(app, await app.makeKey('store-1'), { random: () => 0 });
  const missing = await errorOf(client.transactions.retrieve('nothing'), NotFoundError);
  assert.equal(missing.code, 'not_found');
  assert.equal(requests.length, 1);
  const limited = await errorOf(client.transactions.retrieve('nothing'), RateLimitedError);
  assert.deepEqual([limited.code, limited.retryAfterMs, limited.retryable], ['rate_limited', 1000, true]);
  assert.equal(requests.length, 7);
  assert.deepEqual(waitsMs, [1000, 1000, 2000, 4000, 4000]);
});

test('the code of an error response without a problem document is its status', async () => {
  for (const text of ['<html>', '', '[]', '"', 'null']) {
    const response = answer(502, text, { 'request-id': 'proxy-1' });
    const { client } = clientOn(async () => response, 'a-key', { maxRetries: 0 });
    const error = await errorOf(client.transactions.page(), ServiceError);
    assert.deepEqual([error.code, error.title, error.requestId], ['http_502', 'HTTP 502', 'proxy-1']);
    assert.deepEqual([error.faults, error.helpUrl, error.retryAfterMs], [[], null, null]);
  }
  const script = JSON.stringify({ type: 'javascript:alert(1)', code: 'x', errors: [{ parameter: 1 }] });
  const { client } = answering(418, script);
  const error = await errorOf(client.transactions.page(), InvalidRequestError);
  assert.deepEqual([error.code, error.helpUrl, error.faults], ['x', null, []]);
});

test('fields that a later version of the service adds are returned', async () => {
  const added = { ...scriptedChange(1).transaction, newField: { deep: 1 } };
  const { client } = answering(200, { data: [added], nextCursor: null, hasMore: false, newField: 1 });
  assert.deepEqual(await Array.fromAsync(client.transactions.list()), [added]);
});

test('options that cannot work are refused at once', () => {
  const good = { url: 'https://service.test', apiKey: 'a-key' };
  const wrong: Partial<Record<keyof ClientOptions, unknown>>[] = [
    { url: 'service.test' },
    { url: 'ftp://service.test' },
    { url: 'https://user:word@service.test' },
    { url: 'https://service.test/?a=b' },
    { url: 'https://service.test/#a' },
    { url: undefined },
    { apiKey: '' },
    { apiKey: undefined },
    { apiKey: 'a key' },
    { apiKey: 'a-key\n' },
    { timeoutMs: 0 },
    { timeoutMs: Number.NaN },
    { timeoutMs: 2 ** 31 },
    { maxRetries: -1 },
    { maxRetries: 1.5 },
    { maxRetryAfterMs: '1' },
  ];
  for (const one of wrong) {
    assert.throws(
      () => new TransactionsClient({ ...good, ...one } as ClientOptions),
      ArgumentError,
      inspect(one),
    );
  }
  assert.equal(
    new TransactionsClient({ ...good, url: 'https://service.test/base//' }).url,
    'https://service.test/base',
  );
});

test('the key is in no error, and in no output that prints or serialises the client', async () => {
  const key = 'tk_live_secretPartOfTheKey';
  const textsOf = (value: unknown) => {
    const stack = value instanceof Error ? `${value.stack}${value.message}` : '';
    return `${inspect(value, { depth: 20, showHidden: true, getters: true })}${JSON.stringify(value)}${String(value)}${stack}`;
  };
  const fail = async () => {
    throw new TypeError('fetch failed');
  };
  const { client } = clientOn(fail, key, { maxRetries: 0 });
  const list = client.transactions.list();
  const values: unknown[] = [client, client.transactions, list, await list.page().catch((error) => error)];
  const exported = client.transactions.exportFile({ format: 'csv' });
  values.push(exported, await Array.fromAsync(exported).catch((error) => error));
  for (const status of [400, 401, 403, 404, 429, 500]) {
    const refusing = clientOn(async () => answer(status), key, { maxRetries: 0 }).client;
    values.push(await refusing.transactions.page().catch((error) => error));
  }
  for (const apiKey of [`${key} `, `${key}\n`, `${key}é`]) {
    try {
      values.push(new TransactionsClient({ url: 'https://service.test', apiKey }));
    } catch (error) {
      values.push(error);
    }
  }
  const real = new TransactionsClient({ url: 'http://127.0.0.1:1', apiKey: key, maxRetries: 0 });
  values.push(real, await real.transactions.page().catch((error) => error));
  assert.equal(values.filter((one) => one instanceof TransactionsError).length, 12);
  for (const one of values) assert.ok(!textsOf(one).includes('secretPartOfTheKey'), textsOf(one));
});
