import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { changeId } from '../../src/ledger/changes/change.ts';
import { readLastNumber } from '../../src/ledger/totals/utc-totals.ts';
import type { AccountTransaction } from '../../src/ledger/transaction.ts';
import { formatTransaction } from '../../src/ledger/transaction-fields.ts';
import { OPERATIONS } from '../../src/service/operations.ts';
import { BUILT_IN_STATUSES } from '../../values/status.ts';
import { totalsOf } from '../model/totals.ts';
import { compareInList, EVERYTHING, isInDays, matches } from '../model/transactions.ts';
import { FILTER_VALUES } from '../rig/data/list-query.ts';
import { DAY } from '../rig/data/transactions.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { someInTier } from '../rig/run/tier.ts';
import { buildTestApp, type TestResponse, testClock } from '../rig/service/app.ts';
import { buildTestOperatorApp, type OperatorRequest } from '../rig/service/operator-app.ts';
import { ACCOUNT, ACCOUNT_STATES, type AccountState } from '../rig/store/account-states.ts';
import type { StoreHarness } from '../rig/store/store-harness.ts';
import { failure, progress } from '../rig/webhooks/webhooks.ts';
import type { VerifiedStore } from '../verify/healthy-database.ts';

/*
 * Every operation that needs a key, in each state in which an account has fewer rows than its numbers
 * suggest. One that changes something fails without a row in TABLE, and a parameter without a value in
 * VALUES.
 */

interface Situation extends AccountState {
  store: VerifiedStore;
  /** The id of the last change; null without one. */
  headId: string | null;
  send(url: string, request?: Partial<OperatorRequest>): Promise<TestResponse>;
  sendOperator(url: string, request?: Partial<OperatorRequest>): Promise<TestResponse>;
}

type Check = (situation: Situation) => Promise<void>;

const OFFERED = OPERATIONS.flatMap((operation) =>
  [operation.public, operation.operator].flatMap((offer) =>
    offer === undefined || ['operation', 'assistants'].includes(offer.tag)
      ? []
      : [{ ...offer, operation, isOperators: offer === operation.operator }],
  ),
);

/** In this time zone, a row created at midnight UTC is on the day before. */
const ZONE = 'America/New_York';

/** The values of each parameter that selects or splits. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  ...FILTER_VALUES,
  from: ['2026-03-01', '2026-03-02', '2026-03-05'],
  to: ['2026-03-01', '2026-03-05'],
  paidFrom: ['2026-03-02'],
  paidTo: ['2026-03-01'],
  by: ['day', 'month'],
  amount: ['12.50'],
  amountFrom: ['12.50', '13.00'],
  amountTo: ['12.49', '12.50'],
  text: ['LATE', 'order-1'],
  timeZone: ['UTC', ZONE],
  spreadsheet: ['true'],
  relatedTo: ['true'],
  recordedAt: ['true'],
  details: ['customer'],
};
/** Parameters that continue a list: the checks of their operations send them. */
const CONTINUING = ['cursor', 'after', 'afterId', 'resume', 'limit', 'wait'];

type Query = Readonly<Record<string, string>>;

/** The parameters of an operation: none, each value of each alone, and each with a time zone. */
function queriesOf(id: string): Query[] {
  const query = OFFERED.find((one) => one.id === id)?.operation.query;
  const declared = Object.keys((typeof query === 'function' ? query(BUILT_IN_STATUSES) : query) ?? {});
  const names = declared.filter((name) => !CONTINUING.includes(name));
  const queries: Query[] = [{}];
  for (const name of names)
    for (const value of VALUES[name] ?? assert.fail(`VALUES has no value of ${name}`)) {
      queries.push({ [name]: value });
      if (name !== 'timeZone' && names.includes('timeZone')) queries.push({ [name]: value, timeZone: ZONE });
    }
  return queries;
}

/** True if a query selects a row. */
function isSelected(row: AccountTransaction, query: Query): boolean {
  const { timeZone = null, paidFrom: from = null, paidTo: to = null, text, amount } = query;
  const { amountFrom = amount, amountTo = amount } = query;
  const minor = (text: string) => Number(text.replace('.', ''));
  return (
    matches({ ...EVERYTHING, ...query }, row) &&
    ((from === null && to === null) ||
      (row.paidAtMs !== null && isInDays(row.paidAtMs, { from, to, timeZone }))) &&
    (amountFrom === undefined || row.amountMinor >= minor(amountFrom)) &&
    (amountTo === undefined || row.amountMinor <= minor(amountTo)) &&
    (text === undefined ||
      [row.reference, row.merchantReference].some((one) => one?.toLowerCase().includes(text.toLowerCase())))
  );
}

const selected = (rows: readonly AccountTransaction[], query: Query) =>
  rows.filter((row) => isSelected(row, query)).sort(compareInList);

const withQuery = (path: string, query: Query) => `${path}?${new URLSearchParams(query)}`;
const ofOperator = (path: string) => path.replace('/v1', `/v1/accounts/${ACCOUNT}`);

/** The archived days in a response. They end on 5 March UTC, which is the evening of the 4th in New York. */
const archivedDays = ({ floorSequence }: AccountState, { from = '' }: Query) =>
  floorSequence === 0 || from >= '2026-03-05' ? {} : { archivedBefore: '2026-03-05' };

/** Lists with each query. */
const lists =
  (id: string, path: string, needed: Query = {}): Check =>
  async ({ send, rows, ...state }) => {
    for (const query of queriesOf(id)) {
      const sent = { ...needed, ...query };
      const { status, body } = await send(withQuery(path, sent));
      assert.equal(status, 200, JSON.stringify([sent, body]));
      assert.deepEqual(body.data, selected(rows, sent).map(formatTransaction), JSON.stringify(sent));
      assert.equal(body.nextCursor, null);
      const archived = archivedDays({ rows, ...state }, sent);
      assert.equal(body.archivedBefore, archived.archivedBefore, JSON.stringify(sent));
    }
  };

const readsTotals: Check = async ({ send, ...state }) => {
  const { rows, headSequence, headId } = state;
  for (const query of queriesOf('readTotals')) {
    const { status, body } = await send(withQuery('/v1/totals', query));
    assert.equal(status, 200, JSON.stringify([query, body]));
    const zone = { ...EVERYTHING, timeZone: query['timeZone'] ?? null };
    const by = (query['by'] ?? null) as 'day' | 'month' | null;
    const data = totalsOf(selected(rows, query), zone, by);
    const expected = { data, asOf: headSequence, asOfId: headId, ...archivedDays(state, query) };
    assert.deepEqual(body, expected, JSON.stringify(query));
  }
};

/** Exports with each query. */
const exports =
  (id: string, path: string): Check =>
  async ({ send, ...state }) => {
    const { rows, headSequence, headId } = state;
    for (const query of queriesOf(id)) {
      const { status, text, headers } = await send(withQuery(path, query));
      assert.equal(status, 200, JSON.stringify([query, text]));
      assert.equal(headers['export-as-of'], String(headSequence));
      assert.equal(headers['export-as-of-id'], headId ?? undefined);
      const found = selected(rows, query);
      const references = path.endsWith('csv')
        ? text
            .trim()
            .split('\r\n')
            .slice(1)
            .map((line) => line.split(',')[0])
        : text
            .trim()
            .split('\n')
            .slice(0, -1)
            .map((line) => JSON.parse(line).reference);
      assert.deepEqual(
        references,
        found.map(({ reference }) => reference),
        JSON.stringify(query),
      );
      const { body: manifest } = await send(`/v1/exports/${headers['export-id']}`);
      const { archivedBefore } = archivedDays(state, query);
      assert.equal(headers['export-archived-before'], archivedBefore, JSON.stringify(query));
      assert.equal(manifest.archivedBefore, archivedBefore);
      assert.deepEqual(
        [manifest.state, manifest.rows, manifest.asOf],
        ['complete', found.length, headSequence],
      );
    }
  };

const KEYS = `/v1/accounts/${ACCOUNT}/keys`;
const TRANSACTIONS = `/v1/accounts/${ACCOUNT}/transactions`;
/** Neither archived nor recorded yet in any state. */
const NEW = {
  merchantReference: null,
  status: 'completed',
  amount: '1.00',
  currencyCode: 'EUR',
  paidAt: '2026-03-07T00:00:00.000Z',
  createdAt: '2026-03-07T00:00:00.000Z',
};
const BEFORE_THE_ARCHIVE = { ...NEW, createdAt: '2026-03-01T00:00:00.000Z' };

const makesKey = async ({ sendOperator }: Situation) => {
  const { status, body } = await sendOperator(KEYS, { method: 'POST', body: {} });
  assert.equal(status, 201);
  return body.id as string;
};
const SESSIONS = `/v1/accounts/${ACCOUNT}/sessions`;
const makesSession = async ({ sendOperator }: Situation) => {
  const { status, body } = await sendOperator(SESSIONS, { method: 'POST', body: { person: 'ada' } });
  assert.equal(status, 201);
  return body as { id: string; code: string };
};
const opensSession = async (situation: Situation) => {
  const { code } = await makesSession(situation);
  const opened = await situation.send('/v1/session', { method: 'POST', body: { code } });
  assert.deepEqual([opened.status, opened.body.account], [201, ACCOUNT]);
  return opened.body.key as string;
};
const makesWebhook = async ({ send, headSequence }: Situation) => {
  const created = await send('/v1/webhooks', { method: 'POST', body: { url: 'https://example.com/hook' } });
  assert.deepEqual([created.status, created.body.acknowledgedSequence], [201, headSequence]);
  return created.body.id as string;
};
/** No failure of an archived change is stored: another instance settled it. */
const canFail = ({ headSequence, floorSequence }: Situation) => headSequence > floorSequence;
/** An endpoint whose last change could not be delivered. */
const makesFailing = async (situation: Situation, isOrdered: boolean) => {
  const { store, headSequence, headId } = situation;
  const body = { url: 'https://example.com/hook', ordered: isOrdered };
  const { id } = (await situation.send('/v1/webhooks', { method: 'POST', body })).body;
  if (headId === null) return id as string;
  const { lastNonce: nonce } = await readLastNumber(store, ACCOUNT);
  const reached = { after: headSequence, nonce, failingSinceMs: 1000, failed: [failure(headSequence)] };
  assert.ok(await store.storeProgress(ACCOUNT, id, 1, progress(headSequence, reached)), 'progress is stored');
  const other = { ...reached, nonce: (nonce as number) + 1 };
  assert.ok(
    !(await store.storeProgress(ACCOUNT, id, 1, progress(headSequence, other))),
    'of another history',
  );
  return id as string;
};

/** Reads of an account through both listeners. */
const READ_BY_BOTH: Readonly<Record<string, Check>> = {
  listTransactions: lists('listTransactions', '/v1/transactions'),
  searchTransactions: lists('searchTransactions', '/v1/search', { amountFrom: '0.01' }),
  retrieveTransaction: async ({ send, rows, floorSequence }) => {
    for (const row of rows) {
      const { status, body } = await send(`/v1/transactions/${row.reference}`);
      assert.deepEqual([status, body], [200, formatTransaction(row)]);
    }
    const absent = await send('/v1/transactions/pay_none');
    assert.equal(absent.status, 404);
    assert.equal(/before 2026-03-05 \(UTC\) are archived/.test(absent.body.detail), floorSequence > 0);
  },
  listRelatedTransactions: async ({ send, ...state }) => {
    const { status, body } = await send('/v1/transactions/none/related');
    assert.deepEqual(
      [status, body],
      [200, { data: [], nextCursor: null, hasMore: false, ...archivedDays(state, {}) }],
    );
  },
  listTransactionChanges: async ({ send, rows }) => {
    for (const row of rows) {
      const { body } = await send(`/v1/transactions/${row.reference}/changes`);
      assert.deepEqual(
        body.data.map(({ transaction }: { transaction: object }) => transaction),
        [formatTransaction(row)],
      );
    }
  },
  listChanges: async ({ send, headSequence, headId, floorSequence }) => {
    for (let after = 0; after <= headSequence; after++) {
      const { status, body } = await send(`/v1/changes?after=${after}&limit=10&wait=0`);
      assert.equal(status, after < floorSequence ? 410 : 200);
      if (status === 410) continue;
      assert.deepEqual(
        [body.lastSequence, body.lastId, body.headSequence],
        [headSequence, headId, headSequence],
      );
      assert.equal(body.data.length, headSequence - after);
    }
    const afterId: Query = headId === null ? {} : { afterId: headId };
    assert.equal(
      (await send(withQuery('/v1/changes', { after: `${headSequence}`, ...afterId }))).status,
      200,
    );
    const ahead = await send(`/v1/changes?after=${headSequence + 1}`);
    assert.deepEqual([ahead.status, ahead.body.code], [400, 'sequence_ahead']);
  },
  readSeal: async ({ send, headSequence, floorSequence }) => {
    const { status, body } = await send('/v1/seal');
    assert.equal(status, 200);
    assert.ok(body.sequence >= floorSequence && body.sequence <= headSequence);
  },
  readTotals: readsTotals,
  exportCsv: exports('exportCsv', '/v1/transactions.csv'),
  exportNdjson: exports('exportNdjson', '/v1/transactions.ndjson'),
};

const onOperatorsListener =
  (check: Check): Check =>
  (situation) =>
    check({ ...situation, send: (url, request) => situation.sendOperator(ofOperator(url), request) });

/** Reads with each operation that reads: what it names with an id does not exist. */
const READS = OFFERED.filter(({ operation }) => operation.method === 'GET').map(
  ({ id, path, isOperators }): [string, Check] => [
    id,
    async ({ send, sendOperator }) => {
      const url = path.replaceAll(':account', ACCOUNT).replaceAll(/:\w+/g, 'none');
      const { status } = await (isOperators ? sendOperator : send)(url);
      assert.equal(status, path.endsWith(':id') ? 404 : 200);
    },
  ],
);

/** A check of each operation: first those that only read, then those that change more than transactions. */
const TABLE: Readonly<Record<string, Check>> = {
  ...Object.fromEntries(READS),
  ...READ_BY_BOTH,
  ...Object.fromEntries(
    Object.entries(READ_BY_BOTH).map(([id, check]) => [
      String(OPERATIONS.find((operation) => operation.public?.id === id)?.operator?.id),
      onOperatorsListener(check),
    ]),
  ),
  retrieveKey: async ({ send }) => assert.equal((await send('/v1/key')).body.account, ACCOUNT),
  listAccounts: async ({ sendOperator, headSequence, headId }) =>
    assert.deepEqual((await sendOperator('/v1/accounts')).body.data, [
      { account: ACCOUNT, headSequence, headId },
    ]),
  removeDetails: async ({ sendOperator, rows }) => {
    for (const { reference } of rows) {
      const removed = await sendOperator(`${TRANSACTIONS}/${reference}/details`, { method: 'DELETE' });
      assert.equal(removed.status, 204);
    }
    const none = await sendOperator(`${TRANSACTIONS}/none/details`, { method: 'DELETE' });
    assert.equal(none.status, 404);
  },
  createKey: async (situation) => void (await makesKey(situation)),
  revokeKey: async (situation) => {
    const revoked = await situation.sendOperator(`${KEYS}/${await makesKey(situation)}`, {
      method: 'DELETE',
    });
    assert.equal(revoked.status, 204);
  },
  rollKey: async (situation) => {
    const path = `${KEYS}/${await makesKey(situation)}/roll`;
    assert.equal((await situation.sendOperator(path, { method: 'POST', body: {} })).status, 201);
  },
  createSession: async (situation) => void (await makesSession(situation)),
  listSessions: async (situation) => {
    const { id } = await makesSession(situation);
    const { data } = (await situation.sendOperator(SESSIONS)).body;
    assert.ok(data.some((session: { id: string }) => session.id === id));
  },
  endSession: async (situation) => {
    const { id } = await makesSession(situation);
    assert.equal((await situation.sendOperator(`${SESSIONS}/${id}`, { method: 'DELETE' })).status, 204);
  },
  endSessions: async ({ sendOperator }) =>
    assert.equal((await sendOperator(`${SESSIONS}?person=ada`, { method: 'DELETE' })).status, 204),
  openSession: async (situation) => void (await opensSession(situation)),
  signOut: async (situation) => {
    const ended = { method: 'DELETE', key: await opensSession(situation) } as const;
    assert.equal((await situation.send('/v1/session', ended)).status, 204);
  },
  createWebhook: async (situation) => void (await makesWebhook(situation)),
  retrieveWebhook: async (situation) => {
    const { body } = await situation.send(`/v1/webhooks/${await makesWebhook(situation)}`);
    assert.deepEqual(
      [body.acknowledgedSequence, body.failureCount],
      [situation.headSequence, 0],
      JSON.stringify(body),
    );
  },
  deleteWebhook: async (situation) => {
    const path = `/v1/webhooks/${await makesWebhook(situation)}`;
    assert.equal((await situation.send(path, { method: 'DELETE' })).status, 204);
  },
  changeWebhook: async (situation) => {
    const path = `/v1/webhooks/${await makesWebhook(situation)}`;
    const changed = await situation.send(path, { method: 'PATCH', body: { label: 'changed' } });
    assert.equal(changed.status, 200);
  },
  testWebhook: async (situation) => {
    const path = `/v1/webhooks/${await makesWebhook(situation)}/test`;
    assert.equal((await situation.send(path, { method: 'POST' })).body.delivered, true);
  },
  replayWebhook: async (situation) => {
    const { send, headSequence, floorSequence } = situation;
    const path = `/v1/webhooks/${await makesWebhook(situation)}/replay`;
    for (let after = headSequence + 1; after >= 0; after--) {
      const replayed = await send(path, { method: 'POST', body: { after } });
      const expected = after < floorSequence ? 'changes_archived' : after > headSequence && 'sequence_ahead';
      assert.equal(replayed.body.code ?? false, expected, `${after}`);
    }
  },
  rotateWebhookSecret: async (situation) => {
    const path = `/v1/webhooks/${await makesWebhook(situation)}/rotate-secret`;
    assert.equal((await situation.send(path, { method: 'POST' })).status, 200);
  },
  listWebhookFailures: async (situation) => {
    for (const isOrdered of [false, true]) {
      const { body } = await situation.send(
        `/v1/webhooks/${await makesFailing(situation, isOrdered)}/failures`,
      );
      assert.equal(body.data.length, canFail(situation) ? 1 : 0);
    }
  },
  retryWebhookFailure: async (situation) => {
    const path = `/v1/webhooks/${await makesFailing(situation, false)}/failures/${situation.headSequence}/retry`;
    const { status } = await situation.send(path, { method: 'POST' });
    assert.equal(status, canFail(situation) ? 202 : 404);
  },
  recordTransaction: async ({ sendOperator, rows, floorSequence }) => {
    const put = async (reference: string, body: object) =>
      (await sendOperator(`${TRANSACTIONS}/${reference}`, { method: 'PUT', body })).status;
    for (const { reference, ...row } of rows.map(formatTransaction))
      assert.equal(await put(reference, row), 200);
    assert.equal(await put('store-1.archived', BEFORE_THE_ARCHIVE), floorSequence > 0 ? 422 : 201);
    assert.equal(await put('store-1.new', NEW), 201);
    assert.equal(await put('store-1.new', NEW), 200);
  },
  createTransaction: async ({ sendOperator, floorSequence }) => {
    const post = async (key: string, body: object) =>
      (await sendOperator(TRANSACTIONS, { method: 'POST', body, headers: { 'idempotency-key': key } }))
        .status;
    assert.equal(await post('archived', BEFORE_THE_ARCHIVE), floorSequence > 0 ? 422 : 201);
    assert.equal(await post('new', NEW), 201);
  },
  recordBatch: async ({ sendOperator, floorSequence }) => {
    const lines = [BEFORE_THE_ARCHIVE, NEW].map((fields, index) =>
      JSON.stringify({ account: ACCOUNT, reference: `store-1.line${index}`, ...fields }),
    );
    const headers = { 'content-type': 'application/x-ndjson' };
    const { text } = await sendOperator('/v1/batch', {
      method: 'POST',
      text: `${lines.join('\n')}\n`,
      headers,
    });
    const outcomes = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).outcome);
    assert.deepEqual(outcomes, [floorSequence > 0 ? 'invalid' : 'recorded', 'recorded']);
  },
};

export function accountStatesContract(name: string, makeHarness: () => Promise<StoreHarness>): void {
  describe(`each operation on ${name}, where an account has fewer rows than its numbers say`, () => {
    test('has a row in the table', () => {
      assert.deepEqual(Object.keys(TABLE).sort(), OFFERED.map(({ id }) => id).sort());
    });

    for (const [state, prepare] of someInTier(Object.entries(ACCOUNT_STATES), 3))
      describe(state, () => {
        const folder = temporaryFolder();
        let harness: StoreHarness;
        let situation: Situation;

        before(async () => {
          harness = await makeHarness();
          const store = (await harness.open()) as VerifiedStore;
          const prepared = await prepare({ url: harness.url, store, folder: folder.path });
          const { asOf, lastNonce } = await readLastNumber(store, ACCOUNT);
          assert.deepEqual([asOf, lastNonce === null], [prepared.headSequence, prepared.headSequence === 0]);
          const clock = testClock(DAY('2026-06-15'));
          const app = await buildTestApp({ store, clock });
          const operatorApp = await buildTestOperatorApp(store, clock);
          const key = await app.makeKey(ACCOUNT, { scopes: ['read', 'webhooks'] });
          situation = {
            ...prepared,
            store,
            headId: lastNonce === null ? null : changeId(ACCOUNT, { sequence: asOf, nonce: lastNonce }),
            send: (url, request) => app.send(url, { key, ...request } as object),
            sendOperator: (url, request) => operatorApp.send(url, { method: 'GET', ...request }),
          };
        });
        after(async () => {
          await harness.dispose();
          folder.remove();
        });

        for (const [id, check] of Object.entries(TABLE)) test(id, () => check(situation));
      });
  });
}
