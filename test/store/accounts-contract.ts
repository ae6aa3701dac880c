import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { Account } from '../../src/accounts/account.ts';
import { changeId } from '../../src/ledger/changes/change.ts';
import type { Store } from '../../src/store/store.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { Random } from '../rig/run/random.ts';
import { seed } from '../rig/run/seed.ts';
import { someEntry } from '../rig/store/audit.ts';
import { apiKey } from './api-keys-contract.ts';

const byBytes = (one: Account, other: Account) =>
  Buffer.compare(...([one, other].map(({ account }) => Buffer.from(account)) as [Buffer, Buffer]));

export function accountsContract(current: () => Store): void {
  describe('its accounts', () => {
    let store: Store;
    beforeEach(() => {
      store = current();
    });

    const listed = (limit = 100, after: string | null = null, prefix: string | null = null) =>
      store.listAccounts({ after, prefix }, limit);

    const expectedOf = async (account: string): Promise<Account> => {
      const { changes, headSequence } = await store.listChanges({ account, after: 0, limit: 100 });
      const last = changes.at(-1);
      return { account, headSequence, headId: last === undefined ? null : changeId(account, last) };
    };

    test('are all accounts with a transaction or a key, with the number and the id of their last change', async () => {
      assert.deepEqual(await listed(), []);
      const pending = transaction('d', 'one', { status: 'pending' });
      await record(store, [transaction('b', 'one'), transaction('b', 'two'), pending]);
      await record(store, [transaction('e', 'one', { status: 'pending' })]);
      await record(store, [transaction('e', 'one')]);
      await store.createApiKey(apiKey('key_0000000000000001', { account: 'b' }), someEntry());
      await store.createApiKey(apiKey('key_0000000000000002', { account: 'b' }), someEntry());
      await store.createApiKey(apiKey('key_0000000000000004', { account: 'c' }), someEntry());
      await store.revokeApiKey('key_0000000000000004', 2000, someEntry());
      await store.createApiKey(
        apiKey('key_0000000000000005', { account: '*', scopes: ['keys'] }),
        someEntry(),
      );
      assert.deepEqual(await listed(), [
        await expectedOf('b'),
        { account: 'c', headSequence: 0, headId: null },
        await expectedOf('d'),
        await expectedOf('e'),
      ]);
      assert.deepEqual(
        (await listed()).map(({ headSequence }) => headSequence),
        [2, 0, 1, 2],
      );
    });

    test('are listed completely in byte order with pages of any size, and with a prefix only those that begin with it', async () => {
      const random = new Random(seed);
      const names = [
        'shop',
        'shop-1',
        'shop-10',
        'shop-2',
        'shop-z',
        'shop_',
        'Shop-1',
        'sho',
        'shop.1',
        '-',
        '.a',
        'zz',
        '0',
      ];
      const expected: Account[] = [];
      for (const [index, account] of names.entries()) {
        const changes = random.integer(0, 2);
        const rows = Array.from({ length: changes }, (_, count) => transaction(account, `${count}`));
        if (changes > 0) await record(store, rows);
        const keys = changes === 0 ? 1 : random.integer(0, 1);
        if (keys === 1)
          await store.createApiKey(
            apiKey(`key_${String(index).padStart(16, '0')}`, { account }),
            someEntry(),
          );
        expected.push(await expectedOf(account));
      }
      expected.sort(byBytes);
      for (const prefix of [null, 'shop', 'shop-', 'shop-1', 'Shop', 'none', 'z']) {
        const matching = expected.filter(({ account }) => account.startsWith(prefix ?? ''));
        for (const limit of [1, 2, 3, 100]) {
          const found: Account[] = [];
          for (let after: string | null = null; ; ) {
            const page = await listed(limit, after, prefix);
            found.push(...page);
            if (page.length < limit) break;
            after = page.at(-1)?.account ?? null;
          }
          assert.deepEqual(found, matching, `${prefix} with pages of ${limit}`);
        }
      }
    });
  });
}
