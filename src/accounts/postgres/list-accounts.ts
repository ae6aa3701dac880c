import { type Connections, statement } from '../../db/postgres/driver/index.ts';
import { type AccountLister, accountRange, type HeadRow, type KeysRow, mergeAccounts } from '../account.ts';

const IN_RANGE = 'account > $1 AND account >= $2 AND account < $3';

// Two queries, because Citus distributes the heads, and the keys are on the coordinator.
const LIST_HEADS = statement(
  `SELECT account, head_sequence FROM accounts WHERE ${IN_RANGE} AND head_sequence > 0 ORDER BY account LIMIT $4`,
);
const COUNT_KEYS = statement(
  `SELECT account, count(*) FILTER (WHERE revoked_at_ms IS NULL AND (expires_at_ms IS NULL OR expires_at_ms > $5))
FROM api_keys WHERE ${IN_RANGE} AND account <> '*' GROUP BY account ORDER BY account LIMIT $4`,
);

/** Accounts with transactions are those with heads, and all others are those with keys. The operator's keys have no account. */
export const accountLister = (connections: Connections): AccountLister => ({
  listAccounts: async (query, limit) => {
    const range = accountRange(query);
    const [heads, keys] = await Promise.all([
      connections.query<HeadRow>(LIST_HEADS, [...range, limit]),
      connections.query<KeysRow>(COUNT_KEYS, [...range, limit, query.nowMs]),
    ]);
    return mergeAccounts(heads, keys, limit);
  },
});
