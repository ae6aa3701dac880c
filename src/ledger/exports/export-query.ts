import type { ParameterFault } from '../../../values/parameter-fault.ts';
import type { ParameterFaultCode } from '../../../values/query-parameters.ts';
import type { FilterFaultCode } from '../list/list.ts';
import type { Export } from './export.ts';

export type ExportFault = ParameterFault<
  FilterFaultCode | 'invalid_spreadsheet' | 'invalid_column' | 'invalid_details' | ParameterFaultCode
>;

/** The parameters of a request for an export. */
export type ExportRequest = Pick<Export, 'format' | 'filter' | 'spreadsheet'>;

/** The fault of days of paidAt among too many transactions. */
export const tooManyToCompare = (transactions: number, most: number): ExportFault => ({
  parameter: 'paidFrom',
  code: 'date_range_too_long',
  detail:
    `An export by days of paidAt compares at most ${most} transactions, and there are ${transactions}. ` +
    'Send from and to, too: days on which all of the transactions were created.',
});
