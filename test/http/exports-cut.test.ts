import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { KEY_ENDS_FRESH_MS } from '../../src/keys/key-cache.ts';
import type { NumberedNonce } from '../../src/ledger/changes/change.ts';
import type { NumberedTransaction } from '../../src/ledger/exports/export.ts';
import type { AppDependencies } from '../../src/service/app.ts';
import { IN_MEMORY_URL, openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { StoreUnavailable } from '../../values/store-errors.ts';
import { DAY, record, transaction } from '../rig/data/transactions.ts';
import { exchange, listen } from '../rig/http/connection.ts';
import { buffersInUse } from '../rig/run/heap.ts';
import { Random } from '../rig/run/random.ts';
import { seed } from '../rig/run/seed.ts';
import { turnTest } from '../rig/run/turn-test.ts';
import { buildTestApp, type TestApp, testClock } from '../rig/service/app.ts';
import { buildTestOperatorApp } from '../rig/service/operator-app.ts';
import { someEntry } from '../rig/store/audit.ts';
import { storeWith } from '../rig/store/store-with.ts';

const ACCOUNT = 'store-1';
const CSV = '/v1/transactions.csv';
const MANY_ROWS = 20_000;
const BETWEEN_READINGS_MS = 20;
const KEY_LIFETIME_MS = 60_000;
const EMPTY = `${CSV}?status=pending&recordedAt=true`;
const LIMITS = {
  perAccount: 2,
  perProcess: 8,
  storedPerAccount: 100,
  readerTimeoutMs: 60_000,
  stopGraceMs: 0,
};

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    transaction(ACCOUNT, `t${String(index).padStart(6, '0')}`, {
      createdAtMs: DAY('2026-03-01') + index,
      merchantReference: '語'.repeat(240),
    }),
  );

async function appWith(
  count: number,
  wrap: (store: Store) => Partial<Store> = () => ({}),
  overrides: Partial<AppDependencies> = {},
) {
  const clock = testClock();
  const { store } = await openStore(IN_MEMORY_URL, clock.now);
  await record(store, rowsOf(count));
  const app = await buildTestApp({ ...overrides, clock, store: storeWith(store, wrap(store)) });
  return { app, key: await app.makeKey(ACCOUNT) };
}

function lastExport({ logged }: TestApp) {
  const lines = logged.map((line) => JSON.parse(line));
  return lines.findLast(({ msg, exportId }) => msg === 'request' && exportId !== undefined);
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await nextTurn();
}

async function listenPaused(t: TestContext, app: Pick<TestApp, 'server'>, key: string) {
  const { open } = await listen(t, app.server);
  return (path = CSV): Socket => {
    const socket = open().pause();
    socket.once('end', () => socket.end());
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
    return socket;
  };
}

async function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (part: string) => {
    text += part;
  });
  await once(socket, 'close');
  return text;
}

const LAST_CHUNK = '\r\n0\r\n\r\n';
const idIn = (text: string) => /export-id: (\w+)/i.exec(text)?.[1];

describe('the connection of an export is destroyed, and its manifest is not complete', () => {
  type Rows = NumberedTransaction[];
  const withFirst =
    (fields: object, own: object = {}) =>
    ([first, ...rest]: Rows): Rows => [
      { ...first, ...own, transaction: { ...first?.transaction, ...fields } } as NumberedTransaction,
      ...rest,
    ];
  const changes: Record<string, (rows: Rows) => Rows> = {
    'leaves a transaction out': (rows) => rows.toSpliced(3, 1),
    'returns one twice': (rows) => rows.toSpliced(3, 0, rows[3] as NumberedTransaction),
    'returns two in the wrong order': ([one, two, ...rest]) => [two, one, ...rest] as Rows,
    'changes an amount': withFirst({ amountMinor: 1 }),
    'changes a status': withFirst({ status: 'failed' }),
    'changes a currency': withFirst({ currencyCode: 'USD' }),
    'loses a number': withFirst({}, { finalSequence: null }),
    'ends too early': () => [],
  };
  for (const [name, change] of Object.entries(changes)) {
    test(`if the store ${name} at the start, in the middle or at the end of the export`, async () => {
      for (const changedPage of [1, 3, 5]) {
        let pages = 0;
        const { app, key } = await appWith(900, (store) => ({
          listNumbered: async (query, limit) => {
            const rows = await store.listNumbered(query, limit);
            return ++pages === changedPage ? change(rows) : rows;
          },
        }));
        await assert.rejects(app.send(CSV, { key }));
        await until(() => lastExport(app) !== undefined);
        const { exportId, outcome, aborted } = lastExport(app);
        assert.deepEqual([outcome, aborted], ['differs', true], `${name}, page ${changedPage}`);
        assert.match(app.logged.join(''), /"level":50,.*an export was cut: it differs from the totals/);
        const { body } = await app.send(`/v1/exports/${exportId}`, { key });
        assert.deepEqual([body.state, body.sha256, body.finishedAt], ['running', null, null]);
        assert.equal((await app.send(CSV, { key })).text.match(/\n/g)?.length, 901);
      }
    });
  }

  test('if the store fails at any page, or cannot store that the export is complete', async () => {
    const error = new StoreUnavailable('database_error', 'the database is gone');
    for (const failing of [1, 2, 5, 6]) {
      let pages = 0;
      const { app, key } = await appWith(900, (store) => ({
        listNumbered: (query, limit) =>
          ++pages === failing ? Promise.reject(error) : store.listNumbered(query, limit),
        replaceExport: (replaced) =>
          failing === 6 && pages < 10 ? Promise.reject(error) : store.replaceExport(replaced),
      }));
      await assert.rejects(app.send(CSV, { key }));
      await until(() => lastExport(app) !== undefined);
      const { exportId, outcome } = lastExport(app);
      assert.equal(outcome, 'unavailable');
      const { body } = await app.send(`/v1/exports/${exportId}`, { key });
      assert.equal(body.state, 'running');
    }
  });

  turnTest(
    'if its caller closes the connection at any byte; the received part is never a whole response',
    async (t) => {
      const { app, key } = await appWith(MANY_ROWS);
      const request = await listenPaused(t, app, key);
      const random = new Random(seed);
      for (let count = 0; count < 20; count++) {
        const ended = app.logged.length;
        const socket = request(random.pick([CSV, '/v1/transactions.ndjson']));
        const wanted = random.integer(300, 3_000_000);
        let text = '';
        socket.on('data', (part: string) => {
          text += part;
          if (text.length >= wanted) socket.destroy();
        });
        socket.resume();
        await once(socket, 'close');
        await until(() => app.logged.length > ended);
        assert.equal(lastExport(app).outcome, 'closed');
        assert.ok(!text.endsWith(LAST_CHUNK));
        const { body } = await app.send(`/v1/exports/${idIn(text)}`, { key });
        assert.equal(body.state, 'running');
      }
    },
  );

  turnTest('if its caller reads nothing for too long; until then it uses little memory', async (t) => {
    const { app, key } = await appWith(MANY_ROWS, () => ({}), {
      exportLimits: { ...LIMITS, perAccount: 8, perProcess: 16, readerTimeoutMs: 1500 },
    });
    const request = await listenPaused(t, app, key);
    const before = await buffersInUse();
    const sockets = Array.from({ length: 8 }, () => request('/v1/transactions.ndjson'));
    const most = before + 8 * 512 * 1024;
    let held = 0;
    while (app.logged.filter((line) => line.includes('"outcome"')).length < 8) {
      held = Math.max(held, await buffersInUse(most));
      await delay(BETWEEN_READINGS_MS);
    }
    assert.ok(held < most, `8 exports hold ${held - before} bytes`);
    const outcomes = app.logged.map((line) => JSON.parse(line).outcome).filter((outcome) => outcome);
    assert.deepEqual(new Set(outcomes), new Set(['slow_reader']));
    for (const socket of sockets) assert.ok(!(await readAll(socket.resume())).endsWith(LAST_CHUNK));
  });

  test('if, while it is sent, its key is revoked, even in a suspended process, or a stopping service has given it time', async (t) => {
    for (const [reason, isSuspended] of [
      ['key_refused', false],
      ['key_refused', true],
      ['stopped', false],
    ] as const) {
      const { app, key } = await appWith(MANY_ROWS, () => ({}), { exportLimits: LIMITS });
      const request = await listenPaused(t, app, key);
      await app.keyCache.refresh();
      const socket = request().resume();
      await once(socket, 'data');
      socket.pause();
      if (reason === 'stopped') app.announceStop();
      else {
        for (const { id } of await app.store.listApiKeys(ACCOUNT, null, 100))
          await app.store.revokeApiKey(id, app.clock.now(), someEntry());
        if (isSuspended) app.clock.advance(KEY_ENDS_FRESH_MS);
        else await app.keyCache.refresh();
      }
      assert.ok(!(await readAll(socket.resume())).endsWith(LAST_CHUNK));
      await until(() => lastExport(app) !== undefined);
      const { outcome, exportId } = lastExport(app);
      assert.equal(outcome, reason);
      const newKey = await app.makeKey(ACCOUNT);
      assert.equal((await app.send(`/v1/exports/${exportId}`, { key: newKey })).body.state, 'running');
      if (reason === 'stopped') assert.equal((await app.send(CSV, { key: newKey })).status, 503);
    }
  });

  test('if its last change is lost while it is sent, as in a restore', async () => {
    let isRestored = false;
    const shown = <Change extends NumberedNonce>(change: Change) =>
      isRestored ? { ...change, nonce: change.nonce + 1 } : change;
    const { app, key } = await appWith(10, (store) => ({
      listChanges: async (query) => {
        const { last, changes, ...ends } = await store.listChanges(query);
        return { last: last && shown(last), changes: changes.map(shown), ...ends };
      },
      createExport: async (...values) => {
        const isStored = await store.createExport(...values);
        isRestored = true;
        return isStored;
      },
      replaceExport: () => assert.fail('its manifest is complete'),
    }));
    await assert.rejects(app.send(CSV, { key }));
    assert.match(app.logged.join(), /history_changed|another id/);
  });

  test('if its account is erased before its manifest is complete', async () => {
    const { app, key } = await appWith(10, () => ({ replaceExport: async () => false }));
    await assert.rejects(app.send(CSV, { key }));
    await until(() => lastExport(app) !== undefined);
    assert.equal(lastExport(app).outcome, 'removed');
  });
});

test('a stopping service finishes an export that runs, and refuses a new one', async (t) => {
  const { app, key } = await appWith(MANY_ROWS);
  const request = await listenPaused(t, app, key);
  const socket = request().resume();
  await once(socket, 'data');
  socket.pause();
  app.announceStop();
  const refused = await app.send(CSV, { key });
  assert.deepEqual([refused.status, refused.body.code], [503, 'unavailable']);
  let end = '';
  for await (const part of socket) {
    end = `${end}${part}`.slice(-LAST_CHUNK.length);
    if (end === LAST_CHUNK) break;
  }
  assert.equal(end, LAST_CHUNK);
  await until(() => lastExport(app) !== undefined);
  assert.equal(lastExport(app).outcome, 'complete');
});

test('503 unavailable: a stopping service has given an export time, but it has not begun to answer', async () => {
  const hanging = Promise.withResolvers<void>();
  const { app, key } = await appWith(
    10,
    () => ({
      createExport: () => {
        hanging.resolve();
        return new Promise(() => {});
      },
    }),
    { exportLimits: LIMITS },
  );
  const response = app.send(CSV, { key });
  await hanging.promise;
  app.announceStop();
  const { status, body } = await response;
  assert.deepEqual([status, body.code], [503, 'unavailable']);
});

test('429 too_many_exports: an account has reached the number of exports that are stored; another account is not refused, nor is this one a day later', async () => {
  const { app, key } = await appWith(10, () => ({}), { exportLimits: { ...LIMITS, storedPerAccount: 2 } });
  for (let count = 0; count < 2; count++) assert.equal((await app.send(CSV, { key })).status, 200);
  const refused = await app.send(CSV, { key });
  assert.deepEqual(
    [refused.status, refused.body.code, refused.headers['retry-after']],
    [429, 'too_many_exports', '3600'],
  );
  assert.equal((await app.send(CSV, { key: await app.makeKey('store-2') })).status, 200);
  app.clock.advance(24 * 3_600_000 + 1);
  assert.equal((await app.send(CSV, { key })).status, 200);
});

test('503 unavailable: the accounts of a process together run as many exports as it may', async (t) => {
  let reads = 0;
  const { app, key } = await appWith(
    10,
    (store) => ({
      listNumbered: (...query) => (reads++ === 0 ? new Promise(() => {}) : store.listNumbered(...query)),
    }),
    { exportLimits: { ...LIMITS, perProcess: 1 } },
  );
  (await listenPaused(t, app, key))();
  await until(() => reads > 0);
  const refused = await app.send(CSV, { key: await app.makeKey('store-2') });
  assert.deepEqual([refused.status, refused.body.code], [503, 'unavailable']);
});

test('400: over HTTP/1.0, in which a cut response would look complete', async (t) => {
  const { app, key } = await appWith(10);
  const { port } = await listen(t, app.server);
  const [response] = await exchange(
    port,
    `GET ${CSV} HTTP/1.0\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`,
  );
  assert.equal(response?.status, 400);
  assert.match(response.body, /An export needs HTTP\/1\.1/);
});

describe('an export that has sent nothing yet is read no further', () => {
  for (const [reason, outcome, leave] of [
    ['its caller has closed the connection', 'closed', (socket) => socket.resetAndDestroy()],
    ['its caller has closed its side of the connection', 'closed', (socket) => socket.end()],
    ['its key has expired', 'key_refused', (_, { clock }) => clock.advance(KEY_LIFETIME_MS)],
  ] as [string, string, (socket: Socket, app: TestApp) => void][])
    test(`after ${reason}`, async (t) => {
      let reads = 0;
      const { app } = await appWith(MANY_ROWS, (store) => ({
        listNumbered: (query, limit) => {
          reads++;
          return store.listNumbered(query, limit);
        },
      }));
      const key = await app.makeKey(ACCOUNT, { expiresAtMs: app.clock.now() + KEY_LIFETIME_MS });
      const request = await listenPaused(t, app, key);
      await app.send(EMPTY, { key });
      const readsOfWhole = reads;
      [reads, app.logged.length] = [0, 0];
      const socket = request(EMPTY);
      await until(() => reads >= 5);
      leave(socket, app);
      await until(() => lastExport(app) !== undefined);
      assert.equal(lastExport(app).outcome, outcome);
      const readsAtEnd = reads;
      for (let turn = 0; turn < 1000; turn++) await nextTurn();
      assert.ok(reads <= readsAtEnd + 1 && reads < readsOfWhole / 2, `${reads} of ${readsOfWhole} reads`);
    });
});

test('429 too_many_exports: the operator has two exports of an account at once, apart from those of the account', async (t) => {
  let hanging = 0;
  let hangs = true;
  const { app, key } = await appWith(10, (store) => ({
    listNumbered: (query, limit) => {
      if (!hangs) return store.listNumbered(query, limit);
      hanging++;
      return new Promise(() => {});
    },
  }));
  const operator = await buildTestOperatorApp(app.store, app.clock);
  const request = await listenPaused(t, operator, operator.key);
  for (let count = 1; count <= 2; count++) {
    request('/v1/accounts/store-1/transactions.csv');
    await until(() => hanging === count);
  }
  hangs = false;
  const send = (account: string) =>
    operator.send(`/v1/accounts/${account}/transactions.csv`, { method: 'GET' });
  const refused = await send(ACCOUNT);
  assert.deepEqual([refused.status, refused.body.code], [429, 'too_many_exports']);
  assert.equal((await send('store-2')).status, 200);
  assert.equal((await app.send(CSV, { key })).status, 200);
});
