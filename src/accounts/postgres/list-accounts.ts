import { type Connections, statement } from '../../db/postgres/driver/index.ts';
import { nonceSql } from '../../ledger/changes/postgres/list-changes.ts';
import {
  type AccountLister,
  type AccountRow,
  accountRange,
  type HeadRow,
  LIST_ACCOUNTS_WITH_KEYS,
  mergeAccounts,
} from '../account.ts';

// Two queries, because Citus distributes the heads, and the keys are on the coordinator.
const LIST_HEADS = statement(
  `SELECT account, head_sequence, ${nonceSql('accounts.account', 'accounts.head_sequence')}
FROM accounts WHERE account > $1 AND account >= $2 AND account < $3 AND head_sequence > 0
ORDER BY account LIMIT $4`,
);
const LIST_WITH_KEYS = statement(LIST_ACCOUNTS_WITH_KEYS);

/** Accounts with transactions are those with heads, and all others are those with keys. The operator's keys have no account. */
export const accountLister = (connections: Connections): AccountLister => ({
  listAccounts: async (query, limit) => {
    const values = [...accountRange(query), limit];
    const [heads, withKeys] = await Promise.all([
      connections.query<HeadRow>(LIST_HEADS, values),
      connections.query<AccountRow>(LIST_WITH_KEYS, values),
    ]);
    return mergeAccounts(heads, withKeys, limit);
  },
});
