import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findAccounts } from './find-accounts.ts';

function listerOf(names: readonly string[]) {
  const sorted = [...names].sort();
  const lister = {
    read: 0,
    listAccounts: async (
      { after, prefix }: { after: string | null; prefix: string | null },
      limit: number,
    ) => {
      const listed = sorted
        .filter((name) => name > (after ?? '') && name.startsWith(prefix ?? ''))
        .slice(0, limit);
      lister.read += listed.length;
      return listed.map((account) => ({ account, headSequence: 0, headId: null }));
    },
  };
  return lister;
}

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `shop-${String(index).padStart(6, '0')}`);

test('a search reads a bounded number of names, and says so if there can be more', async () => {
  const lister = listerOf([...numbered(50_000), 'zz-rare']);
  assert.deepEqual(await findAccounts(lister, [null], 'rare'), { accounts: [], isCut: true });
  assert.ok(lister.read <= 21_000);
  assert.deepEqual((await findAccounts(lister, [null], 'zz')).accounts, ['zz-rare']);
  const many = await findAccounts(listerOf(numbered(30)), [null], 'shop');
  assert.deepEqual([many.accounts.length, many.isCut], [20, true]);
});
