import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import FILE from '../../src/http/examples.json' with { type: 'json' };
import {
  EXAMPLE_CURSOR,
  EXAMPLE_CURSOR_EXPIRES,
  EXAMPLES,
  KEY_PLACEHOLDER,
  type ProblemExample,
} from '../../src/http/examples.ts';
import { sealUpTo } from '../../src/ledger/seals/seals.ts';
import { IN_MEMORY_URL, openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { MAX_WEBHOOKS } from '../../values/interface/limits.ts';
import { StoreUnavailable } from '../../values/store-errors.ts';
import { jsonLines } from '../rig/data/json-lines.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { arrivalLimits } from '../rig/http/arrival-limits.ts';
import { KINDS } from '../rig/http/problems.ts';
import { untilWaiting } from '../rig/http/waiting-callers.ts';
import { buildTestApp, testClock, testConfig } from '../rig/service/app.ts';
import { buildTestOperatorApp, type OperatorRequest } from '../rig/service/operator-app.ts';
import { someEntry } from '../rig/store/audit.ts';
import { hang } from '../rig/store/faulty-store.ts';
import { storeWith } from '../rig/store/store-with.ts';
import { failure, progress, webhook } from '../rig/webhooks/webhooks.ts';

/* TEST_WRITE=1 writes the responses of the service into examples.json. */

const ACCOUNT = 'store-1';
const NOW_MS = Date.UTC(2026, 5, 15, 12);

const TRANSACTIONS = Array.from({ length: 13 }, (_, index) => {
  const serial = 13 - index;
  const createdAtMs = Date.UTC(2026, 2, 18 + serial, 9, 30);
  return {
    ...transaction(ACCOUNT, '', {
      merchantReference: serial % 5 === 0 ? null : `order-${1000 + serial}`,
      status: index === 0 ? 'pending' : 'completed',
      amountMinor: 1250 + serial * 100,
      currencyCode: serial % 3 === 0 ? 'USD' : 'EUR',
      paidAtMs: index === 0 ? null : createdAtMs + 5000,
      createdAtMs,
    }),
    reference: `tx_${String(serial).padStart(6, '0')}`,
  };
});

const repeatedBytes = (length: number) =>
  createHash('sha512').update('the examples').digest().subarray(0, length);

type Served = Awaited<ReturnType<typeof serve>>;

async function serve(
  transactions = TRANSACTIONS,
  wrap: (store: Store) => Partial<Store> = () => ({}),
  settings: Partial<typeof testConfig> = {},
  random = repeatedBytes,
) {
  const clock = testClock(NOW_MS);
  let nonce = 0;
  const { store } = await openStore(IN_MEMORY_URL, clock.now, { drawNonce: () => ++nonce });
  if (transactions.length > 0) await record(store, transactions);
  const app = await buildTestApp({
    clock,
    store: storeWith(store, wrap(store)),
    cursorSecrets: ['a secret of the examples, long enough'],
    randomBytes: random,
    config: { ...testConfig, rateLimit: { perSecond: 1000, burst: 2000 }, ...settings },
  });
  const config = { ...testConfig, publicUrl: 'https://payments.shop.example/' };
  const operator = await buildTestOperatorApp(store, clock, config);
  return { app, operator, key: await app.makeKey(ACCOUNT, { scopes: ['read', 'webhooks'] }), clock };
}

const VARYING = new Set(['id', 'key', 'keyStart', 'code', 'url', 'secret', 'durationMs', 'requestId']);

function settled(value: unknown, example: unknown, name = ''): unknown {
  if (VARYING.has(name) && typeof value === typeof example && !String(value).startsWith('chg_'))
    return example;
  if (typeof value !== 'object' || value === null) return value;
  const others = (typeof example === 'object' && example !== null ? example : {}) as Record<string, unknown>;
  const entries = Object.entries(value).map(([key, one]) => [key, settled(one, others[key], key)]);
  return Array.isArray(value) ? entries.map(([, one]) => one) : Object.fromEntries(entries);
}

const file = structuredClone(FILE) as {
  errors: Record<string, Omit<ProblemExample, 'response'> & { response: Record<string, unknown> }>;
  answers: Record<string, Record<string, { summary: string; value: unknown }>>;
};

after(() => {
  if (process.env['TEST_WRITE'] !== '1') return;
  const line = ([name, value]: [string, unknown]) => `"${name}": ${JSON.stringify(value)}`;
  const answers = Object.entries(file.answers).map(
    ([name, examples]) => `"${name}": {\n${Object.entries(examples).map(line).join(',\n')}\n}`,
  );
  const errors = Object.entries(file.errors).map(line).join(',\n');
  writeFileSync(
    new URL('../../src/http/examples.json', import.meta.url),
    `{\n"errors": {\n${errors}\n},\n"answers": {\n${answers.join(',\n')}\n}\n}\n`,
  );
});

function compare(group: string, name: string, value: unknown, summary?: string): void {
  const example = file.answers[group]?.[name];
  const shown = settled(value, example?.value);
  const written = {
    summary: summary ?? example?.summary ?? assert.fail(`${name} has no summary`),
    value: shown,
  };
  if (process.env['TEST_WRITE'] === '1') file.answers[group] = { ...file.answers[group], [name]: written };
  else assert.deepEqual(written, example, `${group} ${name}`);
}

async function send({ app, operator, key }: Served, line: string, sent = key) {
  const [, method = '', url = '', payload] = /^(\w+) (\S+)(?: (.*))?$/.exec(line) ?? assert.fail(line);
  const isOperators = url.startsWith('/v1/accounts');
  const response = await (isOperators ? operator : app).server.inject({
    method: method as OperatorRequest['method'],
    url,
    headers: {
      authorization: `Bearer ${isOperators ? operator.key : sent}`,
      ...(payload !== undefined && { 'content-type': 'application/json' }),
    },
    ...(payload !== undefined && { payload }),
  });
  const { statusCode: status, headers, body: text } = response;
  assert.ok(status < 300, `${line}: ${text}`);
  // biome-ignore lint/suspicious/noExplicitAny: examples are of every shape
  const body: any = String(headers['content-type']).includes('/json') ? response.json() : undefined;
  return { status, headers, text, body };
}

async function show(served: Served, group: string, name: string, line: string, sent = served.key) {
  const { body } = await send(served, line, sent);
  compare(group, name, body);
  return body;
}

test('reads of the account', async () => {
  const served = await serve();
  for (const [group, name, line] of [
    ['list', 'more', '/v1/transactions?status=completed'],
    ['list', 'last', `/v1/transactions?cursor=${EXAMPLE_CURSOR}`],
    ['transaction', 'completed', '/v1/transactions/tx_000012'],
    ['transaction', 'pending', '/v1/transactions/tx_000013'],
    ['search', 'amount', '/v1/search?amount=13.50'],
    ['totals', 'all', '/v1/totals'],
    ['totals', 'byDay', '/v1/totals?currency=USD&by=day'],
    ['totals', 'byMonth', '/v1/totals?currency=USD&by=month'],
  ] as const) {
    const { body, headers } = await send(served, `GET ${line}`);
    compare(group, name, body);
    if (name !== 'more') continue;
    assert.equal(headers['cursor-expires'], EXAMPLE_CURSOR_EXPIRES);
    assert.equal(headers['link'], `</v1/transactions?cursor=${body.nextCursor}>; rel="next"`);
  }
});

test('exports', async () => {
  const served = await serve(undefined, (store) => ({
    replaceExport: async (replaced) => {
      await show(served, 'manifest', 'running', `GET /v1/exports/${replaced.id}`);
      return store.replaceExport(replaced);
    },
  }));
  const { text: csv, headers } = await send(served, 'GET /v1/transactions.csv?currency=USD');
  compare('csv', 'usd', csv);
  await show(served, 'manifest', 'complete', `GET /v1/exports/${headers['export-id']}`);
});

test('exports as NDJSON', async () => {
  const lines = jsonLines((await send(await serve(), 'GET /v1/transactions.ndjson?currency=USD')).text);
  compare('ndjson', 'transaction', lines[0]);
  compare('ndjson', 'manifest', lines.at(-1));
});

const { completed, pending } = EXAMPLES.transaction;
const RECORDED = [pending.value, { ...completed.value, status: 'pending', paidAt: null }, completed.value];

test('a recorded transaction, its changes and its seals', async () => {
  const served = await serve([]);
  await show(served, 'seal', 'none', 'GET /v1/seal');
  const statuses = [];
  for (const { reference, ...body } of RECORDED) {
    const response = await send(
      served,
      `PUT /v1/accounts/${ACCOUNT}/transactions/${reference} ${JSON.stringify(body)}`,
    );
    statuses.push(response.status);
  }
  assert.deepEqual(statuses, [201, 201, 200]);
  await show(served, 'changes', 'first', 'GET /v1/changes?limit=2');
  await show(served, 'changes', 'rest', 'GET /v1/changes?after=2');
  await show(served, 'changes', 'none', 'GET /v1/changes?after=3');
  await show(served, 'transactionChanges', 'completed', 'GET /v1/transactions/tx_000012/changes');
  const turns = { isStopped: () => false, monotonicMs: () => 0, pause: async () => {} };
  await sealUpTo(served.app.store, ACCOUNT, {}, turns);
  await show(served, 'seal', 'sealed', 'GET /v1/seal');
  const [refund] = EXAMPLES.related.refund.value.data;
  const { reference, ...fields } = refund ?? assert.fail();
  await send(served, `PUT /v1/accounts/${ACCOUNT}/transactions/${reference} ${JSON.stringify(fields)}`);
  await show(served, 'related', 'refund', 'GET /v1/transactions/tx_000012/related');
});

test('a batch', async () => {
  const line = (fields: object) =>
    JSON.stringify({ account: ACCOUNT, ...completed.value, amount: '12.50', ...fields });
  const served = await serve([]);
  const text = [line({}), line({ amount: '12.505' }), line({ amount: '13.00' })].join('\n');
  const headers = { 'content-type': 'application/x-ndjson' };
  const answered = await served.operator.send('/v1/batch', { method: 'POST', text, headers });
  const results = jsonLines(answered.text);
  for (const [index, name] of ['recorded', 'invalid', 'conflict'].entries())
    compare('batch', name, results[index]);
});

test('accounts, keys and sessions', async () => {
  const served = await serve();
  await served.app.makeKey('store-2');
  await show(served, 'accounts', 'all', 'GET /v1/accounts');
  const path = `/v1/accounts/${ACCOUNT}`;
  const [listed] = await served.app.store.listApiKeys(ACCOUNT, null, 1);
  await send(served, `DELETE ${path}/keys/${listed?.id}`);
  const { label, expiresAt } = EXAMPLES.createdKey.created.value;
  const create = `POST ${path}/keys ${JSON.stringify({ label, expiresAt })}`;
  const created = await show(served, 'createdKey', 'created', create);
  const { body: keys } = await send(served, `GET ${path}/keys`);
  compare('keys', 'one', { ...keys, data: keys.data.filter(({ id }: { id: string }) => id === created.id) });
  await show(served, 'key', 'read', 'GET /v1/key', created.key);
  const person = '{"person":"ada@shop.example"}';
  const session = await show(served, 'createdSession', 'created', `POST ${path}/sessions ${person}`);
  served.clock.advance(2000);
  const code = `{"code":"${session.code}"}`;
  const opened = await show(served, 'openedSession', 'opened', `POST /v1/session ${code}`);
  await show(served, 'sessions', 'one', `GET ${path}/sessions`);
  await show(served, 'key', 'session', 'GET /v1/key', opened.key);
  served.clock.set(Date.parse(EXAMPLES.rolledKey.rolled.value.createdAt));
  await show(served, 'rolledKey', 'rolled', `POST ${path}/keys/${created.id}/roll {"grace":"24h"}`);
});

test('webhooks', async () => {
  const served = await serve(undefined, undefined, {}, randomBytes);
  const { url, types, label } = EXAMPLES.createdWebhook.created.value;
  const create = `POST /v1/webhooks ${JSON.stringify({ url, types, label })}`;
  const created = await show(served, 'createdWebhook', 'created', create);
  const path = `/v1/webhooks/${created.id}`;
  await show(served, 'webhooks', 'one', 'GET /v1/webhooks');
  await show(served, 'webhook', 'enabled', `GET ${path}`);
  for (const [name, status] of [
    ['delivered', 204],
    ['refused', 404],
  ] as const) {
    served.app.receivers.answer = async () => ({ status, retryAfterMs: null });
    await show(served, 'webhookTest', name, `POST ${path}/test`);
  }
  await show(served, 'rotatedSecret', 'rotated', `POST ${path}/rotate-secret`);
  const times = { firstFailedAtMs: NOW_MS, lastFailedAtMs: NOW_MS + 5000, nextAttemptAtMs: NOW_MS + 305_000 };
  const failed = failure(13, {
    ...times,
    attempts: 2,
    responseStatus: 500,
    error: 'the receiver answered 500',
  });
  const stored = await served.app.store.findWebhook(ACCOUNT, created.id);
  const isStored = await served.app.store.storeProgress(
    ACCOUNT,
    created.id,
    stored?.version ?? 0,
    progress(13, { failed: [failed] }),
  );
  assert.ok(isStored);
  await show(served, 'failures', 'one', `GET ${path}/failures`);
  await show(served, 'replayedWebhook', 'fromTheFirst', `POST ${path}/replay {"after":0}`);
  await send(served, `DELETE ${path}`);
  const { body: other } = await send(served, create);
  await show(served, 'disabledWebhook', 'disabled', `PATCH /v1/webhooks/${other.id} {"state":"disabled"}`);
});

test('the first example of totals has the totals that the guide shows', () => {
  const guide = readFileSync(new URL('../../docs/using-the-api.md', import.meta.url), 'utf8');
  const [, shown = ''] = /^## Totals$[\s\S]*?```json\n([\s\S]*?)```/m.exec(guide) ?? [];
  assert.deepEqual(JSON.parse(shown), EXAMPLES.totals.all.value);
});

async function serveRecorded(code: string): Promise<Served> {
  const served = await serve();
  const { method, target, headers, body = '' } = file.errors[code]?.request ?? assert.fail(code);
  const { Authorization: _, ...others } = headers;
  const earlier = { ...JSON.parse(body), amount: '12.50' };
  const sent = { method: method as OperatorRequest['method'], headers: others, body: earlier };
  assert.equal((await served.operator.send(target, sent)).status, 201);
  return served;
}

async function createEndpoints({ app, clock }: Served, ids: readonly string[]): Promise<void> {
  const createdAtMs = clock.now();
  const made = { account: ACCOUNT, createdAtMs, version: createdAtMs, replayVersion: createdAtMs };
  for (const id of ids) {
    const created = webhook(1, { ...made, id, acknowledgedSequence: TRANSACTIONS.length });
    await app.store.createWebhook(created, MAX_WEBHOOKS, someEntry());
  }
}

const failing = (error: Error) => () =>
  serve(undefined, () => ({ listTransactions: () => Promise.reject(error) }));

const GIVEN: Readonly<Record<string, () => Promise<Served>>> = {
  cursor_expired: async () => {
    const served = await serve();
    served.clock.set(Date.parse(EXAMPLE_CURSOR_EXPIRES));
    return served;
  },
  rate_limited: async () => {
    const served = await serve();
    const headers = { authorization: `Bearer ${served.key}` };
    for (let count = 0; count < 2000; count++)
      await served.app.server.inject({ url: '/v1/transactions/none', headers });
    return served;
  },
  transaction_conflict: () => serveRecorded('transaction_conflict'),
  idempotency_key_reused: () => serveRecorded('idempotency_key_reused'),
  insecure_transport: () => serve(undefined, undefined, { trustedProxies: ['127.0.0.1'] }),
  insufficient_scope: async () => {
    const served = await serve();
    return { ...served, key: await served.app.makeKey(ACCOUNT, { scopes: ['webhooks'] }) };
  },
  key_not_active: async () => {
    const served = await serve();
    await served.app.makeKey(ACCOUNT, { id: 'key_0123456789abcdef' });
    assert.ok(await served.app.store.revokeApiKey('key_0123456789abcdef', NOW_MS, someEntry()));
    return served;
  },
  too_many_exports: async () => {
    let waiting = 0;
    const createExport = () => {
      waiting++;
      return hang();
    };
    const served = await serve([], () => ({ createExport }));
    for (let count = 0; count < 2; count++) served.app.send('/v1/transactions.csv', served).catch(() => {});
    while (waiting < 2) await nextTurn();
    return served;
  },
  changes_archived: () =>
    serve([], (store) => ({
      listChanges: async (query) => ({ ...(await store.listChanges(query)), floorSequence: 9 }),
    })),
  too_many_waiting: async () => {
    const served = await serve();
    const url = `/v1/changes?after=${TRANSACTIONS.length}&wait=30`;
    for (let count = 0; count < 1000; count++) served.app.send(url, served).catch(() => {});
    await untilWaiting(served.app, 1000);
    return served;
  },
  too_many_webhooks: async () => {
    const served = await serve();
    await createEndpoints(
      served,
      Array.from({ length: MAX_WEBHOOKS }, (_, index) => `we_${String(index).padStart(16, '0')}`),
    );
    return served;
  },
  too_many_tests: async () => {
    const served = await serve();
    const { app, key } = served;
    await createEndpoints(served, ['we_0123456789abcdef']);
    app.receivers.answer = hang;
    for (let count = 0; count < 2; count++)
      app.send('/v1/webhooks/we_0123456789abcdef/test', { method: 'POST', key }).catch(() => {});
    while (app.receivers.sent.length < 2) await nextTurn();
    return served;
  },
  internal_error: failing(new TypeError('a fault of the test')),
  unavailable: failing(new StoreUnavailable('database_error', 'the database is away')),
};

const spelledOut = (text: string) =>
  text.replaceAll(/<(\d+) (\w)>/g, (_, count, letter) => letter.repeat(Number(count)));

async function sendError(code: string, { app, operator, key }: Served) {
  const { request } = file.errors[code] ?? assert.fail(`examples.json has no error ${code}`);
  const isOperators = request.target.startsWith('/v1/accounts');
  const { server } = isOperators ? operator : app;
  const address = await server.listen({ host: '127.0.0.1', port: 0 });
  const headers = Object.entries(request.headers).map(([name, value]) => [
    name,
    spelledOut(value.replace(KEY_PLACEHOLDER, isOperators ? operator.key : key)),
  ]);
  const { method } = request;
  const sent = httpRequest(address + spelledOut(request.target), {
    method,
    headers: Object.fromEntries(headers),
    agent: false,
  });
  const answered = once(sent, 'response');
  sent.on('error', () => {});
  if (code === 'request_timeout') {
    const limits = arrivalLimits(server.server as Server);
    sent.setHeader('Content-Length', '10').flushHeaders();
    limits.pass();
  } else sent.end(request.body && spelledOut(request.body));
  const [response] = (await answered) as [IncomingMessage];
  return response;
}

for (const { code, status, title } of KINDS)
  test(`${status} ${code}`, async () => {
    const served = await (GIVEN[code] ?? serve)();
    try {
      const response = await sendError(code, served);
      assert.equal(response.statusCode, status, `GIVEN has what must happen before: ${code}`);
      const body = JSON.parse(await text(response));
      const { type: _, title: shown, status: sent, code: own, requestId, ...rest } = body;
      assert.deepEqual([sent, own, shown], [status, code, title]);
      assert.equal(requestId, response.headers['request-id']);
      const example = file.errors[code] ?? assert.fail(code);
      const names = Object.keys(example.headers);
      const headers = Object.fromEntries(
        names.map((name) => [name, String(response.headers[name.toLowerCase()])]),
      );
      if (process.env['TEST_WRITE'] === '1') Object.assign(example, { headers, response: rest });
      else
        assert.deepEqual(
          { headers, response: rest },
          { headers: example.headers, response: example.response },
        );
    } finally {
      for (const { server } of [served.app, served.operator]) {
        server.server.closeAllConnections();
        await server.close();
      }
    }
  });
