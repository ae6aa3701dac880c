import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Account } from '../../src/accounts/account.ts';
import { changeId } from '../../src/ledger/changes/change.ts';
import type { Store } from '../../src/store/store.ts';
import { completed, pending } from '../rig/data/changes.ts';
import { record } from '../rig/data/transactions.ts';
import { Random } from '../rig/run/random.ts';
import { seed } from '../rig/run/seed.ts';
import { someEntry } from '../rig/store/audit.ts';
import { apiKey } from './api-keys-contract.ts';

const byBytes = (one: Account, other: Account) =>
  Buffer.compare(...([one, other].map(({ account }) => Buffer.from(account)) as [Buffer, Buffer]));

export function accountsContract(store: Store): void {
  describe('its accounts', () => {
    const listed = (limit = 100, after: string | null = null, prefix: string | null = null) =>
      store.listAccounts({ after, prefix }, limit);

    const expectedOf = async (account: string): Promise<Account> => {
      const { changes, headSequence } = await store.listChanges({ account, after: 0, limit: 100 });
      const last = changes.at(-1);
      return { account, headSequence, headId: last === undefined ? null : changeId(account, last) };
    };

    test('are all with a transaction or a key, in byte order, with the number and the id of their last change, in pages of any size; with a prefix, only those that begin with it', async () => {
      assert.deepEqual(await listed(), []);
      const ofOperator = apiKey('key_0000000operator0', { account: '*', scopes: ['keys'] });
      await store.createApiKey(ofOperator, someEntry());
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
        const rows = Array.from({ length: changes }, (_, count) => pending(account, `${count}`));
        if (changes > 0) await record(store, rows);
        if (changes > 1) await record(store, rows.slice(1).map(completed));
        const keys = changes === 0 ? 1 : random.integer(0, 1);
        const id = `key_${String(index).padStart(16, '0')}`;
        if (keys === 1) await store.createApiKey(apiKey(id, { account }), someEntry());
        await store.revokeApiKey(id, 2000, someEntry());
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
