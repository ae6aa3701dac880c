import { type ComparableField, comparedValue, WHOLE_FIELDS } from '../../client/reconcile/compared-fields.ts';
import type { Transaction } from '../../client/src/transaction.ts';
import { guardedCsvCell } from '../../values/csv-cell.ts';
import { clockOf, UTC } from '../text/time.ts';

export type CsvColumn<Row> = readonly [name: string, text: (row: Row) => string | null | undefined];

/** In a zone other than UTC, each time has a second column with the local time. */
export function csvColumns<Row extends Transaction>(
  zone: string,
  more: readonly (keyof Row & string)[] = [],
): CsvColumn<Row>[] {
  const of = (name: keyof Row) => (row: Row) => row[name] as string | null;
  const local = (name: keyof Row) => (row: Row) => {
    const time = of(name)(row);
    if (time === null) return '';
    const { shown, offset } = clockOf(zone, Date.parse(time));
    return shown + offset.replace('\u2212', '-');
  };
  return [
    ...[...WHOLE_FIELDS, ...more].map((name) => [name, of(name)] as const),
    ...(zone === UTC ? [] : ['paidAt', 'createdAt', ...more]).map(
      (name) => [`${name}Local`, local(name as keyof Row)] as const,
    ),
  ];
}

export const columnsOf = (fields: readonly ComparableField[]) =>
  fields.map((name): CsvColumn<Transaction> => [name, (one) => comparedValue(one, name)]);

/** Guards every text, so that no spreadsheet runs it as a formula. Amounts and times are not changed. */
export function csvLine<Row>(columns: readonly CsvColumn<Row>[], row: Row): string {
  return columns.map(([, text]) => guardedCsvCell(text(row) ?? '')).join(',');
}

export function csvOf<Row>(rows: readonly Row[], columns: readonly CsvColumn<Row>[]): Blob {
  const head = columns.map(([name]) => name).join(',');
  const lines = [head, ...rows.map((row) => csvLine(columns, row)), ''];
  return new Blob([lines.join('\r\n')], { type: 'text/csv;charset=utf-8' });
}
