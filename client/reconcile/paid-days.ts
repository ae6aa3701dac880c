import { addDays } from '../../values/calendar.ts';
import type { Transaction } from '../src/transaction.ts';
import type { MatchRules } from './compared-fields.ts';
import { dayText } from './days.ts';

export interface PaidDays {
  from: string | null;
  to: string | null;
}

/** A bank may book a payment some days after it was made, so its line may be in the next month's file. */
export const widened = ({ from, to }: PaidDays, { toleranceDays }: MatchRules): PaidDays => ({
  from: from && addDays(from, -toleranceDays),
  to: to && addDays(to, toleranceDays),
});

/**
 * Says why the file has no line for a transaction. `outside`: it was paid before `from` or after `to`.
 * `late`: it was paid on one of the last days until `to`, so its line may be in the next month's file.
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
