import type { TransactionBody } from '../../src/ledger/http/transaction-schemas.ts';
import { FeedTotals, type TotalsParameters } from '../rig/data/feed-totals.ts';
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
export function totalsAnswer(query: string, transactions: readonly TransactionBody[]) {
  const totals = new FeedTotals();
  const { merchantReference, ...parameters } = Object.fromEntries(new URLSearchParams(query));
  for (const transaction of transactions)
    if (transaction.merchantReference === (merchantReference ?? transaction.merchantReference))
      totals.apply({ previousStatus: null, transaction });
  return totals.rows(parameters as TotalsParameters);
}
