import { h } from 'preact';
import type { Totals } from '../state/api.ts';
import { groupedAmount } from '../text/amount.ts';
import { totalsCount } from './totals-table.ts';

interface TotalsToggleProps {
  totals: Totals;
  isOpen: boolean;
  onToggle(): void;
}

/** The totals in one line on a narrow screen. A click opens them. */
export function TotalsToggle({ totals, isOpen, onToggle }: TotalsToggleProps) {
  const { data } = totals;
  const [only] = data;
  const sums =
    only !== undefined && data.length === 1
      ? `${groupedAmount(only.amount)}\u00a0${only.currencyCode}`
      : `${data.length}\u00a0totals`;
  return h(
    'button',
    { type: 'button', class: 'totals-toggle', 'aria-expanded': isOpen, onClick: onToggle },
    h('span', null, totalsCount(totals)),
    h('span', { class: 'totals-toggle-sums' }, sums),
  );
}
