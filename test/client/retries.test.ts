import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import { test } from 'node:test';
import {
  ArgumentError,
  ConnectionError,
  type Fetch,
  InvalidRequestError,
  RateLimitedError,
  RequestTimeoutError,
  ServiceError,
  TransactionsClient,
} from '../../client/src/index.ts';
import { createAuthority } from '../rig/http/certificate.ts';
import { answer, answersInTurn, clientOn, type TestOptions, testOptions } from '../rig/http/client.ts';
import { listenOn, serveHttp } from '../rig/http/loopback.ts';

type FetchResponse = Awaited<ReturnType<Fetch>>;

const PAGE = '{"data":[],"nextCursor":null,"hasMore":false}';

const page = () => answer(200, PAGE);

const respondingInTurn = (
  responses: readonly (FetchResponse | Error)[],
  options: Partial<TestOptions> = {},
) => clientOn(answersInTurn(...responses), 'a-key', options);

const NEVER: Fetch = () => new Promise(() => {});

test('a request that can succeed later is retried: 408, 429, 5xx, a lost connection, an incomplete response', async () => {
  const cut = answer(200, PAGE.slice(0, 10));
  const failures = [408, 429, 500, 502, 503, 504].map((status) => answer(status));
  for (const first of [...failures, cut, new TypeError()]) {
    const { client, requests, waitsMs } = respondingInTurn([first, first, page()]);
    assert.deepEqual(await client.transactions.page(), JSON.parse(PAGE));
    assert.equal(requests.length, 3);
    assert.equal(waitsMs.length, 2);
  }
});

test('a request that would fail again is never retried', async () => {
  for (const status of [301, 400, 401, 403, 404, 405, 409, 413, 414, 422, 431, 501, 505]) {
    const { client, requests, waitsMs } = respondingInTurn([answer(status)]);
    await assert.rejects(client.transactions.page(), (error: ServiceError) => !error.retryable);
    assert.deepEqual([requests.length, waitsMs.length], [1, 0], `status ${status}`);
  }
});

test('a request is retried maxRetries times, and then the last error is thrown', async () => {
  for (const maxRetries of [0, 1, 5]) {
    const { client, requests } = respondingInTurn([answer(500), answer(503)], { maxRetries });
    const error = await client.transactions.page().catch((reason) => reason);
    assert.ok(error instanceof ServiceError);
    assert.equal(error.status, maxRetries === 0 ? 500 : 503);
    assert.equal(requests.length, maxRetries + 1);
  }
});

async function pausesOf(failure: FetchResponse | Error, random: number, options: Partial<TestOptions> = {}) {
  const { client, waitsMs } = respondingInTurn([failure], { random: () => random, ...options });
  await assert.rejects(client.transactions.page(), { retryable: true });
  return waitsMs;
}

test('a pause begins at half a second and doubles up to 4 seconds, plus a random part of up to the same length', async () => {
  const lost = new TypeError('fetch failed');
  const pauses = [500, 1000, 2000, 4000, 4000];
  assert.deepEqual(await pausesOf(lost, 0), pauses);
  assert.deepEqual(
    await pausesOf(lost, 0.5),
    pauses.map((pauseMs) => pauseMs * 1.5),
  );
  assert.deepEqual(await pausesOf(lost, 0, { maxRetries: 8 }), [...pauses, 4000, 4000, 4000]);
});

test('a longer Retry-After, in seconds or as a date, replaces the pause; the random part is the same', async () => {
  const nowMs = Date.UTC(2026, 0, 1);
  const waitFor = async (retryAfter: string, others: Record<string, string> = {}) => {
    const headers = { 'retry-after': retryAfter, ...others };
    const { client, waitsMs } = respondingInTurn([answer(503, {}, headers), page()], {
      now: () => nowMs,
      random: () => 0.1,
    });
    await client.transactions.page();
    return waitsMs;
  };
  assert.deepEqual(await waitFor('7'), [7050]);
  assert.deepEqual(await waitFor('0'), [550]);
  assert.deepEqual(await waitFor(new Date(nowMs + 3000).toUTCString()), [3050]);
  assert.deepEqual(await waitFor(new Date(nowMs - 3000).toUTCString()), [550]);
  assert.deepEqual(await waitFor('soon'), [550]);
  const [date, later] = [3_600_000, 3_607_000].map((ahead) => new Date(nowMs + ahead).toUTCString());
  assert.deepEqual(await waitFor(String(later), { date: String(date) }), [7050]);
});

test('a Retry-After longer than maxRetryAfterMs is an error at once', async () => {
  const limited = [answer(429, {}, { 'retry-after': '61' })];
  const { client, requests, waitsMs } = respondingInTurn(limited);
  const error = await client.transactions.page().catch((reason) => reason);
  assert.ok(error instanceof RateLimitedError);
  assert.equal(error.retryAfterMs, 61_000);
  assert.deepEqual([requests.length, waitsMs.length], [1, 0]);
  const waiting = respondingInTurn([...limited, page()], { maxRetryAfterMs: 61_000 });
  await waiting.client.transactions.page();
  assert.equal(waiting.waitsMs.length, 1);
});

test('an attempt that takes longer than timeoutMs is retried, and then a RequestTimeoutError', async () => {
  const { client, requests } = clientOn(NEVER, 'a-key', { timeoutMs: 5, maxRetries: 2 });
  const error = await client.transactions.page().catch((reason) => reason);
  assert.ok(error instanceof RequestTimeoutError);
  assert.match(
    error.message,
    /^https:\/\/service\.test did not answer within 5 ms \(GET \/v1\/transactions, request client-/,
  );
  assert.equal(requests.length, 3);
  const slowBody: Fetch = async () => ({ ...page(), text: () => new Promise(() => {}) });
  const slow = clientOn(slowBody, 'a-key', { maxRetries: 0 });
  await assert.rejects(slow.client.transactions.list({}, { timeoutMs: 5 }).page(), RequestTimeoutError);
  await assert.rejects(slow.client.transactions.page({}, { timeoutMs: 0 }), ArgumentError);
  assert.equal(slow.requests.length, 1);
});

test('an aborted signal ends a call with its reason: before it, during a request, during a pause', async () => {
  const reason = new Error('enough');
  const before = clientOn(NEVER, 'a-key');
  const signal = AbortSignal.abort(reason);
  await assert.rejects(before.client.transactions.page({}, { signal }), reason);
  await assert.rejects(before.client.transactions.list({}, { signal }).page(), reason);
  await assert.rejects(before.client.transactions.retrieve('a', { signal }), reason);
  assert.equal(before.requests.length, 0);

  const during = new AbortController();
  const answered = clientOn(NEVER, 'a-key');
  const call = answered.client.transactions.page({}, { signal: during.signal });
  during.abort(reason);
  await assert.rejects(call, reason);

  const waiting = new AbortController();
  const { client, requests } = clientOn(
    async () => {
      setImmediate(() => waiting.abort(reason));
      return answer(503, {}, { 'retry-after': '60' });
    },
    'a-key',
    { sleep: undefined },
  );
  await assert.rejects(client.transactions.page({}, { signal: waiting.signal }), reason);
  assert.equal(requests.length, 1);
});

test('a finished call leaves no listener on its signal', async () => {
  const { signal } = new AbortController();
  let listeners = 0;
  const counting = new Proxy(signal, {
    get: (target, name) => {
      if (name === 'addEventListener') listeners++;
      if (name === 'removeEventListener') listeners--;
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const { client } = respondingInTurn([answer(500, {}, { 'retry-after': '0' }), page()], {
    sleep: undefined,
    random: () => 0,
  });
  await client.transactions.page({}, { signal: counting });
  assert.equal(listeners, 0);
});

test('the error of a lost connection names the origin, the request and the cause, but not the key or the cursor', async () => {
  const failures: [error: Error, cause: string][] = [
    [
      new TypeError('fetch failed', { cause: coded('connect ECONNREFUSED', 'ECONNREFUSED') }),
      ': ECONNREFUSED',
    ],
    [new TypeError('fetch failed', { cause: coded('getaddrinfo ENOTFOUND', 'ENOTFOUND') }), ': ENOTFOUND'],
    [coded('Unable to connect', 'ConnectionRefused'), ': ConnectionRefused'],
    [
      new TypeError('error sending request for url (https://service.test/v1/transactions?status=pending)'),
      '',
    ],
    [coded('odd', 'a code with ?status=pending'), ''],
  ];
  for (const [failure, cause] of failures) {
    const { client } = clientOn(() => Promise.reject(failure), 'a-key', {
      url: 'https://service.test/base',
      maxRetries: 0,
    });
    const error = await client.transactions
      .page({ status: 'pending', cursor: 'sealed' })
      .catch((reason) => reason);
    assert.ok(error instanceof ConnectionError);
    assert.equal(
      error.message,
      `No complete response came from https://service.test${cause} (GET /v1/transactions?status=pending&cursor=..., request ${error.requestId}).`,
    );
    assert.equal(error.cause, failure);
  }
});

const coded = (message: string, code: string) => Object.assign(new Error(message), { code });

test('an unknown host and a failure of TLS are errors at once, unless the url has answered before', async () => {
  for (const code of [
    'ENOTFOUND',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'CERT_HAS_EXPIRED',
    'EPROTO',
    'ERR_SSL_X',
  ]) {
    let isUp = false;
    let requests = 0;
    const failure = new TypeError('fetch failed', { cause: coded(code, code) });
    const { client } = clientOn(
      async () => {
        requests++;
        if (isUp) return page();
        throw failure;
      },
      'a-key',
      { sleep: async () => {} },
    );
    await assert.rejects(client.transactions.page(), { name: 'ConnectionError', retryable: false });
    assert.equal(requests, 1, code);
    isUp = true;
    await client.transactions.page();
    isUp = false;
    await assert.rejects(client.transactions.page(), { name: 'ConnectionError', retryable: true });
    assert.equal(requests, 8, code);
  }
});

test("with the platform's fetch: the error names http in place of https, and https in place of http", async (t) => {
  const plain = await serveHttp(t, (_request, response) => response.end());
  const secure = await listenOn(t, createServer(createAuthority().issue('127.0.0.1')));
  const page400 = '<center>The plain HTTP request was sent to HTTPS port</center>';
  const nginx = await serveHttp(t, (_request, response) => response.writeHead(400).end(page400));
  const failureOf = (url: string) =>
    new TransactionsClient(testOptions({ url, apiKey: 'a-key', sleep: async () => {} })).transactions
      .page()
      .catch((error: Error) => error.message);
  const wrong = plain.replace('http:', 'https:');
  assert.match(
    String(await failureOf(wrong)),
    new RegExp(`, because this address speaks http: use ${plain} `),
  );
  assert.match(String(await failureOf(secure)), /if this address speaks https, use https:/);
  assert.match(String(await failureOf(nginx)), /This address speaks https: begin the url with https:/);
});

test("with the platform's fetch: the key is not sent to the target of a redirection", async (t) => {
  const reached: (string | undefined)[] = [];
  const elsewhere = await serveHttp(t, ({ headers }, response) => {
    reached.push(headers.authorization);
    response.end();
  });
  const url = await serveHttp(t, (_request, response) => {
    response.writeHead(307, { location: elsewhere }).end();
  });
  const client = new TransactionsClient({ url, apiKey: 'a-key' });
  await assert.rejects(client.transactions.page(), /status 307/);
  assert.deepEqual(reached, []);
});

test('the path of the url, as behind a proxy, comes before the path of the API', async (t) => {
  const paths: (string | undefined)[] = [];
  const url = await serveHttp(t, (request, response) => {
    paths.push(request.url);
    response.writeHead(400).end();
  });
  const client = new TransactionsClient(testOptions({ url: `${url}/payments/`, apiKey: 'a-key' }));
  await assert.rejects(client.transactions.page({ status: 'completed' }), InvalidRequestError);
  await assert.rejects(client.transactions.retrieve('a b'), InvalidRequestError);
  assert.deepEqual(paths, ['/payments/v1/transactions?status=completed', '/payments/v1/transactions/a%20b']);
});
