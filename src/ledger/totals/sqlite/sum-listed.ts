import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { FIRST_TIMESTAMP_MS, LAST_TIMESTAMP_MS } from '../../../values/calendar.ts';
import { statusUpToSql } from '../../changes/numbered-changes.ts';
import type { EqualityValues } from '../../list/list-filter.ts';
import type { Position } from '../../list/list-query.ts';
import { partStartSql } from '../paid-parts.ts';
import type { ListedSum, ListedSumQuery, ListedTotal } from '../totals.ts';
import { AMOUNT_HIGH_UNIT, wholeAmount } from './add-to-totals.ts';

/** Transactions of a step: a fraction of a millisecond, in which no request is answered. */
const STEP_SIZE = 200;

/**
 * Sums transactions up to a change, some hundred in each step. A change with a number never changes, so the steps need no common snapshot.
 */
export function listedSummer(db: DatabaseSync): (query: ListedSumQuery, after: Position | null) => ListedSum {
  const statements = new Map<string, StatementSync>();
  const statementOf = (sql: string): StatementSync => {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = db.prepare(sql);
      statement.setReturnArrays(true);
      statements.set(sql, statement);
    }
    return statement;
  };

  return ({ account, filter, range, paid, asOf }, after) => {
    const beforeMs = range.beforeMs ?? LAST_TIMESTAMP_MS + 1;
    // No reference is empty: the position is before all transactions of its time.
    const from = after ?? { createdAtMs: range.fromMs ?? FIRST_TIMESTAMP_MS, reference: '' };
    const values = { account, createdAtMs: from.createdAtMs, reference: from.reference };
    const { merchantReference, status, currency } = filter;
    const text = merchantReference !== null && { merchantReference };
    const end = statementOf(endSql(filter)).get({ ...values, ...text, beforeMs }) as unknown as
      | [number, string]
      | undefined;
    const next = end === undefined ? null : { createdAtMs: end[0], reference: end[1] };
    const to = next ?? { createdAtMs: beforeMs, reference: '' };
    const sum = statementOf(sumSql(filter, paid !== null));
    sum.setReadBigInts(true);
    const equal = { ...(status !== null && { status }), ...(currency !== null && { currency }) };
    const upTo = { endMs: to.createdAtMs, endReference: to.reference, asOf };
    const paidAt = paid && {
      paidFromMs: paid.fromMs ?? FIRST_TIMESTAMP_MS,
      paidBeforeMs: paid.beforeMs ?? LAST_TIMESTAMP_MS + 1,
      partMs: paid.partMs ?? null,
    };
    const rows = sum.all({ ...values, ...text, ...upTo, ...equal, ...paidAt }) as unknown as SumRow[];
    return { totals: rows.map(totalOf), created: createdOf(rows), next };
  };
}

/** The rows of an index in the order of time. The key of the table begins with the account and the time, as each of these indexes does. */
const rowsSql = ({ merchantReference }: EqualityValues) =>
  `FROM transactions ${merchantReference === null ? 'NOT INDEXED' : 'INDEXED BY transactions_by_merchant_reference_time'}
  WHERE account = $account${merchantReference === null ? '' : ' AND merchant_reference = $merchantReference'} AND (created_at_ms, reference) > ($createdAtMs, $reference)`;

const endSql = (
  filter: EqualityValues,
) => `SELECT created_at_ms, reference ${rowsSql(filter)} AND created_at_ms < $beforeMs
ORDER BY created_at_ms, reference LIMIT 1 OFFSET ${STEP_SIZE - 1}`;

type SumRow = [
  currencyCode: string,
  status: string,
  partStartMs: bigint | null,
  count: bigint,
  high: bigint,
  low: bigint,
  firstMs: bigint,
  lastMs: bigint,
];

const totalOf = ([currencyCode, status, partStartMs, count, high, low]: SumRow): ListedTotal => ({
  partStartMs: partStartMs === null ? null : Number(partStartMs),
  currencyCode,
  status,
  count: Number(count),
  amountMinor: wholeAmount(high, low),
});

const createdOf = (rows: readonly SumRow[]): ListedSum['created'] =>
  rows.length === 0
    ? null
    : {
        firstMs: Math.min(...rows.map((row) => Number(row[6]))),
        lastMs: Math.max(...rows.map((row) => Number(row[7]))),
      };

/** What was paid up to the change had its final status then. */
const PAID = ' AND paid_at_ms >= $paidFromMs AND paid_at_ms < $paidBeforeMs AND final_sequence <= $asOf';

/** Amounts are summed in two parts, as the stored totals have them, so that no sum exceeds 64 bits. The status is that of the number. */
const sumSql = (filter: EqualityValues, isPaid: boolean): string =>
  `SELECT currency_code, status_then, part_start_ms, count(*), sum(amount_minor / ${AMOUNT_HIGH_UNIT}), sum(amount_minor % ${AMOUNT_HIGH_UNIT}),
  min(created_at_ms), max(created_at_ms)
FROM (
  SELECT currency_code, amount_minor, created_at_ms, ${isPaid ? partStartSql('$partMs') : 'NULL'} AS part_start_ms,
    ${statusUpToSql('$asOf')} AS status_then
  ${rowsSql(filter)} AND (created_at_ms, reference) <= ($endMs, $endReference)
    AND (pending_sequence <= $asOf OR final_sequence <= $asOf)${filter.currency === null ? '' : ' AND currency_code = $currency'}${isPaid ? PAID : ''}
)
${filter.status === null ? '' : 'WHERE status_then = $status'}
GROUP BY currency_code, status_then, part_start_ms`;
