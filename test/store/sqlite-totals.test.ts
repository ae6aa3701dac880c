import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Store } from '../../src/core/store.ts';
import { readTotals } from '../../src/core/totals/read-totals.ts';
import { MAX_SUMMED } from '../../src/core/totals/totals.ts';
import { openStore } from '../../src/store/open-store.ts';
import { migrate } from '../../src/store/sqlite/migrate.ts';
import { runWrite, type Writer, writerOn } from '../../src/store/sqlite/writer.ts';
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

test('only the commit of a fold does not wait for the disk, whether it succeeds or fails', () => {
  const db = new DatabaseSync(':memory:');
  migrate(db, 0, { waitMs: 0 });
  db.exec('PRAGMA synchronous = FULL');
  const synchronous = () => Number(db.prepare('PRAGMA synchronous').get()?.['synchronous']);
  const [NORMAL, FULL] = [1, 2];
  const seen: number[] = [];
  const note = (result: unknown) => () => {
    seen.push(synchronous());
    if (result instanceof Error) throw result;
    return result;
  };
  const writer = {
    ...writerOn(db),
    fold: note(true),
    recordTransactions: note([]),
    numberTransactions: note(0),
  } as Writer;
  for (const name of ['fold', 'recordTransactions', 'fold', 'numberTransactions'] as const) {
    runWrite(db, writer, name, []);
    assert.equal(synchronous(), FULL, name);
  }
  assert.deepEqual(seen, [NORMAL, FULL, NORMAL, FULL]);
  const failing = { ...writer, fold: note(new Error('refused')) } as Writer;
  assert.throws(() => runWrite(db, failing, 'fold', []), /refused/);
  assert.equal(synchronous(), FULL);
  db.close();
});
