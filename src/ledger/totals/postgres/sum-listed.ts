import {
  type BackgroundConnections,
  type RowReader,
  readStatement,
} from '../../../db/postgres/driver/index.ts';
import type { Topology } from '../../../db/postgres/topology.ts';
import { selectOfAccount } from '../../../db/postgres/topology.ts';
import { statusUpToSql } from '../../changes/numbered-changes.ts';
import type { Position } from '../../list/list-query.ts';
import { partStartSql } from '../paid-parts.ts';
import type { ListedSummer, ListedSumQuery, ListedTotal } from '../totals.ts';

/** Open ends of a range: no transaction is beyond them. */
const FIRST_MS = Number.MIN_SAFE_INTEGER;
const LAST_MS = Number.MAX_SAFE_INTEGER;

/** Transactions that are summed at once: some 10 ms. */
const SUMMED_ROWS = 5000;

/** The filter whose index is read, or null: the index by time alone. */
type Leading = 'merchantReference' | null;

/**
 * The totals up to change $2 of the account $1: of the first $6 transactions of the list that are before the position $4, $5, of those created
 * from $3, and paid from $7 before $8 if these are not null, for each part of paidAt that is $11 long if that is not null. The status $9 and
 * the currency $10 are empty for all; $12 is the merchantReference. If the list goes on, the last row has the position where these end. Both parts read the same range in one snapshot: see
 * list-sql.ts.
 */
const sumListedSql = (topology: Topology, leading: Leading) =>
  selectOfAccount(
    topology,
    'currency_code, status, part_start_ms, count, amount, first_ms, created_at_ms, reference',
    (account) => {
      const range = rangeSql(account, leading);
      return `SELECT currency_code, status, part_start_ms, count(*) AS count, sum(amount_minor)::text AS amount, min(created_at_ms) AS first_ms,
  max(created_at_ms) AS created_at_ms, NULL::text AS reference
FROM (
SELECT currency_code, amount_minor, created_at_ms, paid_at_ms, final_sequence,
  ${partStartSql('$11::bigint')} AS part_start_ms, ${statusUpToSql('$2')} AS status
${range} LIMIT $6
) AS listed
WHERE status IS NOT NULL AND created_at_ms >= $3
  AND ($9::text = '' OR status = $9) AND ($10::text = '' OR currency_code = $10)
  AND ($7::bigint IS NULL OR (paid_at_ms >= $7 AND paid_at_ms < $8 AND final_sequence <= $2))
GROUP BY currency_code, status, part_start_ms
UNION ALL
(SELECT '', '', NULL, 0, '0', NULL, created_at_ms, reference
${range} OFFSET $6::bigint - 1 LIMIT 1)`;
    },
  );

function rangeSql(account: string, leading: Leading): string {
  if (leading === null)
    return `FROM transactions
WHERE account = ${account} AND created_at_ms >= $3 AND (created_at_ms, reference) < ($4, $5)
ORDER BY created_at_ms DESC, reference DESC`;
  return `FROM transactions
WHERE account = ${account} AND merchant_reference >= $12 AND (merchant_reference, created_at_ms, reference) < ($12, $4, $5)
ORDER BY merchant_reference DESC, created_at_ms DESC, reference DESC`;
}

/** A total with the time at which its first and last transactions were created, or the position where these end. */
type SumRow = { total: ListedTotal; created: { firstMs: number; lastMs: number } } | { end: Position };

function readSumRow(row: RowReader): SumRow {
  const total = {
    currencyCode: row.text(),
    status: row.text(),
    partStartMs: row.integerOrNull(),
    count: row.integer(),
    amountMinor: BigInt(row.text()),
  };
  const [firstMs, createdAtMs, reference] = [row.integerOrNull(), row.integer(), row.textOrNull()];
  if (reference !== null) return { end: { createdAtMs, reference } };
  return { total, created: { firstMs: firstMs as number, lastMs: createdAtMs } };
}

/** Sums transactions up to a change, some thousand in each step. */
export function listedSummer(background: BackgroundConnections, topology: Topology): ListedSummer {
  const sumAll = readStatement(sumListedSql(topology, null), readSumRow);
  const sumOfReference = readStatement(sumListedSql(topology, 'merchantReference'), readSumRow);
  return {
    sumListed: async (query, after) => {
      const statement = query.filter.merchantReference === null ? sumAll : sumOfReference;
      const rows = await background.read(statement, valuesOf(query, after));
      const end = rows.find((row) => 'end' in row)?.end ?? null;
      const isLast = end === null || end.createdAtMs < (query.range.fromMs ?? FIRST_MS);
      const found = rows.filter((row) => 'total' in row);
      const created =
        found.length === 0
          ? null
          : {
              firstMs: Math.min(...found.map((row) => row.created.firstMs)),
              lastMs: Math.max(...found.map((row) => row.created.lastMs)),
            };
      return { totals: found.map(({ total }) => total), created, next: isLast ? null : end };
    },
  };
}

function valuesOf(
  { account, filter, range, paid, asOf }: ListedSumQuery,
  after: Position | null,
): (string | number | null)[] {
  // No reference is empty: the position is before all transactions of its time.
  const begin = after ?? { createdAtMs: range.beforeMs ?? LAST_MS, reference: '' };
  return [
    account,
    asOf,
    range.fromMs ?? FIRST_MS,
    begin.createdAtMs,
    begin.reference,
    SUMMED_ROWS,
    paid && (paid.fromMs ?? FIRST_MS),
    paid && (paid.beforeMs ?? LAST_MS),
    filter.status ?? '',
    filter.currency ?? '',
    paid?.partMs ?? null,
    ...(filter.merchantReference === null ? [] : [filter.merchantReference]),
  ];
}
