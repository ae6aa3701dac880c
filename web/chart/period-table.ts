import { h } from 'preact';
import { useState } from 'preact/hooks';
import { fromMinorUnits } from '../../client/src/amount.ts';
import { Amount } from '../parts/amount.ts';
import { number } from '../text/count.ts';
import { capital } from '../text/status.ts';
import { periodDays } from './period-text.ts';
import type { Period, Periods } from './periods.ts';

interface PeriodTableProps extends Periods {
  before?: readonly Period[] | undefined;
  zone: string;
  currency: string;
  label: string;
}

/** The figures of the bars, for reading and copying. Periods without transactions are left out. */
export function PeriodTable({ unit, periods, before, zone, currency, label }: PeriodTableProps) {
  const [isOpen, setIsOpen] = useState(false);
  const rows = periods
    .map((period, index) => ({ period, earlier: before?.[index] }))
    .filter(({ period, earlier }) => period.count + (earlier?.count ?? 0) > 0)
    .reverse();
  const amount = ({ amountMinor }: Period) =>
    h(Amount, { amount: fromMinorUnits(amountMinor), currencyCode: currency });
  const toggle = (event: Event) => setIsOpen((event.currentTarget as HTMLDetailsElement).open);
  return h(
    'details',
    { class: 'chart-table', onToggle: toggle },
    h('summary', null, 'Show as a table'),
    isOpen &&
      h(
        'div',
        { class: 'chart-table-scroll', role: 'region', tabIndex: 0, 'aria-label': `${label}, as a table` },
        h(
          'table',
          { class: 'totals-table' },
          h('caption', { class: 'visually-hidden' }, label),
          h(
            'thead',
            null,
            h(
              'tr',
              null,
              h('th', { scope: 'col' }, capital(unit), ` (${zone})`),
              h('th', { scope: 'col' }, 'Count'),
              h('th', { scope: 'col' }, 'Amount'),
              before && [h('th', { scope: 'col' }, 'Compared with'), h('th', { scope: 'col' }, 'Amount')],
            ),
          ),
          h(
            'tbody',
            null,
            rows.map(({ period, earlier }) =>
              h(
                'tr',
                { key: period.from },
                h('th', { scope: 'row' }, periodDays(period)),
                h('td', null, number(period.count)),
                h('td', null, amount(period)),
                earlier && [h('td', null, periodDays(earlier)), h('td', null, amount(earlier))],
              ),
            ),
          ),
        ),
      ),
  );
}
