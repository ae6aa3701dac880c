import {
  type BackgroundConnections,
  type ReadStatement,
  type RowReader,
  readStatement,
} from '../../../db/postgres/driver/index.ts';
import type { Topology } from '../../../db/postgres/topology.ts';
import { searchPattern } from '../../../values/search-pattern.ts';
import { timeRange } from '../../list/list-filter.ts';
import { type ListShape, shapeName } from '../../list/list-shape.ts';
import { listSql } from '../../list/postgres/list-sql.ts';
import { scanOf } from '../../list/postgres/read-list.ts';
import { readTransactionRow } from '../../read-transaction-row.ts';
import type { Transaction } from '../../transaction.ts';
import { TRANSACTION_COLUMNS } from '../../transaction-columns.ts';
import { comparedList, searchConditions, searchValues } from '../search-conditions.ts';
import type { SearchQuery, TransactionSearcher } from '../search-query.ts';

interface Row {
  transaction: Transaction;
  /** How many rows were read, in the row of the last one; null in the others. */
  read: number | null;
}

/** Most texts are ASCII, which is the same in every form of Unicode. */
const isFound = (column: string, pattern: string) =>
  `CASE WHEN octet_length(${column}) > length(${column}) THEN normalize(${column}) ELSE ${column} END ~ ${pattern}`;

const DETAILS = 'coalesce(final_details, details)';

/** Whether one of the texts of a transaction matches a pattern. */
const hasText = (pattern: string) => `${isFound('reference', pattern)}
    OR ${isFound('merchant_reference', pattern)}
    OR ${DETAILS} IS NOT NULL
      AND EXISTS (SELECT 1 FROM json_each_text(${DETAILS}::json) WHERE ${isFound('value', pattern)})`;

const withPattern = ({ terms, ...query }: SearchQuery): SearchQuery => ({
  ...query,
  terms: { ...terms, text: terms.text === null ? null : searchPattern(terms.text) },
});

/**
 * The transactions that match among the first ones of a list, and the last of these. Both read the same rows of the list in one
 * snapshot: a transaction that is recorded between two statements would move the end.
 */
function searchSql(shape: ListShape, listValues: number, topology: Topology): string {
  const conditions = searchConditions((index, type) => `$${listValues + index + 2}::${type}`, hasText);
  return `WITH scanned AS MATERIALIZED (
${listSql(shape, { topology })}
)
SELECT ${TRANSACTION_COLUMNS}, NULL::bigint AS read
FROM scanned
WHERE ${conditions}
UNION ALL
(SELECT ${TRANSACTION_COLUMNS}, (SELECT count(*) FROM scanned) AS read
FROM scanned
ORDER BY created_at_ms, reference
LIMIT 1)`;
}

const readRow = (row: RowReader): Row => ({
  transaction: readTransactionRow(row),
  read: row.integerOrNull(),
});

export function transactionSearcher(
  background: BackgroundConnections,
  topology: Topology,
): TransactionSearcher {
  const statements = new Map<string, ReadStatement<Row>>();

  const statementOf = (shape: ListShape, listValues: number): ReadStatement<Row> => {
    let found = statements.get(shapeName(shape));
    if (found === undefined) {
      found = readStatement(searchSql(shape, listValues, topology), readRow);
      statements.set(shapeName(shape), found);
    }
    return found;
  };

  return {
    searchTransactions: async (query, compared) => {
      const { shape, values } = scanOf(comparedList(query));
      const given = [...values, compared, ...searchValues(withPattern(query))];
      const rows = await background.read(statementOf(shape, values.length), given);
      const last = rows.find(({ read }) => read !== null);
      const transactions = rows.filter(({ read }) => read === null).map(({ transaction }) => transaction);
      return {
        transactions: transactions.sort(newestFirst),
        end: last?.read === compared && isInRange(query, last.transaction) ? last.transaction : null,
      };
    },
  };
}

/** A scan can go on with rows of neighbouring values: then the list has ended. */
function isInRange({ filter }: SearchQuery, transaction: Transaction): boolean {
  const { fromMs } = timeRange(filter);
  const { merchantReference } = filter;
  return (
    (merchantReference === null || transaction.merchantReference === merchantReference) &&
    (fromMs === null || transaction.createdAtMs >= fromMs)
  );
}

function newestFirst(one: Transaction, other: Transaction): number {
  return other.createdAtMs - one.createdAtMs || (one.reference < other.reference ? 1 : -1);
}
