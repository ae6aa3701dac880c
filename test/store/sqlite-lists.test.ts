import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { NO_FILTER } from '../../src/ledger/list/list.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';

describe('the lists of one turn of the event loop on SQLite', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let path: string;
  let store: Store;
  beforeEach(async () => {
    folder = temporaryFolder();
    path = `${folder.path}/transactions.db`;
    ({ store } = await openStore(`sqlite:${path}`, Date.now));
  });
  afterEach(async () => {
    await store.close();
    folder.remove();
  });

  const list = async (account = 'store-1') =>
    (await store.listTransactions({ account, filter: NO_FILTER, after: null }, 1000)).transactions.map(
      ({ reference }) => reference,
    );

  test('show what another program acknowledged after an earlier list of the turn was requested', async () => {
    await record(store, [transaction('store-1', 'a')]);
    const other = new DatabaseSync(path);
    const before = list();
    other.exec(`UPDATE transactions SET reference = 'b'`);
    const after = list();
    other.close();
    assert.deepEqual(await after, ['b']);
    await before;
  });

  test('show what this process acknowledged in the turn', async () => {
    for (let count = 1; count <= 50; count++) {
      const lists: Promise<string[]>[] = [];
      let isAcknowledged = false;
      const recording = record(store, [transaction('store-1', `r${count}`)]).then(() => {
        isAcknowledged = true;
        return list();
      });
      while (!isAcknowledged) {
        lists.push(list());
        await new Promise(setImmediate);
      }
      assert.equal((await recording).length, count);
      for (const one of await Promise.all(lists)) assert.ok(one.length === count || one.length === count - 1);
    }
  });

  test('fail separately', async () => {
    await record(store, [transaction('store-1', 'a')]);
    const broken = store.listTransactions(
      { account: undefined as never, filter: NO_FILTER, after: null },
      10,
    );
    const fine = list();
    await assert.rejects(broken);
    assert.deepEqual(await fine, ['store-1.a']);
  });
});
