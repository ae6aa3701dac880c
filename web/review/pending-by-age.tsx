import { Amount } from '../parts/amount.tsx';
import { CardTable } from '../parts/card-table.tsx';
import { FailurePanel } from '../parts/failure-panel.tsx';
import type { PendingAge, usePendingAges } from '../parts/pending-ages.tsx';
import { totalCount } from '../parts/totals-table.tsx';
import type { TotalsRow } from '../state/api.ts';
import { followLink } from '../state/use-route.ts';
import { unitText } from '../text/age.ts';
import { number } from '../text/count.ts';
import { texts as page } from '../text/language.ts';
import { Part } from './part.tsx';
import { texts } from './texts.ts';

export function PendingByAge({ loaded, value: ages, reload }: ReturnType<typeof usePendingAges>) {
  if (loaded.state === 'failed')
    return (
      <section class="review-part" aria-label={texts.$pendingByAge}>
        <FailurePanel missing={page.$totalsFailed} again={page.$loadTotals} {...loaded} onRetry={reload} />
      </section>
    );
  if (ages?.length === 0) return null;
  return (
    <Part name="pending" title={texts.$pendingByAge} count={countOfAges(ages)} help={texts.$pendingHelp}>
      {ages && (
        <CardTable
          class="plain-table review-ages"
          caption={texts.$pendingByAge}
          columns={[
            {
              class: '',
              name: page.$age,
              isRowHeader: true,
              cell: ({ age }) => texts.$over(unitText(age, 'day')),
            },
            { class: 'column-amount', name: page.$count, cell: countOf },
            {
              class: 'column-amount',
              name: texts.$sum,
              // `ages[0]` has every currency, because it includes the transactions of all other rows.
              cell: ({ totals }) => <span>{ages[0]?.totals.map((one) => sumOf(one, totals))}</span>,
            },
          ]}
          rows={ages}
          keyOf={({ age }) => age}
        />
      )}
    </Part>
  );
}

/** The total of `ages[0]` ("over 3 days") includes the transactions of "over 7 days" and "over 30 days". */
export const countOfAges = (ages: readonly PendingAge[] | undefined) =>
  ages && totalCount(ages[0]?.totals ?? []);

const countOf = ({ href, totals }: PendingAge) => (
  <a href={href} onClick={followLink}>
    {number(totalCount(totals))}
  </a>
);

const sumOf = ({ currencyCode }: TotalsRow, totals: readonly TotalsRow[]) => (
  <Amount
    key={currencyCode}
    amount={totals.find((one) => one.currencyCode === currencyCode)?.amount ?? '0.00'}
    currencyCode={currencyCode}
  />
);
