import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NO_FILTER } from '../../src/ledger/list/list.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { eachHarness } from '../rig/store/each-harness.ts';
import { sqliteHarness } from '../rig/store/store-harness.ts';

describe('the lists of one turn of the event loop on SQLite', () => {
  const { harness, store } = eachHarness(sqliteHarness);

  const list = async (account = 'store-1') =>
    (await store.listTransactions({ account, filter: NO_FILTER, after: null }, 1000)).transactions.map(
      ({ reference }) => reference,
    );

  test('show what another program acknowledged after an earlier list of the turn was requested', async () => {
    await record(store, [transaction('store-1', 'a')]);
    const before = list();
    const written = harness.execute(`UPDATE transactions SET reference = 'b'`);
    const after = list();
    await written;
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
