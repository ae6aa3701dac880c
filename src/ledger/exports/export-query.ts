import type { ParameterFault } from '../../values/parameter-fault.ts';
import type { ParameterFaultCode } from '../../values/query-parameters.ts';
import { quote } from '../../values/quote.ts';
import { type FilterFaultCode, isSameFilter } from '../list/list-filter.ts';
import type { Export, ExportFormat } from './export.ts';
import { EXPORT_FILTERS, type ExportFilter } from './export-filter.ts';

export type ExportFault = ParameterFault<
  | FilterFaultCode
  | 'invalid_spreadsheet'
  | 'invalid_column'
  | 'invalid_details'
  | 'invalid_resume'
  | 'invalid_after'
  | 'export_mismatch'
  | ParameterFaultCode
>;

/** What a request for an export asks for; null for what was not sent. */
export interface ExportRequest {
  format: ExportFormat;
  filter: ExportFilter;
  spreadsheet: boolean | null;
  /** The id of the export to resume. */
  resume: string | null;
  /** The reference of the last transaction that the caller has. */
  after: string | null;
}

export const INVALID_RESUME = {
  parameter: 'resume',
  code: 'invalid_resume',
  detail:
    'This account has no export with this id, or it began more than 24 hours ago. Omit resume and after to begin a new export.',
} as const satisfies ExportFault;

/** The fault of an `after` that is no transaction of the export. */
export const invalidAfter = (after: string): ExportFault => ({
  parameter: 'after',
  code: 'invalid_after',
  detail: `The export has no transaction ${quote(after)}. Send the reference of the last whole row that you have, or omit after to get all rows again.`,
});

/** The fault of days of paidAt among too many transactions. */
export const tooManyToCompare = (transactions: number, most: number): ExportFault => ({
  parameter: 'paidFrom',
  code: 'date_range_too_long',
  detail:
    `An export by days of paidAt compares at most ${most} transactions, and there are ${transactions}. ` +
    'Send from and to, too: days on which all of the transactions were created.',
});

/** The faults of a request that asks for something else than the export that it resumes. */
export function checkMismatch(request: ExportRequest, exported: Export): ExportFault[] {
  const mismatch = (parameter: string, of: string, value: string | null): ExportFault => ({
    parameter,
    code: 'export_mismatch',
    detail:
      value === null
        ? `The export has no ${of}. Omit ${parameter}: resume alone means the same filters.`
        : `The ${of} of the export is ${quote(value)}. Send the same, or omit it.`,
  });
  const faults: ExportFault[] = [];
  for (const name of EXPORT_FILTERS) {
    const sent = request.filter[name];
    if (sent !== null && !isSameFilter(name, sent, exported.filter[name]))
      faults.push(mismatch(name, name, exported.filter[name]));
  }
  if (request.spreadsheet !== null && request.spreadsheet !== exported.spreadsheet)
    faults.push(mismatch('spreadsheet', 'spreadsheet', String(exported.spreadsheet)));
  if (request.format !== exported.format)
    faults.push({
      parameter: 'resume',
      code: 'export_mismatch',
      detail: `The export is ${exported.format === 'csv' ? 'CSV' : 'NDJSON'}: resume it with /v1/transactions.${exported.format}.`,
    });
  return faults;
}
