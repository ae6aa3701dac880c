import { h } from 'preact';
import { useState } from 'preact/hooks';
import type { Totals, TotalsRow } from '../state/api.ts';
import { counted, number } from '../text/count.ts';
import { Amount } from './amount.ts';
import { StatusBadge } from './status-badge.ts';

/** So many rows are shown without a click. The styles hide the others. */
const SHOWN_ROWS = 8;

/** The totals of each currency and status, in the order of the service, which files have too: by currency, then by status. */
export function TotalsTable({ totals, title = 'Totals' }: { totals: Totals; title?: string }) {
  const [isWhole, setIsWhole] = useState(false);
  const rows = totals.data;
  return h(
    'div',
    { class: isWhole ? 'totals' : 'totals totals-cut' },
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
          h('th', { scope: 'col' }, title),
          h('th', { scope: 'col' }, 'Count'),
          h('th', { scope: 'col' }, 'Amount'),
        ),
      ),
      h(
        'tbody',
        null,
        rows.map((row, index) =>
          h(Row, { row, isFirst: row.currencyCode !== rows[index - 1]?.currencyCode, key: keyOf(row) }),
        ),
      ),
    ),
    h(
      'p',
      { class: 'totals-foot' },
      h('span', null, `${totalsCount(totals)}, up to change ${number(totals.asOf)}`),
      rows.length > SHOWN_ROWS &&
        h(
          'button',
          {
            type: 'button',
            class: 'link',
            'aria-expanded': isWhole,
            onClick: () => setIsWhole(!isWhole),
          },
          isWhole ? 'Show fewer' : `Show all ${rows.length}`,
        ),
    ),
  );
}

function Row({ row, isFirst }: { row: TotalsRow; isFirst: boolean }) {
  const { status, count, amount, currencyCode } = row;
  return h(
    'tr',
    { class: isFirst ? 'totals-currency' : undefined },
    h('th', { scope: 'row' }, h(StatusBadge, { status })),
    h('td', null, number(count)),
    h('td', null, h(Amount, { amount, currencyCode })),
  );
}

/** How many transactions totals have. */
export const totalCount = ({ data }: Totals): number => data.reduce((sum, { count }) => sum + count, 0);

/** How many transactions totals have, in words. */
export const totalsCount = (totals: Totals): string => counted(totalCount(totals), 'transaction');

const keyOf = ({ currencyCode, status }: TotalsRow) => `${currencyCode} ${status}`;

/** A placeholder of the same height. */
export function LoadingTotals() {
  return h(
    'div',
    { class: 'totals loading-totals', 'aria-hidden': 'true' },
    Array.from({ length: SHOWN_ROWS }, (_, index) => h('i', { key: index })),
  );
}
