import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { asUnavailable } from '../../src/db/sqlite/errors.ts';
import { migrate } from '../../src/db/sqlite/migrate.ts';
import { sqliteCopyTarget } from '../../src/operate/copy/sqlite/copy-target.ts';
import { type NamedWrite, runWrites, type ServiceWriter, writerOn } from '../../src/store/writer.ts';
import { StoreUnavailable } from '../../values/store-errors.ts';
import { ALL_TOTALS } from '../rig/data/all-totals.ts';
import { pending } from '../rig/data/changes.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { sqliteHarness } from '../rig/store/store-harness.ts';

const DAYS = 5000;
const QUERY = { account: 'store-1', ...ALL_TOTALS, days: { from: null, to: null } };

test('totals of many days are a snapshot while transactions are recorded and become final', async (t) => {
  const harness = await sqliteHarness();
  t.after(() => harness.dispose());
  const store = await harness.open();
  const rows = Array.from({ length: DAYS }, (_, day) => pending('store-1', `r${day}`, day * 86_400_000));
  await record(store, rows);
  let isReading = true;
  const writing = (async () => {
    for (let nth = 0; isReading; nth++)
      await record(store, [
        transaction('store-1', `r${nth}`, { createdAtMs: nth * 86_400_000 }),
        transaction('store-1', `new-${nth}`, { createdAtMs: (DAYS - 1) * 86_400_000 }),
      ]);
  })();
  for (let reads = 0; reads < 5; reads++) {
    const { totals, asOf } = await store.readStoredTotals({ ...QUERY, byDay: true });
    const count = (status: string) =>
      totals.reduce((sum, total) => sum + (total.status === status ? total.count : 0), 0);
    const recordings = (asOf - DAYS) / 2;
    assert.deepEqual([count('pending'), count('completed')], [DAYS - recordings, 2 * recordings]);
  }
  isReading = false;
  await writing;
});

const [NORMAL, FULL] = [1, 2];

const STEPS = { name: 'runSteps', values: [['seal']], account: 'store-1' } as const;
const SEALING: NamedWrite = { ...STEPS, turn: 'stream', isUnsynced: true };
const RECORDING: NamedWrite = {
  ...SEALING,
  name: 'record',
  values: ['record'],
  isUnsynced: false,
};
const ENDING: NamedWrite = { ...STEPS, values: [['end']], turn: 'first', isUnsynced: false };

function notingWriter() {
  const db = new DatabaseSync(':memory:');
  migrate(db, 0, { waitMs: 0 });
  db.exec('PRAGMA synchronous = FULL');
  const seen: [name: string, synchronous: number][] = [];
  const note = (name: unknown, result?: unknown) => {
    seen.push([String(name), Number(db.prepare('PRAGMA synchronous').get()?.['synchronous'])]);
    if (result instanceof Error) throw result;
  };
  const writer = { ...writerOn(db), runSteps: note, record: note } as unknown as ServiceWriter;
  const write = (...shared: NamedWrite[]) => runWrites(db, writer, shared);
  return { db, seen, write };
}

test('only a commit of seals alone does not wait for the disk, whether it succeeds or fails', () => {
  const { db, seen, write } = notingWriter();
  write(RECORDING);
  write(SEALING);
  write(SEALING);
  write(RECORDING);
  assert.throws(() => write({ ...SEALING, values: [['seal'], new Error('refused')] }), /refused/);
  write(SEALING);
  write(SEALING, ENDING);
  assert.deepEqual(seen, [
    ['record', FULL],
    ['seal', NORMAL],
    ['seal', NORMAL],
    ['record', FULL],
    ['seal', NORMAL],
    ['seal', NORMAL],
    ['seal', FULL],
    ['end', FULL],
  ]);
  db.close();
});

test('a recording fails if its commit would not wait for the disk', (t) => {
  const { db, seen, write } = notingWriter();
  write(SEALING);
  const execute = t.mock.method(db, 'exec', () => {
    throw new Error('database is locked');
  });
  assert.throws(() => write(RECORDING), /database is locked/);
  execute.mock.restore();
  write(RECORDING);
  assert.deepEqual(seen, [
    ['seal', NORMAL],
    ['record', FULL],
  ]);
  db.close();
});

function recordBesideAnother(db: DatabaseSync, writer: ServiceWriter) {
  const given = [transaction('store-1', 'a'), transaction('store-2', 'b')];
  const stamp = { recordedAtMs: 0, nonce: 1 };
  return runWrites(db, writer, [
    { ...RECORDING, values: [given, undefined, stamp] },
    { ...ENDING, values: [[]] },
  ]).map((done) => ('error' in done ? asUnavailable(done.error) : done.result));
}

test('recordings that share a commit with another write are refused if the data was moved', async () => {
  const db = new DatabaseSync(':memory:');
  migrate(db, 0, { waitMs: 0 });
  const target = sqliteCopyTarget(db, ':memory:', () => {});
  await target.mark({ state: 'moved', other: 'sqlite:new.db', sinceMs: 0 });
  const [recorded] = recordBesideAnother(db, writerOn(db));
  assert.ok(recorded instanceof StoreUnavailable && recorded.reason === 'moved', String(recorded));
  db.close();
});

test('recordings that are repeated account by account are all undone if SQLite fails', () => {
  const db = new DatabaseSync(':memory:');
  migrate(db, 0, { waitMs: 0 });
  const real = writerOn(db);
  const full = Object.assign(new Error('the disk is full'), { errcode: 13 });
  const record: ServiceWriter['record'] = (given, once, stamp) => {
    if (given.length > 1) throw new Error('damaged');
    if (given[0]?.account === 'store-2') throw full;
    return real.record(given, once, stamp);
  };
  const [recorded] = recordBesideAnother(db, { ...real, record });
  assert.ok(recorded instanceof StoreUnavailable && recorded.cause === full, String(recorded));
  assert.deepEqual(db.prepare('SELECT account FROM accounts').all(), []);
  db.close();
});
