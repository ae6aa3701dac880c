import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Read } from '../../../db/sqlite/open-file.ts';
import type { TotalsReader } from '../totals.ts';
import { changeSummer, dailyTotalsReader, storedTotalsReader } from './totals.ts';

/** The totals of an account move at most ten times a second, so a second try is rare. After the last one, all is read at once. */
const DAILY_TOTALS_TRIES = 3;

/** The sums of fewer changes are read faster than another thread is asked for them. */
const LONG_FROM = 100;

/** The reads of totals. Those that take long are divided into slices, or done by `sumMany` on a thread of its own. */
export function totalsReader(
  db: DatabaseSync,
  read: Read,
  sumMany: TotalsReader['sumChanges'],
): TotalsReader {
  const readStoredTotals = storedTotalsReader(db);
  const readDailyTotals = dailyTotalsReader(db);
  const sumChanges = changeSummer(db);
  return {
    readStoredTotals: async (query) => {
      for (let tries = 0; query.byDay && tries < DAILY_TOTALS_TRIES; tries++) {
        const found = await read(readDailyTotals, query, () => nextTurn());
        if (found !== undefined) return found;
      }
      return read(readStoredTotals, query);
    },
    sumChanges: async (account, after, upTo) => {
      if (upTo - after >= LONG_FROM) return sumMany(account, after, upTo);
      // Others have a turn, also beside a caller that reads totals again and again.
      await nextTurn();
      return read(sumChanges, account, after, upTo);
    },
  };
}
