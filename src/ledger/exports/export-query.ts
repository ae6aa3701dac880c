import type { FaultList } from '../../values/fault-list.ts';
import type { ParameterFault } from '../../values/parameter-fault.ts';
import { PARAMETER_FAULT_CODES, type ParameterRules, readParameters } from '../../values/query-parameters.ts';
import { quote } from '../../values/quote.ts';
import type { StatusNames } from '../../values/status.ts';
import { filterRules } from '../list/filter-rules.ts';
import { checkRangeOrder, FILTER_PARAMETERS, type ListFilter, NO_FILTER } from '../list/list-filter.ts';
import { explainIdentifier, isIdentifier } from '../transaction.ts';
import type { Export, ExportFormat } from './export.ts';
import { isExportId } from './export-id.ts';

export const EXPORT_FAULT_CODES = [
  'invalid_status',
  'invalid_currency',
  'invalid_date',
  'date_range_inverted',
  'invalid_merchant_reference',
  'invalid_spreadsheet',
  'invalid_resume',
  'invalid_after',
  'export_mismatch',
  ...PARAMETER_FAULT_CODES,
] as const;
export type ExportFault = ParameterFault<(typeof EXPORT_FAULT_CODES)[number]>;

/** What a request for an export asks for; null for what was not sent. */
export interface ExportRequest {
  format: ExportFormat;
  filter: ListFilter;
  spreadsheet: boolean | null;
  /** The id of the export to take up again. */
  resume: string | null;
  /** The reference of the last transaction that the caller has. */
  after: string | null;
}

type ExportParameter = keyof ListFilter | 'spreadsheet' | 'resume' | 'after';

const PAGE_NAMES = /^(cursor|limit|page|offset|skip|size|count|(page|per)[_-]?\w+)$/i;
const AS_OF_NAMES = /^(as[_-]?of|sequence|since|until)$/i;

/** Returns a function that reads the parameters of a request for an export, and adds each fault to `faults`. */
export function exportRequestReader(format: ExportFormat, statuses: StatusNames) {
  const spreadsheet = {
    isValid: (value: string) => value === 'true' || value === 'false',
    fault: (value: string) =>
      ({
        code: 'invalid_spreadsheet',
        detail: `${quote(value)} is neither true nor false. Send spreadsheet=true for a file that is opened in a spreadsheet.`,
      }) as const,
  };
  const rules = {
    ...filterRules(statuses),
    ...(format === 'csv' && { spreadsheet }),
    resume: {
      isValid: isExportId,
      fault: () => ({ code: 'invalid_resume', detail: UNKNOWN_EXPORT }),
    },
    after: {
      isValid: isIdentifier,
      fault: (value) => ({ code: 'invalid_after', detail: `after ${explainIdentifier(value)}.` }),
    },
  } as ParameterRules<ExportParameter, ExportFault['code']>;

  return (
    parameters: Readonly<Record<string, string | string[] | undefined>>,
    faults: FaultList<ExportFault>,
  ): ExportRequest => {
    const { spreadsheet, resume, after, ...sent } = readParameters(parameters, rules, explainName, faults);
    const filter: ListFilter = { ...NO_FILTER, ...sent };
    const rangeFault = checkRangeOrder(filter);
    if (rangeFault !== undefined) faults.add(rangeFault);
    if (after !== undefined && parameters['resume'] === undefined) faults.add(AFTER_ALONE);
    return {
      format,
      filter,
      spreadsheet: spreadsheet === undefined ? null : spreadsheet === 'true',
      resume: resume ?? null,
      after: after ?? null,
    };
  };
}

const UNKNOWN_EXPORT =
  'This account has no export with this id, or it began more than 24 hours ago. Omit resume and after to begin a new export.';

export const INVALID_RESUME: ExportFault = {
  parameter: 'resume',
  code: 'invalid_resume',
  detail: UNKNOWN_EXPORT,
};

const AFTER_ALONE: ExportFault = {
  parameter: 'after',
  code: 'invalid_after',
  detail: 'after is sent without resume. Send the Export-Id of the export that was cut as resume.',
};

/** The fault of an `after` that is no transaction of the export. */
export const invalidAfter = (after: string): ExportFault => ({
  parameter: 'after',
  code: 'invalid_after',
  detail: `The export has no transaction ${quote(after)}. Send the reference of the last whole row that you have, or omit after to get all rows again.`,
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
  for (const name of FILTER_PARAMETERS) {
    const sent = request.filter[name];
    if (sent !== null && sent !== exported.filter[name])
      faults.push(mismatch(name, name, exported.filter[name]));
  }
  if (request.spreadsheet !== null && request.spreadsheet !== exported.spreadsheet)
    faults.push(mismatch('spreadsheet', 'spreadsheet', String(exported.spreadsheet)));
  if (request.format !== exported.format)
    faults.push({
      parameter: 'resume',
      code: 'export_mismatch',
      detail: `The export is ${exported.format === 'csv' ? 'CSV' : 'NDJSON'}: take it up with /v1/transactions.${exported.format}.`,
    });
  return faults;
}

/** What to do instead of sending a page, a position or a number, which an export does not have. */
function explainName(name: string): string | undefined {
  if (PAGE_NAMES.test(name)) return `An export has all transactions in one response: omit ${name}.`;
  if (AS_OF_NAMES.test(name))
    return `An export begins at the last change of the account: omit ${name}. The header Export-As-Of has its number.`;
  if (name === 'spreadsheet') return 'Only CSV has spreadsheet: omit it.';
  return undefined;
}
