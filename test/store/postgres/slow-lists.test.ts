import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { NO_FILTER } from '../../../src/ledger/list/list.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { StoreUnavailable } from '../../../values/store-errors.ts';
import { record, transaction } from '../../rig/data/transactions.ts';
import { makeMigratedDatabase } from '../../rig/database/migrated-database.ts';
import { makeServingRole, queryPostgres } from '../../rig/database/postgres.ts';

const TIMEOUT_MS = 5000;
const ROWS = 10;

let owner: string;
let store: Store;

const sleep = (seconds: number) =>
  queryPostgres(
    owner,
    `DROP POLICY IF EXISTS slow ON transactions;
     CREATE POLICY slow ON transactions AS RESTRICTIVE FOR SELECT
       USING (account NOT LIKE 'slow-%' OR pg_sleep(${seconds}) IS NOT NULL)`,
  );

before(async () => {
  owner = await makeMigratedDatabase();
  const opened = await openStore(owner, Date.now);
  const rows = ['slow-1', 'slow-2', 'fast-1', 'fast-2'].flatMap((account) =>
    Array.from({ length: ROWS }, (_, index) => transaction(account, String(index))),
  );
  await record(opened.store, rows);
  await opened.store.close();
  const { url } = await makeServingRole(owner);
  ({ store } = await openStore(url, Date.now, { timeoutMs: TIMEOUT_MS, connections: 1 }));
});
after(() => store.close());

const list = async (account: string) =>
  (await store.listTransactions({ account, filter: NO_FILTER, after: null }, 11)).transactions.length;

test('slow lists of one account are answered, and the other lists of their batch do not wait for them', async () => {
  await sleep(0.07);
  assert.equal(await list('fast-1'), ROWS);
  const done: string[] = [];
  const noted = async (account: string) => {
    const rows = await list(account);
    done.push(account);
    return rows;
  };
  const accounts = ['slow-1', 'slow-1', 'fast-1', 'slow-1', 'fast-2', 'fast-1', 'fast-2'];
  assert.deepEqual(
    await Promise.all(accounts.map(noted)),
    accounts.map(() => ROWS),
  );
  assert.deepEqual(
    done.map((account) => account.startsWith('slow')),
    [false, false, false, false, true, true, true],
  );
});

test('lists of other accounts are answered during a slow list, and another slow account gets its turn', async () => {
  await sleep(0.1);
  let slow = 0;
  const counted = (account: string) =>
    list(account).then(
      (rows) => {
        slow++;
        return rows;
      },
      (error: unknown) => {
        assert.ok(error instanceof StoreUnavailable);
        return 0;
      },
    );
  const many = Array.from({ length: 8 }, () => counted('slow-1'));
  const other = counted('slow-2');
  let isOtherAnswered = false;
  void other.then(() => {
    isOtherAnswered = true;
  });
  let rounds = 0;
  for (; !isOtherAnswered; rounds++) {
    const rows = await Promise.all(['fast-1', 'fast-2', 'fast-1'].map(list));
    assert.deepEqual(rows, [ROWS, ROWS, ROWS]);
  }
  assert.ok(rounds > slow + 1, `${rounds} rounds during ${slow} slow lists`);
  assert.equal(await other, ROWS);
  const answered = await Promise.all(many);
  assert.ok(answered.includes(ROWS) && answered.includes(0), String(answered));
});
