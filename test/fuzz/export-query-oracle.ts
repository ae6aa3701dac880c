import type { Transaction } from '../../src/ledger/transaction.ts';
import { EVERYTHING, matches } from '../model/transactions.ts';
import { expectedCsv, expectedNdjson } from '../rig/data/expected-export.ts';
import { queryFaults } from './list-query-oracle.ts';

type Format = 'csv' | 'ndjson';

/** The codes of the faults of a request for an export, decided without the service's own rules. */
export function exportFaults(query: string, format: Format): Set<string> {
  const { codes } = queryFaults(query, {
    ...(format === 'csv' && {
      spreadsheet: {
        isValid: (value: string) => ['true', 'false'].includes(value),
        code: 'invalid_spreadsheet',
      },
    }),
  });
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
