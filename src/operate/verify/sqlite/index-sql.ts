import { UNNUMBERED } from '../../../ledger/transaction-columns.ts';
import { conditionsOf, orderOf, STORED_COLUMNS } from '../../stored-rows.ts';
import type { IndexShape } from '../verify-reader.ts';

/** Columns of an index that are not part of its order. */
const INCLUDED: Readonly<Record<string, readonly string[]>> = {
  transactions_by_merchant_reference_time: ['status', 'currency_code'],
};

const KEY = ['created_at_ms', 'reference'];

/** The primary key of the table, which has the rows themselves. */
export const TABLE = 'INDEXED BY sqlite_autoindex_transactions_1';

/** The order of every index ends with the primary key, which makes each place unique. */
const shape = (
  name: string,
  contents: IndexShape['contents'],
  fields: IndexShape['order'],
  isUnique = false,
): IndexShape => ({ name, contents, order: fields, isUnique });

export const INDEXES: readonly IndexShape[] = [
  shape('transactions_by_reference', 'all', ['reference', 'createdAtMs'], true),
  shape('transactions_by_status', 'all', ['status', 'createdAtMs', 'reference']),
  shape('transactions_by_status_currency', 'all', ['status', 'currencyCode', 'createdAtMs', 'reference']),
  shape('transactions_by_merchant_reference_time', 'merchantReference', [
    'merchantReference',
    'createdAtMs',
    'reference',
  ]),
  shape('transactions_by_pending_sequence', 'pendingSequence', [
    'pendingSequence',
    'createdAtMs',
    'reference',
  ]),
  shape('transactions_by_final_sequence', 'finalSequence', ['finalSequence', 'createdAtMs', 'reference']),
  shape('transactions_unnumbered', 'unnumbered', ['createdAtMs', 'reference']),
];

/**
 * Reads entries of the account ?1, at most ?2, from the position in the other parameters. The first part reads the index alone, so it has
 * the values of the entries; then each is compared with the row of the table that it leads to.
 */
export function indexSql(index: IndexShape, comparison: '>' | '>=' | null): string {
  const order = orderOf(index);
  const columns = [...new Set([...order, ...KEY, ...(INCLUDED[index.name] ?? [])])];
  const conditions = ['account = ?1', ...conditionsOf(index)];
  if (comparison !== null)
    conditions.push(`(${order.join(', ')}) ${comparison} (${order.map((_, at) => `?${at + 3}`).join(', ')})`);
  const agrees = columns
    .filter((column) => !KEY.includes(column))
    .map((column) => `t.${column} IS e.${column}`);
  if (index.contents === 'unnumbered')
    agrees.push(
      UNNUMBERED.replaceAll(/\b(final_sequence|pending_sequence|status)\b/g, (name) => `t.${name}`),
    );
  return `WITH e AS MATERIALIZED (
  SELECT ${columns.join(', ')} FROM transactions INDEXED BY ${index.name}
  WHERE ${conditions.join(' AND ')} ORDER BY ${order.join(', ')} LIMIT ?2 + 0
)
SELECT e.reference, e.created_at_ms, t.${STORED_COLUMNS.pendingSequence}, t.${STORED_COLUMNS.finalSequence},
  t.reference IS NOT NULL${agrees.map((one) => ` AND ${one}`).join('')}, ${order.map((column) => `e.${column}`).join(', ')}
FROM e LEFT JOIN transactions AS t ${TABLE}
  ON t.account = ?1 AND t.created_at_ms = e.created_at_ms AND t.reference = e.reference`;
}

export type EntryValues = [
  reference: string,
  createdAtMs: number,
  pendingSequence: number | null,
  finalSequence: number | null,
  agrees: number,
  ...position: (string | number | null)[],
];
