import { equalityOf, NO_FILTER } from '../../../src/ledger/list/list.ts';
import type { TotalsQuery } from '../../../src/ledger/totals/total.ts';

export const ALL_TOTALS: Omit<TotalsQuery, 'account'> = {
  ...equalityOf(NO_FILTER),
  fromDay: null,
  toDay: null,
  timeZone: null,
  paid: null,
  by: null,
};
