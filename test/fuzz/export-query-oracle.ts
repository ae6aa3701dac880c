import type { Transaction } from '../../src/ledger/transaction.ts';
import { isActiveCurrency } from '../../src/values/currency.ts';
import { expectedCsv, expectedNdjson } from '../rig/data/expected-export.ts';
import { isDay, isMerchantReference } from './list-query-oracle.ts';

type Format = 'csv' | 'ndjson';

const isReference = (value: string) => /^[\w.-]{1,64}$/.test(value) && value !== '.' && value !== '..';

const RULES: Record<string, { isValid: (value: string) => boolean; code: string }> = Object.assign(
  Object.create(null),
  {
    status: { isValid: (value: string) => ['pending', 'completed'].includes(value), code: 'invalid_status' },
    currency: { isValid: isActiveCurrency, code: 'invalid_currency' },
    from: { isValid: isDay, code: 'invalid_date' },
    to: { isValid: isDay, code: 'invalid_date' },
    merchantReference: { isValid: isMerchantReference, code: 'invalid_merchant_reference' },
    // No request knows the id of an export.
    resume: { isValid: () => false, code: 'invalid_resume' },
    after: { isValid: isReference, code: 'invalid_after' },
    spreadsheet: {
      isValid: (value: string) => ['true', 'false'].includes(value),
      code: 'invalid_spreadsheet',
    },
  },
);

/** The codes of the faults of a request for an export, decided without the service's own rules. */
export function exportFaults(query: string, format: Format): Set<string> {
  const given = [...new URLSearchParams(query)];
  const codes = new Set<string>();
  const valid = new Map<string, string>();
  for (const [name, value] of given) {
    const isRepeated = given.filter(([other]) => other === name).length > 1;
    const rule = name === 'spreadsheet' && format === 'ndjson' ? undefined : RULES[name];
    if (rule === undefined) codes.add('unknown_parameter');
    else if (isRepeated) codes.add('duplicate_parameter');
    else if (rule.isValid(value)) valid.set(name, value);
    else codes.add(rule.code);
  }
  const [from, to] = [valid.get('from'), valid.get('to')];
  if (from !== undefined && to !== undefined && Date.parse(from) > Date.parse(to))
    codes.add('date_range_inverted');
  if (valid.has('after') && !given.some(([name]) => name === 'resume')) codes.add('invalid_after');
  return codes;
}

/** The bytes of the response to a request without faults, for NDJSON without the manifest. */
export function exportAnswer(query: string, format: Format, transactions: readonly Transaction[]): string {
  const { status, currency, from, to, merchantReference, spreadsheet } = Object.fromEntries(
    new URLSearchParams(query),
  );
  const rows = transactions.filter((row) => {
    const day = new Date(row.createdAtMs).toISOString().slice(0, 10);
    return (
      row.status === (status ?? row.status) &&
      row.currencyCode === (currency ?? row.currencyCode) &&
      row.merchantReference === (merchantReference ?? row.merchantReference) &&
      day >= (from ?? day) &&
      day <= (to ?? day)
    );
  });
  return format === 'ndjson'
    ? expectedNdjson(rows)
    : expectedCsv(rows, { spreadsheet: spreadsheet === 'true' });
}
