import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { READS_AT_ONCE } from '../../../values/in-groups.ts';
import type { Archive } from './archive.ts';
import { archivedFinder } from './archives.ts';

const DAY_MS = 86_400_000;
const NOW_MS = 1000 * DAY_MS;

const created = (account: string, createdAtMs: number) => ({ account, createdAtMs });

test("transactions on archived days of their account are found, and each account's archive is read once", async () => {
  const read: string[] = [];
  const readArchive = async (account: string) => {
    read.push(account);
    return account === 'a' ? ({ beforeMs: 500 * DAY_MS } as Archive) : undefined;
  };
  const find = archivedFinder({ readArchive }, () => NOW_MS);
  const old = created('a', 500 * DAY_MS - 1);
  const others = [created('a', 500 * DAY_MS), created('b', 400 * DAY_MS)];
  for (let batch = 0; batch < 2; batch++)
    assert.deepEqual([...(await find([old, ...others]))], [[old, 500 * DAY_MS]]);
  assert.deepEqual(read, ['a', 'b']);
});

test('recent transactions need no look-up', async () => {
  const find = archivedFinder({ readArchive: () => assert.fail('not old enough') }, () => NOW_MS);
  assert.equal((await find([created('a', NOW_MS - DAY_MS / 2)])).size, 0);
});

test('looking up the archives of many accounts does not overfill the queue of the database', async () => {
  let reading = 0;
  let most = 0;
  const readArchive = async () => {
    most = Math.max(most, ++reading);
    await nextTurn();
    reading--;
    return undefined;
  };
  const find = archivedFinder({ readArchive }, () => NOW_MS);
  await find(Array.from({ length: 2000 }, (_, index) => created(`shop-${index}`, 0)));
  assert.equal(most, READS_AT_ONCE);
});
