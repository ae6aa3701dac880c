import { h } from 'preact';
import type { Totals } from '../state/api.ts';
import { groupedAmount } from '../text/amount.ts';

interface TotalsToggleProps {
  totals: Totals;
  isOpen: boolean;
  onToggle(): void;
}

/** The totals in one line on a narrow screen. A click opens them. */
export function TotalsToggle({ totals: { data }, isOpen, onToggle }: TotalsToggleProps) {
  const count = data.reduce((sum, row) => sum + row.count, 0);
  const [only] = data;
  const sums =
    only !== undefined && data.length === 1
      ? `${groupedAmount(only.amount)}\u00a0${only.currencyCode}`
      : `${data.length}\u00a0totals`;
  return h(
    'button',
    { type: 'button', class: 'totals-toggle', 'aria-expanded': isOpen, onClick: onToggle },
    h('span', null, `${count.toLocaleString('en')} transaction${count === 1 ? '' : 's'}`),
    h('span', { class: 'totals-toggle-sums' }, sums),
  );
}
