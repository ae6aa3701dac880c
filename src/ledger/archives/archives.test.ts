import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { READS_AT_ONCE } from '../../../values/in-groups.ts';
import type { Archive } from './archive.ts';
import { ARCHIVE_KNOWN_FOR_MS, ArchivedDays } from './archives.ts';

const DAY_MS = 86_400_000;
const NOW_MS = 1000 * DAY_MS;

/** Accounts whose transactions before a day are archived, and a list of the accounts that were read. */
function daysOf(archives: Record<string, number>) {
  const state = { monotonicMs: 0, isFailing: false };
  const read: string[] = [];
  const readArchive = async (account: string): Promise<Archive | undefined> => {
    read.push(account);
    if (state.isFailing) throw new Error('no answer');
    const beforeMs = archives[account];
    return beforeMs === undefined
      ? undefined
      : { beforeMs, floorSequence: 1, floorNonce: 1, floorSeal: '0', rest: '0', removedChanges: 1 };
  };
  const clock = { now: () => NOW_MS, monotonicMs: () => state.monotonicMs };
  return { days: new ArchivedDays({ readArchive }, clock), archives, read, state };
}

const created = (account: string, createdAtMs: number) => ({ account, createdAtMs });

test('transactions before the archived day of their own account are found, to the millisecond', async () => {
  const { days } = daysOf({ a: 500 * DAY_MS });
  const [old, first, other] = [
    created('a', 500 * DAY_MS - 1),
    created('a', 500 * DAY_MS),
    created('b', 400 * DAY_MS),
  ];
  assert.deepEqual([...(await days.archived([old, first, other] as never[]))], [[old, 500 * DAY_MS]]);
});

test('recent transactions need no look-up, and an account is looked up once a second', async () => {
  const { days, archives, read, state } = daysOf({});
  await days.archived([created('a', NOW_MS - DAY_MS / 2)]);
  assert.deepEqual(read, []);
  const old = created('a', NOW_MS - DAY_MS / 2 - 1);
  await Promise.all([days.archived([old]), days.archived([old, old])]);
  archives['a'] = NOW_MS;
  state.monotonicMs = ARCHIVE_KNOWN_FOR_MS - 1;
  assert.equal((await days.archived([old])).size, 0);
  assert.deepEqual(read, ['a']);
  state.monotonicMs = ARCHIVE_KNOWN_FOR_MS;
  assert.equal((await days.archived([old])).size, 1);
  assert.deepEqual(read, ['a', 'a']);
});

test('after its account is erased, a day is open at once', async () => {
  const { days, archives } = daysOf({ a: NOW_MS });
  const old = created('a', 0);
  assert.equal((await days.archived([old])).size, 1);
  delete archives['a'];
  assert.equal((await days.archived([old])).size, 0);
});

test('a failed look-up is an error, and the next one asks again', async () => {
  const { days, read, state } = daysOf({ a: NOW_MS });
  const old = created('a', 0);
  state.isFailing = true;
  await assert.rejects(days.archived([old]), /no answer/);
  state.isFailing = false;
  assert.equal((await days.archived([old])).size, 1);
  assert.equal(read.length, 2);
});

test('a batch of many accounts fills no queue of the database', async () => {
  let reading = 0;
  let most = 0;
  const readArchive = async () => {
    most = Math.max(most, ++reading);
    await nextTurn();
    reading--;
    return undefined;
  };
  const days = new ArchivedDays({ readArchive }, { now: () => NOW_MS, monotonicMs: () => 0 });
  await days.archived(Array.from({ length: 2000 }, (_, index) => created(`shop-${index}`, 0)));
  assert.equal(most, READS_AT_ONCE);
});
