import type { DatabaseSync } from 'node:sqlite';
import { FIRST_TIMESTAMP_MS, LAST_TIMESTAMP_MS } from '../../../../values/calendar.ts';
import { prepared } from '../../../db/sqlite/sqlite-db.ts';
import { statementsOf } from '../../../db/statement.ts';
import type { Position } from '../../list/list.ts';
import { wholeAmount } from '../../sqlite/add-to-totals.ts';
import { byIndexOfFilter, type ListedSum, type ListedSumQuery, type ListedTotal } from '../total.ts';

const sql = statementsOf(new URL('./totals.sql', import.meta.url));

/**
 * Sums transactions up to a change, 200 in each step. A step takes a fraction of a millisecond, in which no
 * request is answered. The steps need no common snapshot, because a change never changes.
 */
export function listedSummer(db: DatabaseSync): (query: ListedSumQuery, after: Position | null) => ListedSum {
  const prepare = (suffix: string) => {
    const sum = prepared<SumRow>(db, sql(`sumListed${suffix}`));
    sum.statement.setReadBigInts(true);
    return {
      end: prepared<[createdAtMs: number, reference: string]>(db, sql(`findEnd${suffix}`)),
      sum,
    };
  };
  const statementsFor = byIndexOfFilter(prepare);

  return ({ account, filter, range, paid, asOf }, after) => {
    const { end, sum } = statementsFor(filter);
    const beforeMs = range.beforeMs ?? LAST_TIMESTAMP_MS + 1;
    // No reference is empty, so an empty one comes before all references of the same time.
    const from = after ?? { createdAtMs: range.fromMs ?? FIRST_TIMESTAMP_MS, reference: '' };
    const values = { account, ...filter, createdAtMs: from.createdAtMs, reference: from.reference };
    const found = end.get({ ...values, beforeMs });
    const next = found === undefined ? null : { createdAtMs: found[0], reference: found[1] };
    const to = next ?? { createdAtMs: beforeMs, reference: '' };
    const rows = sum.all({
      ...values,
      endMs: to.createdAtMs,
      endReference: to.reference,
      asOf,
      paidFromMs: paid && (paid.fromMs ?? FIRST_TIMESTAMP_MS),
      paidBeforeMs: paid && (paid.beforeMs ?? LAST_TIMESTAMP_MS + 1),
      partMs: paid?.partMs ?? null,
    });
    return { totals: rows.map(totalOf), created: createdOf(rows), next };
  };
}

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
