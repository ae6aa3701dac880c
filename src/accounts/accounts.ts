import type { Db } from '../db/db.ts';
import { statementsOf } from '../db/statement.ts';
import { type AccountLister, accountRange, mergeAccounts } from './account.ts';

const sql = statementsOf(new URL('./accounts.sql', import.meta.url));
// Two queries, because Citus distributes the heads, and the keys are on the coordinator.
const LIST_HEADS = sql('listHeads', (row) => ({
  account: row.text(),
  sequence: row.integer(),
  nonce: row.integerOrNull(),
}));
const LIST_WITH_KEYS = sql('listAccountsWithKeys', (row) => row.text());

/**
 * Accounts with transactions are those with heads, and all others are those with keys. The operator's keys
 * have no account.
 */
export const accountLister = (db: Db): AccountLister => ({
  listAccounts: async (query, limit) => {
    const range = { ...accountRange(query), limit };
    const [heads, withKeys] = await Promise.all([db.read(LIST_HEADS, range), db.read(LIST_WITH_KEYS, range)]);
    return mergeAccounts(heads, withKeys, limit);
  },
});
