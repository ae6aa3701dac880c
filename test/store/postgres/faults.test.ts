import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { NO_FILTER } from '../../../src/ledger/list/list.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { record, transaction } from '../../rig/data/transactions.ts';
import { heldSessions } from '../../rig/database/held-sessions.ts';
import { makePostgresDatabase, queryPostgres } from '../../rig/database/postgres.ts';
import { type PostgresServer, startPostgres } from '../../rig/database/postgres-server.ts';
import { GIVE_UP_MS, until } from '../../rig/run/give-up.ts';
import { buildTestApp, type TestApp, testClock } from '../../rig/service/app.ts';

const TIMEOUT_MS = 400;

describe('a server that fails', () => {
  let server: PostgresServer;
  let url: string;
  let store: Store;
  let app: TestApp;
  let key: string;
  const begin = heldSessions(() => url);

  before(async () => {
    server = await startPostgres();
    url = await makePostgresDatabase(server.url);
    ({ store } = await openStore(url, Date.now, { timeoutMs: TIMEOUT_MS, connections: 2 }));
    // After two failed look-ups of a key, the service repeats the error for LOOK_UP_SHARED_MS. The test clock
    // stands still, so the repetition would never end. This clock runs.
    const clock = { ...testClock(), monotonicMs: () => performance.now() };
    app = await buildTestApp({ store, clock });
    const { store: patient } = await openStore(url, Date.now, { timeoutMs: GIVE_UP_MS, connections: 1 });
    await record(patient, [transaction('acct-1', 'a'), transaction('acct-1', 'b')]);
    key = await (await buildTestApp({ store: patient })).makeKey('acct-1');
    await patient.close();
  });
  after(async () => {
    await store.close();
    await server.stop();
  });

  const send = () => app.send('/v1/transactions', { key });

  const untilAnswered = (): Promise<void> =>
    until(async () => {
      const { status, headers, body } = await send();
      if (status === 200) assert.equal(body.data.length, 2);
      else assert.deepEqual([status, headers['retry-after']], [503, '1']);
      return status === 200;
    });

  test('200: lists from a read-only server; writes are unavailable, and succeed later', async () => {
    const untilReadOnlyIs = (value: 'on' | 'off') =>
      until(async () => {
        const [row] = await queryPostgres(url, 'SHOW default_transaction_read_only');
        return row?.['default_transaction_read_only'] === value;
      });
    const rows = [transaction('acct-2', 'a')];
    await queryPostgres(url, 'ALTER SYSTEM SET default_transaction_read_only = on');
    await queryPostgres(url, 'SELECT pg_reload_conf()');
    await untilReadOnlyIs('on');
    await assert.rejects(record(store, rows), { name: 'StoreUnavailable' });
    await untilAnswered();
    const use = { account: 'acct-1', id: 'key_0000000000000000', usedAtMs: 1 };
    await assert.rejects(store.touchApiKeys([use]), { name: 'StoreUnavailable' });
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('SET default_transaction_read_only = off');
    await client.query('ALTER SYSTEM RESET default_transaction_read_only');
    await client.query('SELECT pg_reload_conf()');
    await client.end();
    await untilReadOnlyIs('off');
    const [recorded] = await store.record(rows);
    assert.equal(recorded?.outcome, 'recorded');
    await until(() =>
      store.touchApiKeys([use]).then(
        () => true,
        (error) => {
          assert.equal(error.name, 'StoreUnavailable');
          return false;
        },
      ),
    );
  });

  test('503: 1,500 concurrent callers of a locked table; none hangs, and the excess is refused at once', async () => {
    const locking = await begin('LOCK TABLE transactions IN ACCESS EXCLUSIVE MODE');
    const query = { account: 'acct-1', filter: NO_FILTER, after: null };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 1500 }, () => store.listTransactions(query, 11)),
    );
    const reasons = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason : undefined));
    assert.ok(reasons.every((reason) => reason?.name === 'StoreUnavailable'));
    const excess = reasons.filter(({ message }) => /too many requests wait/.test(message));
    assert.equal(excess.length, 500);
    assert.equal((await send()).status, 503);
    await locking.query('ROLLBACK');
    await untilAnswered();
  });
});
