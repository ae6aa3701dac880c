import { UsageError } from '../../../values/failure.ts';
import { nearest } from '../../../values/nearest.ts';
import { quote } from '../../../values/quote.ts';
import { type CsvHeader, csvFields } from '../../../values/read-csv.ts';
import {
  COMPARABLE_FIELDS,
  FIELD_NAMES,
  fieldNamed,
  type KeyField,
} from '../../reconcile/compared-fields.ts';
import { type ColumnMapping, type FileColumns, fileColumns } from '../../reconcile/file-columns.ts';
import type { FileTable } from '../../reconcile/file-table.ts';

export function parseMappings(texts: readonly string[]): ColumnMapping[] {
  const faults: string[] = [];
  const mappings = new Map<string, ColumnMapping>();
  for (const text of texts) {
    const at = text.lastIndexOf('=');
    const [theirs, name] = [text.slice(0, at).trim(), text.slice(at + 1)];
    const ours = fieldNamed(name);
    if (theirs === '' || at === -1) {
      faults.push(
        `--column ${text}: write the name of the file's column, "=" and a field, such as Betrag=amount.`,
      );
    } else if (ours === null && name !== '') {
      const meant = nearest(name, COMPARABLE_FIELDS);
      const instead = meant === undefined ? '' : `: did you mean ${meant}?`;
      faults.push(
        `--column ${text}: ${quote(name)} is not a field${instead || '.'} The fields are ${FIELD_NAMES}.`,
      );
    } else if (mappings.has(theirs)) {
      faults.push(`--column ${text}: the column ${quote(theirs)} is given twice.`);
    } else {
      mappings.set(theirs, { theirs, ours });
    }
  }
  if (faults.length > 0) throw new UsageError(...faults);
  return [...mappings.values()];
}

/** If no table was found, line 1 is the header. If the table has no header, its columns are numbered. */
export function reconcileHeader(
  table: FileTable | undefined,
  mappings: readonly ColumnMapping[],
  key: KeyField,
  onColumns: (columns: FileColumns) => void,
): CsvHeader {
  const { delimiter, headerLine } = table ?? { delimiter: ',', headerLine: 0 };
  const isNumbered = table !== undefined && headerLine === 0 && !isHeaderOf(table.rows[0] ?? [], mappings);
  return {
    expected: `the names of its columns, such as ${key},amount,currencyCode`,
    ...((headerLine > 0 || isNumbered) && { line: headerLine }),
    read(text) {
      const names = isNumbered ? table.names : csvFields(text, delimiter)?.map((name) => name.trim());
      if (names === undefined) throw new UsageError(`The header ${quote(text)} has broken quotes.`);
      const columns = fileColumns(names, mappings, key);
      if ('faults' in columns) throw new UsageError(...(isNumbered ? [NO_HEADER] : []), ...columns.faults);
      onColumns(columns);
      return { delimiter, columns: columns.columns, skipsEmptyRows: true };
    },
  };
}

const NO_HEADER =
  'The file has no header, a line with the names of its columns. Name the columns by their number, from the left, such as --column 1=reference --column 3=amount.';

/** Even a line with numbers is a header if one of its cells is a field's name or is named by --column. */
const isHeaderOf = (names: readonly string[], mappings: readonly ColumnMapping[]): boolean =>
  names
    .map((name) => name.trim())
    .some((name) => fieldNamed(name) !== null || mappings.some(({ theirs }) => theirs === name));
