import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ArgumentError,
  ConnectionError,
  type Fetch,
  type RequestInfo,
  type ResponseInfo,
  type RetryInfo,
  responseOf,
  TransactionsClient,
} from '../../client/src/index.ts';
import { PlatformClient } from '../../client/src/platform.ts';
import { clientOf, clientOn, fetchFrom } from '../rig/http/client.ts';
import { buildTestApp } from '../rig/service/app.ts';
import { testConfig } from '../rig/service/test-config.ts';

test('without options, the URL and the key are those of the environment; an option wins', async (t) => {
  const app = await buildTestApp();
  const key = await app.makeKey('store-1');
  const environment = { TRANSACTIONS_URL: 'https://service.test', TRANSACTIONS_API_KEY: key };
  const { mock } = t.mock.property(process, 'env', environment as NodeJS.ProcessEnv);
  const client = new TransactionsClient({ fetch: fetchFrom(app) });
  assert.equal((await client.key()).account, 'store-1');
  assert.equal(new TransactionsClient({ url: 'https://other.test' }).url, 'https://other.test');
  for (const [variables, message] of [
    [{}, /^The url is missing: pass it, or set the environment variable TRANSACTIONS_URL\.$/],
    [{ TRANSACTIONS_URL: 'https://service.test' }, /^The apiKey is missing: .* TRANSACTIONS_API_KEY\.$/],
  ] as const) {
    mock.mockImplementation(variables);
    assert.throws(() => new TransactionsClient(), { name: 'ArgumentError', message });
  }
});

test('responseOf returns the request id, the rate limit and the expiry of the key for a result', async () => {
  const app = await buildTestApp({ config: { ...testConfig, rateLimit: { perSecond: 5, burst: 10 } } });
  const expiresAtMs = app.clock.now() + 86_400_000;
  const { client } = clientOf(app, await app.makeKey('store-1', { expiresAtMs }));
  const page = await client.transactions.page({ status: 'pending' });
  const { requestId, durationMs, ...rest } = responseOf(page) as ResponseInfo;
  assert.match(requestId, /^client-/);
  assert.equal(durationMs, 0);
  assert.deepEqual(rest, {
    method: 'GET',
    path: '/v1/transactions?status=pending',
    status: 200,
    rateLimit: { remaining: 9, resetSeconds: rest.rateLimit?.resetSeconds },
    keyExpiresAt: new Date(expiresAtMs).toISOString(),
  });
  assert.equal(responseOf({}), undefined);
  const free = await buildTestApp();
  const { client: unlimited } = clientOf(free, await free.makeKey('store-1'));
  const info = responseOf(await unlimited.totals());
  assert.deepEqual([info?.rateLimit, info?.keyExpiresAt], [null, null]);
});

test('hooks get each attempt, each response and each retry, never the key; what they throw changes nothing', async () => {
  const app = await buildTestApp();
  const key = await app.makeKey('store-1');
  const through = fetchFrom(app);
  let attempts = 0;
  const seen: { requests: RequestInfo[]; responses: ResponseInfo[]; retries: RetryInfo[] } = {
    requests: [],
    responses: [],
    retries: [],
  };
  const { client, waitsMs } = clientOn(
    (url, init) => (++attempts === 1 ? Promise.reject(new TypeError('fetch failed')) : through(url, init)),
    key,
    {
      onRequest: (request) => {
        seen.requests.push(request);
        throw new Error('a fault of the log');
      },
      onResponse: (response) => void seen.responses.push(response),
      onRetry: (retry) => void seen.retries.push(retry),
    },
  );
  await client.totals({ currency: 'EUR' });
  assert.deepEqual(
    seen.requests.map(({ method, path }) => `${method} ${path}`),
    ['GET /v1/totals?currency=EUR', 'GET /v1/totals?currency=EUR'],
  );
  assert.deepEqual(
    seen.responses.map(({ status, requestId }) => [status, requestId]),
    [[200, seen.requests[1]?.requestId]],
  );
  const [retry, ...more] = seen.retries;
  assert.deepEqual([more, retry?.retry, retry?.waitMs], [[], 1, waitsMs[0]]);
  assert.ok(retry?.error instanceof ConnectionError);
  assert.match(retry.error.message, /GET \/v1\/totals\?currency=EUR/);
  assert.ok(!JSON.stringify(seen).includes(key));
});

test('options that the platform refuses are not sent, and one that is needed is an error at once', async (t) => {
  const app = await buildTestApp();
  const key = await app.makeKey('store-1');
  let refused: readonly string[] = [];
  const { Request } = globalThis;
  const Refusing = class extends Request {
    constructor(url: string, init: object) {
      const name = refused.find((one) => one in init);
      if (name !== undefined) throw new Error(`This platform refuses the option ${name}.`);
      super(url, init);
    }
  };
  t.mock.property(globalThis, 'Request', Refusing as typeof Request);
  for (refused of [['credentials'], ['cache', 'credentials'], ['redirect']]) {
    const fetch: Fetch = async (url, init) => {
      new globalThis.Request(url, init as object);
      return fetchFrom(app)(url, init);
    };
    const { client, requests } = clientOn(fetch, key);
    const result = await client.key().catch((error) => error);
    assert.equal(requests.length, 1);
    if (!refused.includes('redirect')) assert.equal(result.account, 'store-1');
    else {
      assert.ok(result instanceof ArgumentError && !result.retryable);
      assert.match(result.message, /^The fetch of this platform refuses redirect: 'manual'/);
    }
  }
});

test('a url that ends in /v1 is refused, and the error has the right url', () => {
  for (const url of ['https://service.test/v1', 'https://service.test/v1/', 'https://service.test/pay/v1//'])
    assert.throws(() => new TransactionsClient({ url, apiKey: 'a-key' }), {
      name: 'ArgumentError',
      message: `The url ends in /v1, which the client adds to it: use ${url.slice(0, url.indexOf('/v1'))}.`,
    });
  assert.equal(
    new TransactionsClient({ url: 'https://service.test/v12', apiKey: 'a-key' }).url,
    'https://service.test/v12',
  );
});

test('a client sends its key without TLS only to this machine, unless allowHttp is set', () => {
  const made = (url: string, options = {}) =>
    [TransactionsClient, PlatformClient].map(
      (Client) => new Client({ url, apiKey: 'a-key', ...options }).url,
    );
  for (const host of ['127.0.0.1', '127.8.9.1:3000', '[::1]:3000', 'localhost', 'shop.localhost:80'])
    made(`http://${host}`);
  for (const host of ['10.0.0.5', '0.0.0.0', '[::2]', 'service.test', 'localhost.test', '127.0.0.1.test']) {
    const refused = {
      name: 'ArgumentError',
      message: /begins with http:.*could read the API key\. Use https:.*allowHttp/,
    };
    assert.throws(() => made(`http://${host}`), refused, host);
    assert.throws(() => made(`http://${host}`, { allowHttp: false }), refused, host);
    made(`https://${host}`);
    made(`http://${host}`, { allowHttp: true });
  }
});
