import { fromMinorUnits } from '../../client/src/amount.ts';
import { groupedAmount } from '../text/amount.ts';
import { counted } from '../text/count.ts';
import { texts } from '../text/language.ts';
import { daysWith, rangeText } from '../text/month.ts';
import type { Period, Unit } from './periods.ts';

const MONTH = daysWith({ year: 'numeric', month: 'short' });
const DAY = daysWith({ month: 'short', day: 'numeric' });
const DAY_OF_YEAR = daysWith({ year: 'numeric', month: 'short', day: 'numeric' });

export const periodCount = ({ count }: Period): string =>
  count === 0 ? texts.$noTransactions : counted(count, texts.$transaction);

export const periodAmount = ({ amountMinor }: Period, currency: string): string =>
  `${groupedAmount(fromMinorUnits(amountMinor), currency)} ${currency}`;

export function periodText(period: Period, currency: string): string {
  const amount = period.count === 0 ? '' : `${periodAmount(period, currency)}, `;
  return `${rangeText(period)}: ${amount}${periodCount(period)}`;
}

export function axisText({ from }: Period, unit: Unit, labelledBefore?: Period): string {
  const [year = ''] = from.split('-');
  if (unit === 'year') return year;
  const isSameYear = labelledBefore?.from.startsWith(`${year}-`);
  return (unit === 'month' ? MONTH : isSameYear ? DAY : DAY_OF_YEAR).format(Date.parse(from));
}
