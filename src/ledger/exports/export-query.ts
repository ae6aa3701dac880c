import type { ParameterFault } from '../../../values/parameter-fault.ts';
import type { ParameterFaultCode } from '../../../values/query-parameters.ts';
import type { FilterFaultCode } from '../list/list.ts';
import type { Export } from './export.ts';

export type ExportFault = ParameterFault<
  FilterFaultCode | 'invalid_spreadsheet' | 'invalid_column' | 'invalid_details' | ParameterFaultCode
>;

/** The parameters of a request for an export. */
export type ExportRequest = Pick<Export, 'format' | 'filter' | 'spreadsheet'>;
