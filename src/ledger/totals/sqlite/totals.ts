import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { inSnapshot } from '../../../db/sqlite/snapshot.ts';
import { nonceSql } from '../../changes/sqlite/list-changes.ts';
import type { CountedTotals, StoredTotalsQuery, Total } from '../totals.ts';
import { wholeAmount } from './add-to-totals.ts';

/** The totals of a range of days of one account, ?2 to ?3, for currency ?4 and status ?5 if they are not null, at most ?6 of them. */
const OF_DAYS = `FROM daily_totals
WHERE account = ?1 AND day BETWEEN ?2 AND ?3
  AND (?4 IS NULL OR currency_code = ?4) AND (?5 IS NULL OR status = ?5)
LIMIT ?6 + 0`;

const COLUMNS = 'currency_code, status, count, amount_high, amount_low';

const STORED_TOTALS_SQL = {
  eachDay: `SELECT 1, day, ${COLUMNS}
${OF_DAYS}`,
  addedUp: `SELECT count(*), NULL, currency_code, status, sum(count), sum(amount_high), sum(amount_low) FROM (
SELECT ${COLUMNS}
${OF_DAYS}
) GROUP BY currency_code, status`,
};

type TotalRow = [
  rows: bigint,
  day: bigint | null,
  currencyCode: string,
  status: string,
  count: bigint,
  amountHigh: bigint,
  amountLow: bigint,
];

/** The head of the account ?1, and the nonce of the change there. */
const LAST_NUMBER_SQL = `SELECT head_sequence, ${nonceSql('?1', 'head_sequence')}
FROM (SELECT coalesce((SELECT head_sequence FROM accounts WHERE account = ?1), 0) AS head_sequence)`;

/** Beyond every day. */
const OPEN_END = 1e9;
const NO_LIMIT = -1;

/** The totals that are read within a millisecond, in which no request is answered: each day, or added up. */
const SHORT = { eachDay: 1000, addedUp: 4000 };

interface StoredTotalsReader {
  readAll(query: StoredTotalsQuery): CountedTotals;
  /** Returns undefined if it takes long. */
  readFew(query: StoredTotalsQuery): CountedTotals | undefined;
}

/** Reads stored totals and the number at which they hold in one snapshot. */
export function storedTotalsReader(db: DatabaseSync): StoredTotalsReader {
  const eachDay = prepareTotals(db, STORED_TOTALS_SQL.eachDay);
  const addedUp = prepareTotals(db, STORED_TOTALS_SQL.addedUp);
  const lastNumber = db.prepare(LAST_NUMBER_SQL);
  lastNumber.setReturnArrays(true);
  const snapshot = inSnapshot(db);

  const read = ({ account, currency, status, byDay, days }: StoredTotalsQuery, limit: number) =>
    snapshot(() => {
      const [asOf, lastNonce] = lastNumber.get(account) as unknown as [number, number | null];
      const rows =
        days === null
          ? []
          : ((byDay ? eachDay : addedUp).all(
              account,
              days.from ?? -OPEN_END,
              days.to ?? OPEN_END,
              currency,
              status,
              limit,
            ) as unknown as TotalRow[]);
      return { rows, asOf, lastNonce };
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

function prepareTotals(db: DatabaseSync, sql: string): StatementSync {
  const statement = db.prepare(sql);
  statement.setReturnArrays(true);
  statement.setReadBigInts(true);
  return statement;
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
