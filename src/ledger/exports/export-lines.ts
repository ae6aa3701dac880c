import { csvCell, guardedCsvCell } from '../../values/csv-cell.ts';
import { DETAIL_PREFIX, detailOf } from '../../values/detail-name.ts';
import { valuesOfObject } from '../../values/row-functions.ts';
import type { Transaction } from '../transaction.ts';
import { FIELDS, formatTransaction, SHOWN_FIELDS, type ShownTransaction } from '../transaction-fields.ts';
import type { Export } from './export.ts';
import type { ExportFilter } from './export-filter.ts';

/** A column of CSV that not every transaction has a value of. */
interface OptionalColumn {
  name: string;
  textOf(shown: ShownTransaction): string | undefined;
}

/** The columns that a request for CSV wishes for, behind the fields of every transaction. */
function optionalColumns({ relatedTo, details }: Pick<ExportFilter, 'relatedTo' | 'details'>) {
  const columns: OptionalColumn[] = [];
  if (relatedTo !== null) columns.push({ name: 'relatedTo', textOf: (shown) => shown.relatedTo });
  for (const name of details?.split(',') ?? [])
    columns.push({ name: DETAIL_PREFIX + name, textOf: (shown) => detailOf(shown.details, name) });
  return columns;
}

/** The names of the columns, as the first line of a CSV file. */
export const csvHeader = (wished: Pick<ExportFilter, 'relatedTo' | 'details'>): string =>
  `${[...SHOWN_FIELDS, ...optionalColumns(wished).map(({ name }) => name)].join(',')}\r\n`;

/** A function that formats a transaction as a line of an export, with its line end. */
export function lineFormatter({
  format,
  spreadsheet,
  filter,
}: Pick<Export, 'format' | 'spreadsheet'> & {
  filter: Pick<ExportFilter, 'relatedTo' | 'details'>;
}): (transaction: Transaction) => string {
  return format === 'ndjson' ? ndjsonLine : csvLine(filter, spreadsheet ? guardedCsvCell : csvCell);
}

/** The transaction as in a list. */
function ndjsonLine(transaction: Transaction): string {
  return `${JSON.stringify(formatTransaction(transaction))}\n`;
}

const shownValues = valuesOfObject<ShownTransaction, string | null>(SHOWN_FIELDS);
const IS_FREE_TEXT = SHOWN_FIELDS.map((name) => 'isFreeText' in FIELDS[name]);

/** A function that formats a line of CSV (RFC 4180); null is an empty cell. */
function csvLine(
  wished: Pick<ExportFilter, 'relatedTo' | 'details'>,
  textCell: (text: string) => string,
): (transaction: Transaction) => string {
  const optional = optionalColumns(wished);
  return (transaction) => {
    const shown = formatTransaction(transaction);
    let line = '';
    for (const [at, value] of shownValues(shown).entries())
      line += `${at === 0 ? '' : ','}${value === null ? '' : IS_FREE_TEXT[at] ? textCell(value) : value}`;
    for (const { textOf } of optional) line += `,${textCell(textOf(shown) ?? '')}`;
    return `${line}\r\n`;
  };
}
