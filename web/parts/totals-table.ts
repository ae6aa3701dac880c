import { type ComponentChildren, h } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { fromMinorUnits } from '../../client/src/amount.ts';
import type { TotalsRow } from '../state/api.ts';
import { addressOf, type Filter, listRoute } from '../state/route.ts';
import { byImportance, isPaid } from '../state/statuses.ts';
import { followLink } from '../state/use-route.ts';
import { number } from '../text/count.ts';
import { type CurrencyTotals, changeText, overviewOf } from '../text/overview.ts';
import { statusText } from '../text/status.ts';
import { Amount } from './amount.ts';
import { StatusBadge } from './status-badge.ts';
import { Nothing } from './transactions-table.ts';

/** The number of currencies that are shown without a click. The styles hide the others. */
const SHOWN_ROWS = 4;

interface FilteredList {
  filter: Filter;
  /** The time zone of its days. */
  zone: string;
}

interface TotalsTableProps {
  title: string;
  rows: readonly TotalsRow[];
  /** The list that each count leads to; undefined: counts are no links. */
  list?: FilteredList;
  /** What to compare with: the same filter on other days. */
  before?: readonly TotalsRow[] | undefined;
  /** Below the table. */
  children?: ComponentChildren;
}

/**
 * A line for each currency: the paid statuses, their net, compared with other days, and the statuses that the net leaves out. Without room
 * for the widest line, each currency is a block with a line for each status.
 */
export function TotalsTable({ title, rows, list, before, children }: TotalsTableProps) {
  const [isWhole, setIsWhole] = useState(false);
  const ofStatus = list?.filter.status;
  const all = [...rows, ...(before ?? [])].map(({ status }) => status);
  const statuses = [...new Set(all)].sort(byImportance);
  const paid = statuses.filter(isPaid);
  const unpaid = statuses.filter((status) => !isPaid(status));
  const currencies = overviewOf(rows, before ?? [], ofStatus === undefined ? isPaid : () => true);
  const header = (...name: ComponentChildren[]) => h('th', { scope: 'col' }, ...name);
  const hasNet = ofStatus === undefined && paid.length > 1;
  const scroll = useRef<HTMLDivElement>(null);
  useFit(scroll);
  return h(
    'div',
    { class: isWhole ? 'totals' : 'totals totals-cut' },
    h(
      'div',
      { class: 'totals-scroll', ref: scroll },
      h(
        'table',
        { class: 'totals-table' },
        h('caption', { class: 'visually-hidden' }, `${title}: each currency and status`),
        h(
          'thead',
          null,
          h(
            'tr',
            null,
            header(h('span', { class: 'visually-hidden' }, 'Currency')),
            paid.map((status) => header(h(StatusBadge, { status }))),
            hasNet && header('Net'),
            before && header('Difference'),
            unpaid.map((status) => header(h(StatusBadge, { status }))),
          ),
        ),
        h(
          'tbody',
          null,
          currencies.map((one) =>
            h(
              'tr',
              { key: one.currency },
              h('th', { scope: 'row' }, one.currency),
              paid.map((status) => h(Cell, { totals: one, status, list })),
              hasNet && h('td', { 'data-name': 'Net' }, sum(one, one.sumMinor)),
              before && h('td', { 'data-name': 'Difference' }, difference(one)),
              unpaid.map((status) => h(Cell, { totals: one, status, list })),
            ),
          ),
        ),
      ),
    ),
    h(
      'div',
      { class: 'totals-foot' },
      hasNet &&
        unpaid.length > 0 &&
        h(
          'span',
          null,
          `Net leaves out ${unpaid.map((status) => statusText(status).toLowerCase()).join(', ')}`,
        ),
      children,
      currencies.length > SHOWN_ROWS &&
        h(
          'button',
          { type: 'button', class: 'link', 'aria-expanded': isWhole, onClick: () => setIsWhole(!isWhole) },
          isWhole ? 'Show fewer' : `Show all ${currencies.length} currencies`,
        ),
    ),
  );
}

const sum = ({ currency }: CurrencyTotals, minor: bigint) =>
  h(Amount, { amount: fromMinorUnits(minor), currencyCode: currency });

interface CellProps {
  totals: CurrencyTotals;
  status: string;
  list: FilteredList | undefined;
}

function Cell({ totals: { currency, cells }, status, list }: CellProps) {
  const row = cells.get(status);
  if (row === undefined) return h('td', { class: 'totals-none' }, h(Nothing, { meaning: 'none' }));
  const href = list && addressOf(listRoute({ ...list.filter, status, currency }), list.zone);
  return h(
    'td',
    { 'data-name': statusText(status), ...(!isPaid(status) && { class: 'totals-unpaid' }) },
    h(Amount, { amount: row.amount, currencyCode: currency }),
    h(
      list ? 'a' : 'span',
      { class: 'totals-count', ...(list && { href, onClick: followLink }) },
      number(row.count),
      h('span', { class: 'visually-hidden' }, ` ${statusText(status)} in ${currency}`),
    ),
  );
}

/** How much more the net is than before, also in percent. */
function difference(totals: CurrencyTotals) {
  const { sumMinor, beforeMinor } = totals;
  const minor = sumMinor - beforeMinor;
  return [
    h('span', null, minor > 0n && '+', sum(totals, minor)),
    h('span', { class: 'totals-count' }, changeText(sumMinor, beforeMinor)),
  ];
}

/** Shows a table as one only while all of it fits. The styles show it as blocks otherwise, also on paper, whose width is unknown. */
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
    // Its size also follows that of its letters.
    observer.observe(element.firstElementChild as HTMLElement);
    return () => observer.disconnect();
  }, []);
}

/** How many transactions totals have. */
export const totalCount = (rows: readonly TotalsRow[]): number =>
  rows.reduce((all, { count }) => all + count, 0);

/** A placeholder of the same height. */
export function LoadingTotals() {
  return h(
    'div',
    { class: 'totals loading-totals', 'aria-hidden': 'true' },
    Array.from({ length: SHOWN_ROWS + 1 }, (_, index) => h('i', { key: index })),
  );
}
