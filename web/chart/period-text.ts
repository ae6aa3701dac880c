import { fromMinorUnits } from '../../client/src/amount.ts';
import { groupedAmount } from '../text/amount.ts';
import { counted } from '../text/count.ts';
import { language, texts } from '../text/language.ts';
import { rangeText } from '../text/month.ts';
import type { Period, Unit } from './periods.ts';

const SHORT = { month: 'short', calendar: 'gregory', timeZone: 'UTC', numberingSystem: 'latn' } as const;
const MONTH = new Intl.DateTimeFormat(language, SHORT);
const DAY = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, { ...SHORT, day: 'numeric' });

export const periodCount = ({ count }: Period): string =>
  count === 0 ? texts.$noTransactions : counted(count, texts.$transaction);

export const periodAmount = ({ amountMinor }: Period, currency: string): string =>
  `${groupedAmount(fromMinorUnits(amountMinor), currency)} ${currency}`;

/** All that a bar shows, in words. */
export function periodText(period: Period, currency: string): string {
  const count = periodCount(period);
  return period.count === 0
    ? `${rangeText(period)}: ${count}`
    : `${rangeText(period)}: ${periodAmount(period, currency)}, ${count}`;
}

/**
 * The label of a period on the axis: its first day, its month or its year. A day has its year only if that
 * differs from the year of the previous label.
 */
export function axisText({ from }: Period, unit: Unit, labelledBefore?: Period): string {
  const [year = ''] = from.split('-');
  if (unit === 'year') return year;
  if (unit === 'month') return `${MONTH.format(Date.parse(from))} ${year}`;
  const isSameYear = labelledBefore?.from.startsWith(`${year}-`);
  return `${DAY.format(Date.parse(from))}${isSameYear ? '' : ` ${year}`}`;
}
