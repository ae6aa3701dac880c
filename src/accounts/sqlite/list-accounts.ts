import type { DatabaseSync } from 'node:sqlite';
import {
  type Account,
  type AccountQuery,
  accountRange,
  type HeadRow,
  type KeysRow,
  mergeAccounts,
} from '../account.ts';

const IN_RANGE = 'account > ?1 AND account >= ?2 AND account < ?3';

/** Accounts with transactions are those with heads, and all others are those with keys. The operator's keys have no account. */
export function accountLister(db: DatabaseSync): (query: AccountQuery, limit: number) => Account[] {
  const listHeads = db.prepare(
    `SELECT account, head_sequence FROM accounts WHERE ${IN_RANGE} AND head_sequence > 0 ORDER BY account LIMIT ?4`,
  );
  const countKeys = db.prepare(
    `SELECT account, count(*) FILTER (WHERE revoked_at_ms IS NULL AND (expires_at_ms IS NULL OR expires_at_ms > ?5))
     FROM api_keys WHERE ${IN_RANGE} AND account <> '*' GROUP BY account ORDER BY account LIMIT ?4`,
  );
  listHeads.setReturnArrays(true);
  countKeys.setReturnArrays(true);
  return (query, limit) => {
    const range = accountRange(query);
    const heads = listHeads.all(...range, limit) as unknown as HeadRow[];
    const keys = countKeys.all(...range, limit, query.nowMs) as unknown as KeysRow[];
    return mergeAccounts(heads, keys, limit);
  };
}
