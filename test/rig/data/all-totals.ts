import type { TotalsQuery } from '../../../src/ledger/totals/totals.ts';

/** Totals of all transactions of an account, all days added up. */
export const ALL_TOTALS: Omit<TotalsQuery, 'account'> = {
  status: null,
  currency: null,
  merchantReference: null,
  fromDay: null,
  toDay: null,
  timeZone: null,
  paid: null,
  by: null,
};
