import { isDetailName } from '../../../../values/detail-name.ts';
import type { FaultList } from '../../../../values/fault-list.ts';
import { COLUMN_FIELDS, type ColumnField } from '../../../../values/interface/fields.ts';
import { MAX_DETAILS } from '../../../../values/interface/limits.ts';
import { readParameters } from '../../../../values/query-parameters.ts';
import { quote } from '../../../../values/quote.ts';
import type { StatusNames } from '../../../../values/status.ts';
import type { QueryParameter } from '../../../http/operations/parameters.ts';
import { Type } from '../../../http/schemas/type.ts';
import type { QueryParameters } from '../../../http/server/begin-request.ts';
import { addRangeFaults, filterParameters, paidParameters } from '../../http/filter-parameters.ts';
import {
  type ExportFault,
  type ExportFilter,
  type ExportFormat,
  type ExportRequest,
  NO_EXPORT_FILTER,
} from '../export.ts';

const RESUME_NAMES = /^(resume|after)$/i;
const PAGE_NAMES = /^(cursor|limit|page|offset|skip|size|count|(page|per)[_-]?\w+)$/i;
const AS_OF_NAMES = /^(as[_-]?of|sequence|since|until)$/i;

const flag = (code: 'invalid_spreadsheet' | 'invalid_column', description: string, advice: string) =>
  ({
    schema: Type.Boolean({ default: false, description }),
    isValid: (value) => value === 'true' || value === 'false',
    code,
    explain: (value) => `${quote(value)} is neither true nor false. ${advice}`,
  }) satisfies QueryParameter<boolean>;

const SPREADSHEET = flag(
  'invalid_spreadsheet',
  'Puts an apostrophe before each text that a spreadsheet would run as a formula, whichever separator it uses.',
  'Send spreadsheet=true for a file that is opened in a spreadsheet.',
);

const column = (name: string, description: string) =>
  flag('invalid_column', description, `Send ${name}=true for an export with the column ${name}.`);

const DETAILS: QueryParameter = {
  schema: Type.String({
    description:
      'Adds a column for each of these names of details: customer,last4 adds details.customer and details.last4.',
    examples: ['customer,last4'],
  }),
  isValid: (value) => {
    const names = value.split(',');
    if (/^(true|false|all)$/i.test(value)) return false;
    return names.every(isDetailName) && new Set(names).size === names.length && names.length <= MAX_DETAILS;
  },
  code: 'invalid_details',
  explain: (value) =>
    `${quote(value)} is not a list of names of details. Send 1 to ${MAX_DETAILS} different names with commas between them, such as customer,last4.`,
};

const CSV_PARAMETERS = {
  spreadsheet: SPREADSHEET,
  ...(Object.fromEntries(
    COLUMN_FIELDS.map((name) => [name, column(name, `Adds the column ${name}.`)]),
  ) as Record<ColumnField, ReturnType<typeof column>>),
  details: DETAILS,
};

export function exportParameters(statuses: StatusNames, format: ExportFormat) {
  return {
    ...filterParameters(statuses),
    ...paidParameters,
    ...((format === 'csv' ? CSV_PARAMETERS : {}) as typeof CSV_PARAMETERS),
    recordedAt: column(
      'recordedAt',
      'Adds recordedAt and statusRecordedAt: when the transaction and its status were recorded.',
    ),
  } as const satisfies Record<string, QueryParameter>;
}

export function exportRequestReader(format: ExportFormat, statuses: StatusNames) {
  const declared = exportParameters(statuses, format);

  return (query: QueryParameters, faults: FaultList<ExportFault>): ExportRequest => {
    const { spreadsheet, ...sent } = readParameters(query, declared, explainName, faults);
    const filter: ExportFilter = { ...NO_EXPORT_FILTER, ...sent };
    for (const name of [...COLUMN_FIELDS, 'recordedAt'] as const)
      if (filter[name] === 'false') filter[name] = null;
    addRangeFaults(faults, filter);
    return { format, filter, spreadsheet: spreadsheet === 'true' };
  };
}

function explainName(name: string): string | undefined {
  if (RESUME_NAMES.test(name))
    return `An export that was cut cannot be continued: omit ${name}, and start a new export.`;
  if (PAGE_NAMES.test(name)) return `An export has all transactions in one response: omit ${name}.`;
  if (AS_OF_NAMES.test(name))
    return `An export begins at the last change of the account: omit ${name}. The header Export-As-Of has its number.`;
  if (name === 'spreadsheet') return 'Only CSV has spreadsheet: omit it.';
  if (name === 'details' || COLUMN_FIELDS.some((one) => one === name))
    return `Only CSV has ${name}: omit it. Each line of NDJSON has all fields of its transaction.`;
  return undefined;
}
