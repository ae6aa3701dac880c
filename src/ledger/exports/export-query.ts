import type { ErrorCode } from '../../../values/interface/errors.ts';
import type { ParameterFault } from '../../../values/parameter-fault.ts';
import type { Export } from './export.ts';

export type ExportFault = ParameterFault<ErrorCode>;

/** The parameters of a request for an export. */
export type ExportRequest = Pick<Export, 'format' | 'filter' | 'spreadsheet'>;
