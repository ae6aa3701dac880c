import type { DatabaseSync } from 'node:sqlite';
import { inSnapshot } from '../../../db/sqlite/open-file.ts';
import { type Prepared, prepared } from '../../../db/sqlite/sqlite-db.ts';
import { statementsOf } from '../../../db/statement.ts';
import { wholeAmount } from '../../sqlite/add-to-totals.ts';
import type { CountedTotals, StoredTotalsQuery, Total } from '../total.ts';

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

/** Beyond every day. */
const OPEN_END = 1e9;
const NO_LIMIT = -1;

/**
 * The most totals that are read at once, for each day or added up. Reading them takes a millisecond, in which
 * no request is answered.
 */
const SHORT = { eachDay: 1000, addedUp: 4000 };

interface StoredTotalsReader {
  readAll(query: StoredTotalsQuery): CountedTotals;
  /** Returns undefined if the read would take long. */
  readFew(query: StoredTotalsQuery): CountedTotals | undefined;
}

export function storedTotalsReader(db: DatabaseSync): StoredTotalsReader {
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
    totals: rows.map(totalOf),
    ...counted,
  });

  return {
    readAll: (query) => countedOf(read(query, NO_LIMIT)),
    readFew: (query) => {
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

function totalOf([, day, currencyCode, status, count, amountHigh, amountLow]: TotalRow): Total {
  return {
    day: day === null ? null : Number(day),
    currencyCode,
    status,
    count: Number(count),
    amountMinor: wholeAmount(amountHigh, amountLow),
  };
}
