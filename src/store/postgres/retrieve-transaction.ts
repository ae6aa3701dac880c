import type { TransactionRetriever } from '../../core/store.ts';
import { TRANSACTION_COLUMNS, type TransactionRow, transactionOf } from '../transaction-row.ts';
import { type Connections, statement } from './driver/connections.ts';
import type { Wall } from './list-transactions.ts';

/** Behind the wall, the account is named to the policy of the table first, as for a list. */
export function findSql(wall: Wall): string {
  if (wall === 'none')
    return `SELECT ${TRANSACTION_COLUMNS} FROM transactions WHERE account = $1 AND reference = $2`;
  return `SELECT ${TRANSACTION_COLUMNS}
FROM (SELECT set_config('transactions.account', $1, true) AS account OFFSET 0) AS caller
CROSS JOIN LATERAL (
SELECT ${TRANSACTION_COLUMNS} FROM transactions WHERE account = caller.account AND reference = $2 LIMIT 1
) AS found`;
}

export function transactionRetriever(connections: Connections, wall: Wall): TransactionRetriever {
  const find = statement(findSql(wall));
  return {
    retrieveTransaction: async (account, reference) => {
      const [row] = await connections.query<TransactionRow>(find, [account, reference]);
      return row && transactionOf(row);
    },
  };
}
