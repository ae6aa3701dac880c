import { guardedCsvCell } from '../../values/csv-cell.ts';
import type { Transaction } from '../src/transaction.ts';
import { type ComparableField, type ComparedFields, comparedValue, WHOLE_FIELDS } from './compared-fields.ts';
import type { Difference, LineValues } from './find-differences.ts';

export const sideFields = ({ key, fields }: ComparedFields): ComparableField[] => [
  ...new Set([...WHOLE_FIELDS, key, ...fields]),
];

export const valueOn = (
  file: LineValues | null,
  account: Transaction | null,
  field: ComparableField,
): string | null => (file === null ? account && comparedValue(account, field) : file[field]) ?? null;

/** In countries with decimal commas, spreadsheets expect a semicolon between cells. */
type Separator = ',' | ';';

export function csvHead(compared: ComparedFields, separator: Separator = ','): string {
  const columns = ['file', 'account'].flatMap((side) =>
    sideFields(compared).map((field) => `${side}_${field}`),
  );
  return ['difference', 'line', 'fields', ...columns].join(separator);
}

export function csvLine(
  { kind, line, fields, file, account }: Difference,
  compared: ComparedFields,
  separator: Separator = ',',
): string {
  const all = sideFields(compared);
  const cellOf = (text: string, field: ComparableField) => {
    const cell = guardedCsvCell(text);
    if (separator === ',') return cell;
    if (field === 'amount') return cell.replace('.', ',');
    return cell.startsWith('"') || !cell.includes(';') ? cell : `"${cell}"`;
  };
  const cellsOf = (...[lines, transaction]: [LineValues | null, Transaction | null]) =>
    all.map((field) => cellOf(valueOn(lines, transaction, field) ?? '', field));
  const cells = [kind, line ?? '', fields.join(' '), ...cellsOf(file, null), ...cellsOf(null, account)];
  return cells.join(separator);
}
