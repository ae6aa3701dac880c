import { type Connections, LOG_POSITION, type Replicas } from '../../../db/postgres/driver/index.ts';
import type { Topology } from '../../../db/postgres/topology.ts';
import { readTransactionRow, type Transaction } from '../../transaction.ts';
import type { TransactionLister } from '../list.ts';
import { listReader } from './read-list.ts';

interface ListerOptions {
  primary: Connections;
  replicas: Replicas | null;
  topology: Topology;
}

interface ListRow {
  transaction: Transaction;
  archivedBeforeMs: number | null;
  logPosition: string | undefined;
}

export function transactionLister({ primary, replicas, topology }: ListerOptions): TransactionLister {
  const withLogPosition = replicas !== null;
  const beside = ['(SELECT before_ms FROM archives WHERE account = $1)'];
  if (withLogPosition) beside.push(`(SELECT ${LOG_POSITION})`);
  const read = listReader<ListRow>({
    sql: { topology, beside },
    readRow: (row) => ({
      transaction: readTransactionRow(row),
      archivedBeforeMs: row.integerOrNull(),
      logPosition: withLogPosition ? row.text() : undefined,
    }),
    send: (query, statement, values) => {
      const list = (from: Connections) => from.read(statement, values);
      return replicas === null ? list(primary) : replicas.read(query.after?.logPosition, list);
    },
  });
  return {
    listTransactions: async (query, limit) => {
      const rows = await read(query, limit);
      const transactions = rows.map(({ transaction }) => transaction);
      const [first] = rows;
      if (first === undefined) return { transactions };
      const { archivedBeforeMs, logPosition } = first;
      return { transactions, archivedBeforeMs, ...(logPosition !== undefined && { logPosition }) };
    },
  };
}
