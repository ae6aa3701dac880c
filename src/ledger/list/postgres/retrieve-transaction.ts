import { type Connections, statement } from '../../../db/postgres/driver/index.ts';
import type { Topology } from '../../../db/postgres/topology.ts';
import { selectOfAccount } from '../../../db/postgres/topology.ts';
import { TRANSACTION_COLUMNS, type TransactionRow, transactionOf } from '../../transaction-columns.ts';
import type { TransactionRetriever } from '../list-query.ts';

export function transactionRetriever(connections: Connections, topology: Topology): TransactionRetriever {
  const retrieve = statement(
    selectOfAccount(
      topology,
      TRANSACTION_COLUMNS,
      (account) =>
        `SELECT ${TRANSACTION_COLUMNS} FROM transactions WHERE account = ${account} AND reference = $2 LIMIT 1`,
    ),
  );
  return {
    retrieveTransaction: async (account, reference) => {
      const [row] = await connections.query<TransactionRow>(retrieve, [account, reference]);
      return row && transactionOf(row);
    },
  };
}
