import type { ComponentChildren } from 'preact';
import { RowTotals } from '../export/row-totals.ts';
import { Amount } from '../parts/amount.tsx';
import { totalCount } from '../parts/totals-table.tsx';
import { byImportance } from '../state/statuses.ts';
import { number } from '../text/count.ts';
import { statusText } from '../text/status.ts';
import type { Recorded } from './findings.ts';
import { texts } from './texts.ts';

interface PartProps {
  name: string;
  title: string;
  count: number | undefined;
  help: string;
  summed?: readonly Recorded[];
  children?: ComponentChildren;
}

export const Part = ({ name, title, count, help, summed = [], children }: PartProps) => (
  <section class="review-part" aria-labelledby={`review-${name}`} aria-busy={count === undefined}>
    <div class="review-head">
      <h2 id={`review-${name}`} tabIndex={-1}>
        {title} <Count count={count} />
      </h2>
      <Sums title={title} rows={summed} />
    </div>
    {help && <p class="help">{help}</p>}
    {children}
  </section>
);

export const Count = ({ count }: Pick<PartProps, 'count'>) => (
  <span class="count">{count !== undefined && number(count)}</span>
);

interface SumsProps {
  title: string;
  rows: readonly Recorded[];
}

export function Sums({ title, rows }: SumsProps) {
  if (rows.length === 0) return null;
  const totals = new RowTotals();
  for (const one of rows) totals.add(one);
  const sums = totals.data.toSorted((one, other) => (one.currencyCode < other.currencyCode ? -1 : 1));
  const currencies = [...new Set(sums.map(({ currencyCode }) => currencyCode))];
  const statuses = [...new Set(sums.map(({ status }) => status))].sort(byImportance);
  return (
    <ul
      class="review-sums"
      aria-label={texts.$sumsOf(title)}
      style={{ gridTemplateColumns: `auto repeat(${currencies.length}, auto)` }}
    >
      {statuses.map((status) => {
        const own = sums.filter((sum) => sum.status === status);
        return (
          <li key={status}>
            {`${statusText(status)} (${number(totalCount(own))})`}
            {currencies.map((currency) => (
              <span key={currency}>
                {own.map((sum) => sum.currencyCode === currency && <Amount key={currency} {...sum} />)}
              </span>
            ))}
          </li>
        );
      })}
    </ul>
  );
}
