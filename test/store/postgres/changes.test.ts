import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import {
  Connections,
  connectToPrimary,
  parsePostgresUrl,
  RECORDING_SETTINGS,
} from '../../../src/db/postgres/driver/index.ts';
import { commitStamper } from '../../../src/ledger/changes/change.ts';
import { transactionRecorder } from '../../../src/ledger/record/postgres/record-transactions.ts';
import { recordHeld } from '../../../src/ledger/record/record.ts';
import { GroupCommit } from '../../../src/ledger/record/request-recorder.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { StoreUnavailable } from '../../../values/store-errors.ts';
import { changesOf, shownChanges } from '../../rig/data/changes.ts';
import { outcomesOf, record, transaction } from '../../rig/data/transactions.ts';
import { heldSessions } from '../../rig/database/held-sessions.ts';
import { makeMigratedDatabase, migrateFurther } from '../../rig/database/migrated-database.ts';
import {
  isLockAwaited,
  makePostgresDatabase,
  queryPostgres,
  sessionLimits,
  withPostgresClient,
} from '../../rig/database/postgres.ts';
import { until } from '../../rig/run/give-up.ts';

const TIMEOUT_MS = 30_000;

let url: string;
let store: Store;
const opened: { close(): Promise<void> }[] = [];

const openAnother = async (address = url) => {
  const { store: another } = await openStore(address, Date.now, { timeoutMs: TIMEOUT_MS, connections: 2 });
  opened.push(another);
  return another;
};

before(async () => {
  url = await makeMigratedDatabase();
  store = await openAnother();
});
after(async () => {
  for (const one of opened) await one.close();
});
const begin = heldSessions(() => url);

function patientRecorder() {
  const settings = { ...sessionLimits(TIMEOUT_MS), pipeline: true, planSettings: RECORDING_SETTINGS };
  const connections = new Connections({
    size: 1,
    timeoutMs: TIMEOUT_MS,
    connect: () => connectToPrimary(parsePostgresUrl(url), settings),
  });
  opened.push(connections);
  const waits = { headWaitMs: TIMEOUT_MS, rowWaitMs: TIMEOUT_MS };
  return transactionRecorder({
    connections,
    topology: 'one server',
    ...waits,
    stampCommit: commitStamper(Date.now),
  });
}

async function untilBlockedBy(client: pg.Client): Promise<void> {
  const pid = (await client.query('SELECT pg_backend_pid() AS pid')).rows[0].pid;
  const blocked = 'SELECT 1 FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))';
  while ((await queryPostgres(url, blocked, [pid])).length === 0);
}

const lockHead = (account: string) => `SELECT 1 FROM accounts WHERE account = '${account}' FOR UPDATE`;

test('a head that is created between the lock and the recording is locked before it is increased', async () => {
  const patient = patientRecorder();
  await record(store, [transaction('locked', 'first')]);
  const holder = await begin(lockHead('locked'));
  const recording = patient.record([transaction('locked', 'second'), transaction('made', 'sixth')]);
  await untilBlockedBy(holder);
  await queryPostgres(url, "INSERT INTO accounts (account, head_sequence) VALUES ('made', 0)");
  const other = await begin("UPDATE accounts SET head_sequence = 5 WHERE account = 'made'");
  await holder.query('COMMIT');
  await untilBlockedBy(other);
  await other.query('COMMIT');
  assert.deepEqual(outcomesOf(await recording), ['recorded', 'recorded']);
  const { changes, headSequence } = await store.listChanges({ account: 'made', after: 5, limit: 10 });
  assert.deepEqual([changes.map(({ sequence }) => sequence), headSequence], [[6], 6]);
});

test('successive recordings that wait for the head of an account are all recorded', async () => {
  await record(store, [transaction('one-by-one', 'first')]);
  for (let nth = 0; nth < 150; nth++)
    await assert.doesNotReject(recordHeld(store, transaction('one-by-one', `${nth}`)));
});

test('a foreign transaction that holds the head of an account delays no other account', async () => {
  await record(store, [transaction('held', 'first'), transaction('free', 'first')]);
  const holder = await begin(lockHead('held'));
  const rows = ['a', 'b', 'c'].flatMap((name) => [transaction('held', name), transaction('free', name)]);
  const results = await store.record(rows);
  assert.deepEqual(outcomesOf(results), ['held', 'recorded', 'held', 'recorded', 'held', 'recorded']);
  const waiting = ['a', 'b', 'c'].map((name) => recordHeld(store, transaction('held', name)));
  const later = await store.record([transaction('held', 'd'), transaction('free', 'd')]);
  assert.deepEqual(outcomesOf(later), ['held', 'recorded']);
  assert.deepEqual(await shownChanges(store, 'held'), ['first new completed']);
  assert.equal((await changesOf(store, 'free')).length, 5);
  await holder.query('ROLLBACK');
  assert.deepEqual(
    outcomesOf(await Promise.all(waiting)),
    waiting.map(() => 'recorded'),
  );
  assert.equal((await changesOf(store, 'held')).length, 4);
});

test('recordings that wait for the head of an account are recorded together when it is free, however many', async () => {
  await record(store, [transaction('crowd', 'first')]);
  const holder = await begin(lockHead('crowd'));
  const commit = new GroupCommit(store, async () => {});
  const waiting = Array.from({ length: 900 }, (_, nth) => commit.record(transaction('crowd', String(nth))));
  assert.equal(await commit.record(transaction('other', 'one')).then(({ outcome }) => outcome), 'recorded');
  await holder.query('ROLLBACK');
  const outcomes = outcomesOf(await Promise.all(waiting));
  assert.deepEqual(new Set(outcomes), new Set(['recorded']));
  assert.equal((await changesOf(store, 'crowd')).length, 901);
});

test('a foreign transaction that is open anywhere in the server delays no feed', async () => {
  await record(store, [transaction('feed', 'before')]);
  const open = await begin('SELECT pg_current_xact_id()');
  await record(store, [transaction('feed', 'during')]);
  assert.deepEqual(await shownChanges(store, 'feed'), ['before new completed', 'during new completed']);
  assert.deepEqual(await store.readHeads(['feed']), new Map([['feed', 2]]));
  await open.query('COMMIT');
});

test('a row that the database does not finish in time fails, and what was recorded before it is not reported as failed', async () => {
  await queryPostgres(
    url,
    `CREATE FUNCTION stop_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF NEW.merchant_reference = 'refused' THEN RAISE EXCEPTION 'refused'; END IF;
       PERFORM pg_sleep(600); RETURN NEW; END $$;
     CREATE TRIGGER stop_row BEFORE INSERT ON transactions FOR EACH ROW
       WHEN (NEW.merchant_reference IN ('refused', 'slow')) EXECUTE FUNCTION stop_row()`,
  );
  const { store: brief } = await openStore(url, Date.now, { timeoutMs: 4000 });
  try {
    const results = await brief.record([
      transaction('stopped', 'a', { merchantReference: 'refused' }),
      transaction('stopped', 'b'),
      transaction('stopped', 'c', { merchantReference: 'slow' }),
    ]);
    assert.deepEqual(outcomesOf(results), ['failed', 'recorded', 'failed']);
    const slow = results[2];
    assert.ok(slow?.outcome === 'failed' && slow.error instanceof StoreUnavailable);
    assert.deepEqual(await shownChanges(store, 'stopped'), ['b new completed']);
  } finally {
    await brief.close();
    await queryPostgres(url, 'DROP TRIGGER stop_row ON transactions; DROP FUNCTION stop_row()');
  }
});

test('while another database transaction reads the table, a migration lets queries run between its attempts, and succeeds later', async () => {
  const database = await makePostgresDatabase();
  await (await openAnother(database)).close();
  await withPostgresClient(database, '', async (reader) => {
    await reader.query('BEGIN; SELECT 1 FROM transactions');
    const migrating = migrateFurther(database, 'ALTER TABLE transactions ADD COLUMN made_up bigint');
    await until(() => isLockAwaited(database, 'ALTER TABLE'));
    assert.deepEqual(await queryPostgres(database, 'SELECT 1 FROM transactions'), []);
    await reader.query('COMMIT');
    assert.deepEqual(
      (await migrating).map(({ name }) => name),
      ['made-up'],
    );
  });
});
