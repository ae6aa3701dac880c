import type { ErrorCode } from '../../../values/interface/errors.ts';
import type { ParameterFault } from '../../../values/parameter-fault.ts';
import type { Export } from './export.ts';

export type ExportFault = ParameterFault<ErrorCode>;

export type ExportRequest = Pick<Export, 'format' | 'filter' | 'spreadsheet'>;
