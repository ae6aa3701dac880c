import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { fromMinorUnits } from '../../client/src/amount.ts';
import type { TotalsRow } from '../state/api.ts';
import { addressOf, type Filter, listRoute } from '../state/route.ts';
import { byImportance, isPaid } from '../state/statuses.ts';
import { followLink } from '../state/use-route.ts';
import { number } from '../text/count.ts';
import { labels } from '../text/labels.ts';
import { texts } from '../text/language.ts';
import { type CurrencyTotals, changeText, overviewOf } from '../text/overview.ts';
import { statusText, statusWord } from '../text/status.ts';
import { Amount } from './amount.tsx';
import { Button } from './button.tsx';
import { Nothing } from './transactions-table.tsx';

const SHOWN_ROWS = 4;

interface FilteredList {
  filter: Filter;
  zone: string;
}

export interface Comparison {
  before: readonly TotalsRow[];
  now: readonly TotalsRow[];
  daysBefore: string;
  name: string;
}

export function sumsOf(
  rows: readonly TotalsRow[],
  comparison: Comparison | undefined,
  ofStatus: string | undefined,
) {
  const doesCount = ofStatus === undefined ? isPaid : () => true;
  const before = comparison?.before ?? [];
  const compared = comparison && overviewOf(comparison.now, before, doesCount);
  return overviewOf(rows, before, doesCount).map((one) => ({
    ...one,
    compared: compared?.find(({ currency }) => currency === one.currency) ?? { ...one, sumMinor: 0n },
  }));
}

interface TotalsTableProps {
  title: string;
  rows: readonly TotalsRow[];
  list?: FilteredList;
  comparison?: Comparison | undefined;
}

export function TotalsTable({ title, rows, list, comparison }: TotalsTableProps) {
  const [isWhole, setIsWhole] = useState(false);
  const ofStatus = list?.filter.status;
  const before = comparison?.before ?? [];
  const all = [...rows, ...before].map(({ status }) => status);
  const statuses = [...new Set(all)].sort(byImportance);
  const paid = statuses.filter(isPaid);
  const unpaid = statuses.filter((status) => !isPaid(status));
  const currencies = sumsOf(rows, comparison, ofStatus);
  const header = (...name: ComponentChildren[]) => <th scope="col">{name}</th>;
  const hasNet = ofStatus === undefined && paid.length > 1;
  const scroll = useRef<HTMLDivElement>(null);
  useFit(scroll);
  return (
    <div class={isWhole ? 'totals' : 'totals totals-cut'}>
      <div class="totals-scroll" ref={scroll}>
        <table class="totals-table">
          <caption class="visually-hidden">{texts.$totalsCaption(title)}</caption>
          <thead>
            <tr>
              {header(<span class="visually-hidden">{labels.currencyCode}</span>)}
              {paid.map((status) => header(statusText(status)))}
              {hasNet && header(texts.$net)}
              {comparison && header(texts.$difference)}
              {unpaid.map((status) => header(statusText(status)))}
            </tr>
          </thead>
          <tbody>
            {currencies.map((one) => (
              <tr key={one.currency}>
                <th scope="row">{one.currency}</th>
                {paid.map((status) => (
                  <Cell totals={one} status={status} list={list} />
                ))}
                {hasNet && <td data-name={texts.$net}>{sum(one, one.sumMinor)}</td>}
                {comparison && <td data-name={texts.$difference}>{difference(one.compared, comparison)}</td>}
                {unpaid.map((status) => (
                  <Cell totals={one} status={status} list={list} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div class="totals-foot">
        {hasNet && <span>{texts.$netIs(paid.map(statusWord).join(' + '))}</span>}
        {comparison && <span>{comparison.name}</span>}
        {currencies.length > SHOWN_ROWS && (
          <Button class="link" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
            {isWhole ? texts.$showFewer : texts.$showCurrencies(currencies.length)}
          </Button>
        )}
      </div>
    </div>
  );
}

export const sum = ({ currency }: CurrencyTotals, minor: bigint) => (
  <Amount amount={fromMinorUnits(minor)} currencyCode={currency} />
);

interface CellProps {
  totals: CurrencyTotals;
  status: string;
  list: FilteredList | undefined;
}

function Cell({ totals: { currency, cells }, status, list }: CellProps) {
  const row = cells.get(status);
  if (row === undefined)
    return (
      <td class="totals-none">
        <Nothing meaning={texts.$noneOfStatus} />
      </td>
    );
  const href = list && addressOf(listRoute({ ...list.filter, status, currency }), list.zone);
  const count = (
    <>
      {number(row.count)}
      <span class="visually-hidden">{` ${texts.$countIn(statusText(status), currency)}`}</span>
    </>
  );
  return (
    <td data-name={statusText(status)} {...(!isPaid(status) && { class: 'totals-unpaid' })}>
      <Amount amount={row.amount} currencyCode={currency} />
      {href === undefined ? (
        <span class="totals-count">{count}</span>
      ) : (
        <a class="totals-count" href={href} onClick={followLink}>
          {count}
        </a>
      )}
    </td>
  );
}

export function difference(totals: CurrencyTotals, { daysBefore }: Comparison) {
  const { sumMinor, beforeMinor } = totals;
  if (beforeMinor === undefined) return <span class="totals-count">{texts.$noneThen(daysBefore)}</span>;
  const minor = sumMinor - beforeMinor;
  return (
    <>
      <span>
        {minor > 0n && '+'}
        {sum(totals, minor)}
      </span>
      <span class="totals-count">{changeText(sumMinor, beforeMinor)}</span>
    </>
  );
}

/** Without the class `totals-fit`, the table is shown as blocks. */
function useFit(scroll: { current: HTMLElement | null }): void {
  const fit = () => {
    const element = scroll.current as HTMLElement;
    element.classList.add('totals-fit');
    element.classList.toggle('totals-fit', element.scrollWidth <= element.clientWidth);
  };
  useLayoutEffect(fit);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(fit);
    const element = scroll.current as HTMLElement;
    observer.observe(element.closest('section') as HTMLElement);
    observer.observe(element.firstElementChild as HTMLElement);
    return () => observer.disconnect();
  }, []);
}

export const totalCount = (rows: readonly TotalsRow[]): number =>
  rows.reduce((all, { count }) => all + count, 0);
