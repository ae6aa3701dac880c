import type { DatabaseSync } from 'node:sqlite';
import { nonceSql } from '../../ledger/changes/sqlite/list-changes.ts';
import {
  type Account,
  type AccountQuery,
  type AccountRow,
  accountRange,
  type HeadRow,
  LIST_ACCOUNTS_WITH_KEYS,
  mergeAccounts,
} from '../account.ts';

/** Accounts with transactions are those with heads, and all others are those with keys. The operator's keys have no account. */
export function accountLister(db: DatabaseSync): (query: AccountQuery, limit: number) => Account[] {
  const listHeads = db.prepare(
    `SELECT account, head_sequence, ${nonceSql('accounts.account', 'accounts.head_sequence')}
     FROM accounts WHERE account > ?1 AND account >= ?2 AND account < ?3 AND head_sequence > 0
     ORDER BY account LIMIT ?4`,
  );
  const listWithKeys = db.prepare(LIST_ACCOUNTS_WITH_KEYS.replaceAll('$', '?'));
  listHeads.setReturnArrays(true);
  listWithKeys.setReturnArrays(true);
  return (query, limit) => {
    const range = accountRange(query);
    const heads = listHeads.all(...range, limit) as unknown as HeadRow[];
    const withKeys = listWithKeys.all(...range, limit) as unknown as AccountRow[];
    return mergeAccounts(heads, withKeys, limit);
  };
}
