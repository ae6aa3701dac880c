import type { TotalsRow } from '../../../../client/src/index.ts';
import type { Column } from '../../terminal/growing-table.ts';

/** The columns of the totals of each currency and status. */
export const TOTALS_COLUMNS: readonly Column<TotalsRow>[] = [
  { title: 'CURRENCY', text: ({ currencyCode }) => currencyCode },
  { title: 'STATUS', text: ({ status }) => status },
  { title: 'COUNT', text: ({ count }) => String(count), isNumber: true },
  { title: 'AMOUNT', text: ({ amount }) => amount, isNumber: true },
];
