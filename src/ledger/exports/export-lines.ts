import { formatTimestamp } from '../../../values/calendar.ts';
import { csvCell, guardedCsvCell } from '../../../values/csv-cell.ts';
import { DETAIL_PREFIX, detailOf } from '../../../values/detail-name.ts';
import { COLUMN_FIELDS, type ColumnField } from '../../../values/interface/fields.ts';
import { localTimestamps, UTC } from '../../../values/time-zone.ts';
import type { Transaction } from '../transaction.ts';
import { formatTransaction, SHOWN_FIELDS, type ShownTransaction } from '../transaction-fields.ts';
import type { Export, ExportFilter } from './export.ts';
import type { RecordedTimes } from './transaction-up-to.ts';

interface OptionalColumn {
  name: string;
  textOf(shown: ExportedTransaction, transaction: Transaction): string | undefined;
}

type ExportedTransaction = ShownTransaction & { recordedAt?: string; statusRecordedAt?: string };

type Wished = Pick<ExportFilter, 'timeZone' | ColumnField | 'recordedAt' | 'details'>;
type Line = (transaction: Transaction, times?: RecordedTimes) => string;

function exportedTransaction(
  transaction: Transaction,
  times: RecordedTimes | undefined,
): ExportedTransaction {
  const shown: ExportedTransaction = formatTransaction(transaction);
  if (times === undefined) return shown;
  shown.recordedAt = formatTimestamp(times.recordedAtMs);
  shown.statusRecordedAt = formatTimestamp(times.statusRecordedAtMs);
  return shown;
}

function optionalColumns(wished: Wished) {
  const { timeZone, recordedAt, details } = wished;
  const columns: OptionalColumn[] = [];
  if (timeZone !== null && timeZone !== UTC) {
    const local = localTimestamps(timeZone);
    columns.push(
      { name: 'paidAtLocal', textOf: (_, { paidAtMs }) => (paidAtMs === null ? undefined : local(paidAtMs)) },
      { name: 'createdAtLocal', textOf: (_, { createdAtMs }) => local(createdAtMs) },
    );
  }
  for (const name of COLUMN_FIELDS)
    if (wished[name] !== null) columns.push({ name, textOf: (shown) => shown[name] });
  if (recordedAt !== null)
    columns.push(
      { name: 'recordedAt', textOf: (shown) => shown.recordedAt },
      { name: 'statusRecordedAt', textOf: (shown) => shown.statusRecordedAt },
    );
  for (const name of details?.split(',') ?? [])
    columns.push({ name: DETAIL_PREFIX + name, textOf: (shown) => detailOf(shown.details, name) });
  return columns;
}

export const csvHeader = (wished: Wished): string =>
  `${[...SHOWN_FIELDS, ...optionalColumns(wished).map(({ name }) => name)].join(',')}\r\n`;

export function lineFormatter({
  format,
  spreadsheet,
  filter,
}: Pick<Export, 'format' | 'spreadsheet'> & { filter: Wished }): Line {
  return format === 'ndjson' ? ndjsonLine : csvLine(filter, spreadsheet ? guardedCsvCell : csvCell);
}

const ndjsonLine: Line = (transaction, times) =>
  `${JSON.stringify(exportedTransaction(transaction, times))}\n`;

/** CSV as in RFC 4180. Null is an empty cell. */
function csvLine(wished: Wished, textCell: (text: string) => string): Line {
  const optional = optionalColumns(wished);
  return (transaction, times) => {
    const shown = exportedTransaction(transaction, times);
    let line = `${textCell(shown.reference)},${textCell(shown.merchantReference ?? '')},${textCell(shown.status)},`;
    line += `${shown.amount},${shown.currencyCode},${shown.paidAt ?? ''},${shown.createdAt}`;
    for (const { textOf } of optional) line += `,${textCell(textOf(shown, transaction) ?? '')}`;
    return `${line}\r\n`;
  };
}
