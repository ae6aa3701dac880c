import type { TransactionBody } from '../../src/ledger/http/transaction-schemas.ts';
import { isActiveCurrency } from '../../src/values/currency.ts';
import { FeedTotals, type TotalsParameters } from '../rig/data/feed-totals.ts';
import { isDay, isMerchantReference } from './list-query-oracle.ts';

const RULES: Record<string, { isValid: (value: string) => boolean; code: string }> = Object.assign(
  Object.create(null),
  {
    status: { isValid: (value: string) => ['pending', 'completed'].includes(value), code: 'invalid_status' },
    currency: { isValid: isActiveCurrency, code: 'invalid_currency' },
    from: { isValid: isDay, code: 'invalid_date' },
    to: { isValid: isDay, code: 'invalid_date' },
    timeZone: {
      isValid: (value: string) => value === 'Europe/Berlin' || value === 'UTC',
      code: 'invalid_time_zone',
    },
    merchantReference: { isValid: isMerchantReference, code: 'invalid_merchant_reference' },
    paidFrom: { isValid: isDay, code: 'invalid_date' },
    paidTo: { isValid: isDay, code: 'invalid_date' },
    by: { isValid: (value: string) => ['day', 'month'].includes(value), code: 'invalid_by' },
  },
);

/** The codes of the faults of a request for totals, decided without the service's own rules. */
export function totalsFaults(query: string): Set<string> {
  const given = [...new URLSearchParams(query)];
  const codes = new Set<string>();
  const valid = new Map<string, string>();
  for (const [name, value] of given) {
    const isRepeated = given.filter(([other]) => other === name).length > 1;
    if (RULES[name] === undefined) codes.add('unknown_parameter');
    else if (isRepeated) codes.add('duplicate_parameter');
    else if (RULES[name].isValid(value)) valid.set(name, value);
    else codes.add(RULES[name].code);
  }
  const [from, to] = [valid.get('from'), valid.get('to')];
  if (from !== undefined && to !== undefined && Date.parse(from) > Date.parse(to))
    codes.add('date_range_inverted');
  const [paidFrom, paidTo] = [valid.get('paidFrom'), valid.get('paidTo')];
  if (paidFrom !== undefined && paidTo !== undefined && Date.parse(paidFrom) > Date.parse(paidTo))
    codes.add('date_range_inverted');
  if (['merchantReference', 'paidFrom', 'paidTo'].some((name) => valid.has(name)) && valid.has('by'))
    codes.add('invalid_by');
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
