import { addDays } from '../../values/days.ts';
import type { Transaction } from '../src/transaction.ts';
import type { MatchRules } from './compared-fields.ts';
import { dayText } from './days.ts';

/** The days of payment that a file covers; null for an open end. */
export interface PaidDays {
  from: string | null;
  to: string | null;
}

/** The days of payment whose transactions can have a line: a bank books some of a month in the next one. */
export const widened = ({ from, to }: PaidDays, { toleranceDays }: MatchRules): PaidDays => ({
  from: from && addDays(from, -toleranceDays),
  to: to && addDays(to, toleranceDays),
});

/**
 * The kind of a transaction without a line: `missing`; `outside`, of another file, because it was paid on a
 * day that is only there for lines that are booked late or early; or `late`, paid in the last days, so that
 * its line can be in the next file.
 */
export function withoutLine(
  { paidAt }: Transaction,
  { from, to }: PaidDays,
  { toleranceDays, timeZone }: MatchRules,
): 'missing' | 'outside' | 'late' {
  const day = dayText(paidAt, timeZone);
  if (day === null || toleranceDays === 0) return 'missing';
  if ((from !== null && day < from) || (to !== null && day > to)) return 'outside';
  return to !== null && day > addDays(to, -toleranceDays) ? 'late' : 'missing';
}
