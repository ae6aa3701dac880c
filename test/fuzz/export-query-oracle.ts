import type { Transaction } from '../../src/ledger/transaction.ts';
import { EVERYTHING, matches } from '../model/transactions.ts';
import { expectedCsv, expectedNdjson } from '../rig/data/expected-export.ts';
import { queryFaults } from './list-query-oracle.ts';

type Format = 'csv' | 'ndjson';

const isReference = (value: string) => /^[\w.-]{1,64}$/.test(value) && value !== '.' && value !== '..';

/** The codes of the faults of a request for an export, decided without the service's own rules. */
export function exportFaults(query: string, format: Format): Set<string> {
  const { codes, valid } = queryFaults(query, {
    // No request knows the id of an export.
    resume: { isValid: () => false, code: 'invalid_resume' },
    after: { isValid: isReference, code: 'invalid_after' },
    ...(format === 'csv' && {
      spreadsheet: {
        isValid: (value: string) => ['true', 'false'].includes(value),
        code: 'invalid_spreadsheet',
      },
    }),
  });
  if (valid.has('after') && !new URLSearchParams(query).has('resume')) codes.add('invalid_after');
  return codes;
}

/** The bytes of the response to a request without faults, for NDJSON without the manifest. */
export function exportAnswer(query: string, format: Format, transactions: readonly Transaction[]): string {
  const { spreadsheet, ...filter } = Object.fromEntries(new URLSearchParams(query));
  const rows = transactions.filter((row) => matches({ ...EVERYTHING, ...filter }, row));
  return format === 'ndjson'
    ? expectedNdjson(rows)
    : expectedCsv(rows, { spreadsheet: spreadsheet === 'true' });
}
