import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Store } from '../../src/core/store.ts';
import { readTotals } from '../../src/core/totals/read-totals.ts';
import { MAX_SUMMED } from '../../src/core/totals/totals.ts';
import { openStore } from '../../src/store/open-store.ts';
import { temporaryFolder } from '../rig/temporary-folder.ts';
import { record, transaction } from '../rig/transactions.ts';

const EVERYTHING = { status: null, currency: null, fromDay: null, toDay: null, byDay: false };

describe('the totals of the SQLite store', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let store: Store;
  beforeEach(async () => {
    folder = temporaryFolder();
    ({ store } = await openStore(`sqlite:${folder.path}/transactions.db`, Date.now));
  });
  afterEach(async () => {
    await store.close();
    folder.remove();
  });

  test('are read in slices, between which the event loop answers other requests', async () => {
    const count = 3 * MAX_SUMMED;
    for (let first = 0; first < count; first += 1000)
      await record(
        store,
        Array.from({ length: 1000 }, (_, index) => transaction('store-1', `r${first + index}`)),
      );
    let isReading = true;
    const reading = readTotals(store, { account: 'store-1', ...EVERYTHING }).finally(() => {
      isReading = false;
    });
    let turns = 0;
    for (; isReading; turns++) await nextTurn();
    assert.equal((await reading).totals[0]?.count, count);
    assert.ok(turns >= 3, `${turns} turns of the event loop`);
  });

  test('are folded behind the recordings that wait, not before them', async () => {
    await record(store, [transaction('store-1', 'first')]);
    const sums = await store.sumChanges('store-1', 0, 1);
    const other = new DatabaseSync(`${folder.path}/transactions.db`);
    other.exec('BEGIN IMMEDIATE');
    const done: string[] = [];
    const recordings = Array.from({ length: 10 }, async (_, index) => {
      await record(store, [transaction('store-1', `r${index}`)]);
      done.push('recording');
    });
    const folding = store.fold('store-1', 0, 1, sums).then((folded) => done.push(`folded: ${folded}`));
    other.close();
    await Promise.all([...recordings, folding]);
    assert.deepEqual(done, [...Array<string>(10).fill('recording'), 'folded: true']);
  });
});
