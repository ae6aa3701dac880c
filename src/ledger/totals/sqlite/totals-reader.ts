import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Read } from '../../../db/sqlite/open-file.ts';
import type { TotalsFolder, TotalsReader } from '../totals.ts';
import { unfoldedLister } from './fold-totals.ts';
import { changeSummer, dailyRollUpReader, rollUpReader } from './totals.ts';

/** Changes of an account are folded at most ten times a second, so a second try is rare. After the last one, all is read at once. */
const DAILY_ROLL_UP_TRIES = 3;

/** The reads of totals. Those that take long are divided into slices, and other requests are answered in between. */
export function totalsReader(
  db: DatabaseSync,
  read: Read,
): TotalsReader & Pick<TotalsFolder, 'listUnfolded'> {
  const readRollUp = rollUpReader(db);
  const readDailyRollUp = dailyRollUpReader(db);
  const sumChanges = changeSummer(db);
  const listUnfolded = unfoldedLister(db);
  // The turn of the event loop in which the last of the slices is read that wait.
  let lastSlice: Promise<void> = Promise.resolve();
  return {
    readRollUp: async (query) => {
      for (let tries = 0; query.byDay && tries < DAILY_ROLL_UP_TRIES; tries++) {
        const found = await read(readDailyRollUp, query, () => nextTurn());
        if (found !== undefined) return found;
      }
      return read(readRollUp, query);
    },
    sumChanges: async (account, after, upTo) => {
      // Totals of an account that is far behind take many slices. Each has a turn of its own, however many totals are read at once.
      lastSlice = lastSlice.then(() => nextTurn());
      await lastSlice;
      return read(sumChanges, account, after, upTo);
    },
    listUnfolded: async (afterAccount, limit) => {
      await nextTurn();
      return read(listUnfolded, afterAccount, limit);
    },
  };
}
