import type { DatabaseSync } from 'node:sqlite';
import { FIRST_TIMESTAMP_MS, LAST_TIMESTAMP_MS } from '../../../../values/calendar.ts';
import { inSnapshot } from '../../../db/sqlite/open-file.ts';
import { type Prepared, prepared } from '../../../db/sqlite/sqlite-db.ts';
import { statementsOf } from '../../../db/statement.ts';
import type { Position } from '../../list/list.ts';
import { wholeAmount } from '../../sqlite/add-to-totals.ts';
import {
  byIndexOfFilter,
  type CountedTotals,
  type ListedSum,
  type ListedSumQuery,
  type ListedTotal,
  type StoredTotalsQuery,
  type Total,
} from '../total.ts';

const sql = statementsOf(new URL('./totals.sql', import.meta.url));

type TotalRow = [
  rows: bigint,
  day: bigint | null,
  currencyCode: string,
  status: string,
  count: bigint,
  amountHigh: bigint,
  amountLow: bigint,
];

type LastNumberRow = [
  asOf: number,
  lastNonce: number | null,
  beforeMs: number | null,
  removedChanges: number,
];

const OPEN_END = 1e9;
const NO_LIMIT = -1;

/** Reading this many stored totals takes a millisecond, in which no request is answered. */
const SHORT = { eachDay: 1000, addedUp: 4000 };

export function storedTotalsReader(db: DatabaseSync) {
  const eachDay = prepareTotals(db, 'listTotals');
  const addedUp = prepareTotals(db, 'addUpTotals');
  const lastNumber = prepared<LastNumberRow>(db, sql('readLastNumber'));
  const snapshot = inSnapshot(db);

  const read = ({ account, currency, status, byDay, days }: StoredTotalsQuery, limit: number) =>
    snapshot(() => {
      const [asOf, lastNonce, beforeMs, removedChanges] = lastNumber.get({ account }) as LastNumberRow;
      const archive = beforeMs === null ? undefined : { beforeMs, removedChanges };
      const rows =
        days === null
          ? []
          : (byDay ? eachDay : addedUp).all({
              account,
              fromDay: days.from ?? -OPEN_END,
              toDay: days.to ?? OPEN_END,
              currency,
              status,
              limit,
            });
      return { rows, asOf, lastNonce, archive };
    });
  const countedOf = ({ rows, ...counted }: ReturnType<typeof read>): CountedTotals => ({
    totals: rows.map(storedTotalOf),
    ...counted,
  });

  return {
    readAll: (query: StoredTotalsQuery) => countedOf(read(query, NO_LIMIT)),
    /** Returns undefined if the read would take long. */
    readFew: (query: StoredTotalsQuery) => {
      const most = query.byDay ? SHORT.eachDay : SHORT.addedUp;
      const found = read(query, most + 1);
      const rows = found.rows.reduce((sum, row) => sum + Number(row[0]), 0);
      return rows > most ? undefined : countedOf(found);
    },
  };
}

function prepareTotals(db: DatabaseSync, name: string): Prepared<TotalRow> {
  const totals = prepared<TotalRow>(db, sql(name));
  totals.statement.setReadBigInts(true);
  return totals;
}

function storedTotalOf([, day, currencyCode, status, count, amountHigh, amountLow]: TotalRow): Total {
  return {
    day: day === null ? null : Number(day),
    currencyCode,
    status,
    count: Number(count),
    amountMinor: wholeAmount(amountHigh, amountLow),
  };
}

/** Sums up to 200 transactions. This blocks the thread, but only for a fraction of a millisecond. */
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
    return { totals: rows.map(listedTotalOf), created: createdOf(rows), next };
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

const listedTotalOf = ([currencyCode, status, partStartMs, count, high, low]: SumRow): ListedTotal => ({
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
