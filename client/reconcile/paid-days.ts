import { addDays } from '../../values/days.ts';
import type { Transaction } from '../src/transaction.ts';
import type { MatchRules } from './compared-fields.ts';
import { dayText } from './days.ts';

/** The payment days that a file covers; null for an open end. */
export interface PaidDays {
  from: string | null;
  to: string | null;
}

/** The payment days whose transactions can have a line: a bank can book payments in the next month. */
export const widened = ({ from, to }: PaidDays, { toleranceDays }: MatchRules): PaidDays => ({
  from: from && addDays(from, -toleranceDays),
  to: to && addDays(to, toleranceDays),
});

/**
 * The kind of a transaction without a line. `outside`: paid outside the file's days, so another file has its
 * line. `late`: paid in the last days, so the next file can have its line. `missing`: all others.
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
