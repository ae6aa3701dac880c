import type { ComponentChildren } from 'preact';
import { RowTotals } from '../export/row-totals.ts';
import { TotalsTable } from '../parts/totals-table.tsx';
import { number } from '../text/count.ts';
import type { Recorded } from './findings.ts';
import { texts } from './texts.ts';

interface PartProps {
  /** The part of an id in the document. */
  name: string;
  title: string;
  /** Undefined as long as it is unknown. */
  count: number | undefined;
  help: string;
  /** What is added up. */
  summed?: readonly Recorded[];
  children?: ComponentChildren;
}

/** One kind of what is to be looked at: how much there is, its sums and its rows. */
export const Part = ({ name, title, count, help, summed = [], children }: PartProps) => (
  <section class="review-part" aria-labelledby={`review-${name}`} aria-busy={count === undefined}>
    <h2 id={`review-${name}`} tabIndex={-1}>
      {title} <Count count={count} />
    </h2>
    {help && <p class="help">{help}</p>}
    <Sums title={title} rows={summed} />
    {children}
  </section>
);

/** Nothing as long as the number is unknown. */
export const Count = ({ count }: Pick<PartProps, 'count'>) => (
  <span class="review-count">{count === 0 ? texts.$noneFound : count && number(count)}</span>
);

interface SumsProps {
  title: string;
  rows: readonly Recorded[];
}

/** What some transactions add up to, for each currency and status: what failed is not added to what was paid. */
export function Sums({ title, rows }: SumsProps) {
  if (rows.length === 0) return null;
  const totals = new RowTotals();
  for (const one of rows) totals.add(one);
  return <TotalsTable title={title} rows={totals.data} />;
}
