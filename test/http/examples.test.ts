import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { EXAMPLE_CURSOR, EXAMPLE_CURSOR_EXPIRES } from '../../src/http/operations/page-problems.ts';
import type { ProblemExample } from '../../src/http/problems/problem-example.ts';
import { CHANGE_EXAMPLES, EXAMPLE_RECORDINGS } from '../../src/ledger/changes/http/change-examples.ts';
import {
  ASSIGNED_EXAMPLE,
  COMPLETED_EXAMPLE,
  EXAMPLE_NOW_MS,
  EXAMPLE_TRANSACTIONS,
  LIST_EXAMPLES,
  PENDING_EXAMPLE,
} from '../../src/ledger/http/transaction-examples.ts';
import { BATCH_EXAMPLES } from '../../src/ledger/record/http/batch-examples.ts';
import { SEAL_EXAMPLES } from '../../src/ledger/seals/http/read-seal.ts';
import { sealUpTo } from '../../src/ledger/seals/seal-up-to.ts';
import { TOTALS_EXAMPLES } from '../../src/ledger/totals/http/totals-examples.ts';
import type { Store } from '../../src/store/store.ts';
import { StoreUnavailable } from '../../src/values/store-errors.ts';
import { MAX_WEBHOOKS } from '../../src/webhooks/manage-webhooks.ts';
import { newWebhook } from '../../src/webhooks/new-webhook.ts';
import { ACCOUNT, checkExample, OPERATOR_PATH, type Served, serveExamples } from '../rig/data/examples.ts';
import { exampleOf, KINDS } from '../rig/http/problems.ts';
import { untilWaiting } from '../rig/http/waiting-callers.ts';
import { someEntry } from '../rig/store/audit.ts';
import { appOnFaultyStore, hang, rejectWith } from '../rig/store/faulty-store.ts';
import { storeWith } from '../rig/store/store-with.ts';

/*
 * The examples of the reference and of the error pages are real: each request is sent to the service unchanged, and its
 * response is compared with the example.
 */

/** Sends the earlier request of an example: the same with the amount 12.50. */
async function recordBefore({ operator }: Served, { request }: ProblemExample): Promise<void> {
  const body = { ...JSON.parse(request.body ?? ''), amount: '12.50' };
  const { Authorization: _, ...headers } = request.headers;
  const method = request.method as 'PUT' | 'POST';
  assert.equal((await operator.send(request.target, { method, body, headers })).status, 201);
}

/** The service on a store whose lists fail with an error. */
async function serveFailing(makeError: () => Error): Promise<Served> {
  const served = await serveExamples();
  const { app, faults } = await appOnFaultyStore(['listTransactions'], rejectWith(makeError));
  faults.failing = true;
  return { ...served, app, key: await app.makeKey(ACCOUNT) };
}

/** The service while two exports of the account wait for the database. */
async function serveExporting(): Promise<Served> {
  let waiting = 0;
  const createExport = () => {
    waiting++;
    return hang();
  };
  const served = await serveExamples([], (store) => storeWith(store, { createExport }));
  const headers = { authorization: `Bearer ${served.key}` };
  for (let count = 0; count < 2; count++)
    served.app.server.inject({ url: '/v1/transactions.csv', headers }).catch(() => {});
  while (waiting < 2) await nextTurn();
  return served;
}

const ENDPOINT_ID = 'we_0123456789abcdef';

/** An endpoint that is at the last change of the account. */
async function createEndpoint({ app, clock }: Served, id = ENDPOINT_ID): Promise<void> {
  const fields = {
    url: 'https://shop.example/webhooks',
    types: null,
    label: null,
    ordered: false,
    signing: 'v1' as const,
  };
  const place = { account: ACCOUNT, id };
  const created = newWebhook(place, fields, EXAMPLE_TRANSACTIONS.length, clock.now(), randomBytes);
  await app.store.createWebhook(created, MAX_WEBHOOKS, someEntry());
}

/** The state of the service before the request of an example, if it needs one. */
const GIVEN: Readonly<Record<string, () => Promise<Served>>> = {
  cursor_expired: async () => {
    const served = await serveExamples();
    served.clock.set(Date.parse(EXAMPLE_CURSOR_EXPIRES));
    return served;
  },
  rate_limited: async () => {
    const served = await serveExamples();
    const headers = { authorization: `Bearer ${served.key}` };
    for (let count = 0; count < 2000; count++) {
      await served.app.server.inject({ url: '/v1/transactions/none', headers });
    }
    return served;
  },
  transaction_conflict: async () => {
    const served = await serveExamples();
    await recordBefore(served, exampleOf('transaction_conflict'));
    return served;
  },
  idempotency_key_reused: async () => {
    const served = await serveExamples();
    await recordBefore(served, exampleOf('idempotency_key_reused'));
    return served;
  },
  insecure_transport: () => serveExamples(undefined, undefined, { trustedProxies: ['127.0.0.1'] }),
  insufficient_scope: async () => {
    const served = await serveExamples();
    return { ...served, key: await served.app.makeKey(ACCOUNT, { scopes: ['webhooks'] }) };
  },
  key_not_active: async () => {
    const served = await serveExamples();
    await served.app.makeKey(ACCOUNT, { id: 'key_0123456789abcdef' });
    assert.ok(await served.app.store.revokeApiKey('key_0123456789abcdef', EXAMPLE_NOW_MS, someEntry()));
    return served;
  },
  too_many_exports: serveExporting,
  changes_archived: () =>
    serveExamples([], (store) => {
      const listChanges: Store['listChanges'] = async (query) => ({
        ...(await store.listChanges(query)),
        floorSequence: 9,
      });
      return storeWith(store, { listChanges });
    }),
  too_many_waiting: async () => {
    const served = await serveExamples();
    const url = `/v1/changes?after=${EXAMPLE_TRANSACTIONS.length}&wait=30`;
    for (let count = 0; count < 1000; count++) served.app.send(url, served).catch(() => {});
    await untilWaiting(served.app, 1000);
    return served;
  },
  too_many_webhooks: async () => {
    const served = await serveExamples();
    for (let count = 0; count < MAX_WEBHOOKS; count++) await createEndpoint(served, `we_${count}`);
    return served;
  },
  too_many_tests: async () => {
    const served = await serveExamples();
    const { app, key } = served;
    await createEndpoint(served);
    app.receivers.answer = hang;
    const request = { method: 'POST', url: `/v1/webhooks/${ENDPOINT_ID}/test` } as const;
    for (let count = 0; count < 2; count++)
      app.server.inject({ ...request, headers: { authorization: `Bearer ${key}` } }).catch(() => {});
    while (app.receivers.sent.length < 2) await nextTurn();
    return served;
  },
  internal_error: () => serveFailing(() => new TypeError('a fault of the test')),
  unavailable: () => serveFailing(() => new StoreUnavailable('database_error', 'the database is away')),
};

describe('the example', () => {
  for (const { code, status } of KINDS) {
    // It takes ten seconds: limits.test.ts compares it where it waits for them anyway.
    if (code === 'request_timeout') continue;
    test(`${status} ${code} is the response to its request`, async () => {
      await checkExample(exampleOf(code), await (GIVEN[code] ?? serveExamples)());
    });
  }
});

describe('the examples of reads in the reference', () => {
  test('200: a walk of the list gives its examples', async () => {
    const { app, key } = await serveExamples();
    const first = await app.server.inject({
      url: '/v1/transactions?status=completed',
      headers: { authorization: `Bearer ${key}` },
    });
    assert.deepEqual(first.json(), LIST_EXAMPLES.more.value);
    assert.equal(first.headers['cursor-expires'], EXAMPLE_CURSOR_EXPIRES);
    assert.equal(first.headers['link'], `</v1/transactions?cursor=${EXAMPLE_CURSOR}>; rel="next"`);
    const last = await app.server.inject({
      url: `/v1/transactions?cursor=${EXAMPLE_CURSOR}`,
      headers: { authorization: `Bearer ${key}` },
    });
    assert.deepEqual(last.json(), LIST_EXAMPLES.last.value);
  });

  test('200: the pages of the change feed are its examples', async () => {
    const { app, operator, key } = await serveExamples([]);
    for (const { reference, ...body } of EXAMPLE_RECORDINGS) {
      const { status } = await operator.send(`${OPERATOR_PATH}${ACCOUNT}/transactions/${reference}`, {
        method: 'PUT',
        body,
      });
      assert.ok(status < 300);
    }
    for (const [query, example] of [
      ['limit=2', CHANGE_EXAMPLES.first],
      ['after=2', CHANGE_EXAMPLES.rest],
      ['after=3', CHANGE_EXAMPLES.none],
    ] as const) {
      const headers = { authorization: `Bearer ${key}` };
      const { statusCode, body } = await app.server.inject({ url: `/v1/changes?${query}`, headers });
      assert.deepEqual([statusCode, JSON.parse(body)], [200, example.value], query);
    }
  });

  test('200: seals are their examples', async () => {
    const { app, operator, key } = await serveExamples([]);
    const readSeal = async () => {
      const headers = { authorization: `Bearer ${key}` };
      const { statusCode, body } = await app.server.inject({ url: '/v1/seal', headers });
      return [statusCode, JSON.parse(body)];
    };
    assert.deepEqual(await readSeal(), [200, SEAL_EXAMPLES.none.value]);
    for (const { reference, ...body } of EXAMPLE_RECORDINGS)
      await operator.send(`${OPERATOR_PATH}${ACCOUNT}/transactions/${reference}`, { method: 'PUT', body });
    await sealUpTo(
      app.store,
      ACCOUNT,
      {},
      { isStopped: () => false, monotonicMs: () => 0, pause: async () => {} },
    );
    assert.deepEqual(await readSeal(), [200, SEAL_EXAMPLES.sealed.value]);
  });

  test('200: totals are their examples', async () => {
    const { app, key } = await serveExamples();
    const headers = { authorization: `Bearer ${key}` };
    for (const [query, example] of [
      ['', TOTALS_EXAMPLES.all],
      ['?currency=USD&by=day', TOTALS_EXAMPLES.byDay],
      ['?currency=USD&by=month', TOTALS_EXAMPLES.byMonth],
    ] as const) {
      const { statusCode, body } = await app.server.inject({ url: `/v1/totals${query}`, headers });
      assert.deepEqual([statusCode, JSON.parse(body)], [200, example.value], query);
    }
  });

  test('the totals that the guide shows are the first example', () => {
    const guide = readFileSync(new URL('../../docs/using-the-api.md', import.meta.url), 'utf8');
    const [, shown = ''] = /^## Totals$[\s\S]*?```json\n([\s\S]*?)```/m.exec(guide) ?? [];
    assert.deepEqual(JSON.parse(shown), TOTALS_EXAMPLES.all.value);
  });

  test('200: retrieving a transaction gives its examples', async () => {
    const { app, key } = await serveExamples();
    for (const example of [COMPLETED_EXAMPLE, PENDING_EXAMPLE]) {
      const { body } = await app.server
        .inject({
          url: `/v1/transactions/${example.reference}`,
          headers: { authorization: `Bearer ${key}` },
        })
        .then((answer) => ({ body: answer.json() }));
      assert.deepEqual(body, example);
    }
  });
});

describe('the examples of the operator in the reference', () => {
  const { reference, ...transaction } = COMPLETED_EXAMPLE;
  const path = `${OPERATOR_PATH}${ACCOUNT}`;

  test('201 and 200: a transaction is recorded, and its payment', async () => {
    const { operator } = await serveExamples([]);
    const put = (body: object) => operator.send(`${path}/transactions/${reference}`, { method: 'PUT', body });
    assert.equal((await put({ ...transaction, status: 'pending', paidAt: null })).status, 201);
    const changed = await put(transaction);
    assert.deepEqual([changed.status, changed.body], [200, COMPLETED_EXAMPLE]);
  });

  test('201: a reference is assigned', async () => {
    const { operator } = await serveExamples([]);
    const { status, body } = await operator.send(`${path}/transactions`, {
      method: 'POST',
      body: transaction,
      headers: { 'idempotency-key': 'payment-1014' },
    });
    assert.equal(status, 201);
    // It begins with the time of creation. The rest is random.
    const time = 'tx_019d3e14-21c0-7'.length;
    assert.equal(body.reference.slice(0, time), ASSIGNED_EXAMPLE.reference.slice(0, time));
    assert.deepEqual({ ...body, reference: ASSIGNED_EXAMPLE.reference }, ASSIGNED_EXAMPLE);
  });

  test('200: a batch is answered line by line', async () => {
    const { operator } = await serveExamples([]);
    const line = (fields: object) =>
      JSON.stringify({ account: ACCOUNT, reference, ...transaction, amount: '12.50', ...fields });
    const { text: answered } = await operator.send('/v1/batch', {
      method: 'POST',
      text: [line({}), line({ amount: '12.505' }), line({ amount: '13.00' })].join('\n'),
      headers: { 'content-type': 'application/x-ndjson' },
    });
    const results = answered.trim().split('\n');
    assert.deepEqual(
      results.map((one) => JSON.parse(one)),
      Object.values(BATCH_EXAMPLES).map(({ value }) => value),
    );
  });
});
