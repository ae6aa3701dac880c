import type { Transaction } from '../../src/ledger/transaction.ts';
import { totalsOf } from '../model/totals.ts';
import { EVERYTHING } from '../model/transactions.ts';
import { isDay, queryFaults } from './list-query-oracle.ts';

/** The codes of the faults of a request for totals, decided without the service's own rules. */
export function totalsFaults(query: string): Set<string> {
  const { codes, valid } = queryFaults(query, {
    timeZone: { isValid: (value) => ['Europe/Berlin', 'UTC'].includes(value), code: 'invalid_time_zone' },
    paidFrom: { isValid: isDay, code: 'invalid_date' },
    paidTo: { isValid: isDay, code: 'invalid_date' },
    by: { isValid: (value) => ['day', 'month'].includes(value), code: 'invalid_by' },
  });
  if (valid.has('merchantReference') && valid.has('by')) codes.add('invalid_by');
  return codes;
}

/** The rows of the answer to a request without faults. */
export function totalsAnswer(query: string, transactions: readonly Transaction[]) {
  const { by, ...filter } = Object.fromEntries(new URLSearchParams(query));
  return totalsOf(transactions, { ...EVERYTHING, ...filter }, (by ?? null) as 'day' | 'month' | null);
}
