import { BELOW_ZERO, type SearchTerms } from '../../client/search-text/read-search.ts';
import { groupedAmount } from '../text/amount.ts';
import { texts } from '../text/language.ts';
import { daysWithin } from '../text/month.ts';
import { statusWord } from '../text/status.ts';

export function describeTerms(
  { words, amount, isAbout, amountFrom, amountTo, currency, status, isUnpaid, day, from }: SearchTerms,
  timeZone: string,
): string {
  const grouped = (one: string) =>
    groupedAmount(one, currency?.codes.length === 1 ? currency.codes[0] : undefined);
  const written = (one: string) => [grouped(one), currency?.written].filter(Boolean).join(' ');
  const parts = [
    status !== undefined && statusWord(status),
    amount !== undefined && texts.$ofAmount(written(amount), isAbout === true),
    amountFrom !== undefined && amountTo !== undefined
      ? texts.$ofRange(grouped(amountFrom), written(amountTo))
      : amountFrom !== undefined
        ? texts.$ofMore(written(amountFrom))
        : amountTo === BELOW_ZERO
          ? '< 0'
          : amountTo !== undefined && texts.$ofLess(written(amountTo)),
    day !== undefined &&
      (isUnpaid ? texts.$createdDays : texts.$paidDays)(
        `${daysWithin({ from: from ?? day, to: day })} (${timeZone})`,
      ),
    words.length > 0 && texts.$withWords(words),
  ];
  return parts.filter(Boolean).join(', ');
}
