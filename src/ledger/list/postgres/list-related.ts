import { type Connections, readStatement } from '../../../db/postgres/driver/index.ts';
import type { Topology } from '../../../db/postgres/topology.ts';
import { selectOfAccount } from '../../../db/postgres/topology.ts';
import { readTransactionRow } from '../../postgres/read-transaction-row.ts';
import { TRANSACTION_COLUMNS } from '../../transaction-columns.ts';
import { NEWEST, type RelatedLister } from '../list-query.ts';

/**
 * Reads one range of one index backward. The upper end of the range has the order of the statement, so that no other index fits
 * (decisions/postgresql.md).
 */
const relatedSql = (topology: Topology) =>
  selectOfAccount(
    topology,
    TRANSACTION_COLUMNS,
    (account) => `SELECT ${TRANSACTION_COLUMNS}
FROM transactions
WHERE account = ${account} AND related_to IS NOT NULL AND related_to >= $2 AND (related_to, created_at_ms, reference) < ($2, $3, $4)
ORDER BY related_to DESC, created_at_ms DESC, reference DESC
LIMIT $5`,
  );

export function relatedLister(connections: Connections, topology: Topology): RelatedLister {
  const list = readStatement(relatedSql(topology), readTransactionRow);
  return {
    listRelated: (account, relatedTo, after, limit) => {
      const { createdAtMs, reference } = after ?? NEWEST;
      return connections.read(list, [account, relatedTo, createdAtMs, reference, limit]);
    },
  };
}
