import assert from 'node:assert/strict';
import { test } from 'node:test';
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
