import type { Transaction } from '../../client/src/transaction.ts';
import { columnName, detailText } from '../state/columns.ts';
import type { FileOrder } from '../state/file-order.ts';
import { isByPayment } from '../state/route.ts';
import { detailName } from '../text/detail-name.ts';
import { texts } from '../text/language.ts';
import { clockOf, UTC } from '../text/time.ts';
import { describeOrder } from './describe-order.ts';
import type { FinishedFile } from './file-content.ts';
import type { RowsWriter } from './rows-file.ts';
import { Workbook } from './workbook.ts';
import {
  amountCell,
  type Cell,
  countCell,
  emptyCell,
  headerCell,
  isExactAmount,
  sheetEnd,
  sheetRow,
  sheetStart,
  textCell,
  timeCell,
} from './worksheet.ts';

/** The first row has the names of the columns. */
export const MAX_SHEET_ROWS = 1_048_576;
type SheetColumn = readonly [name: string, width: number];

const COLUMNS: readonly SheetColumn[] = [
  [texts.$reference, 40],
  [texts.$yourReference, 30],
  [texts.$status, 13],
  [texts.$amount, 18],
  [texts.$currency, 10],
  [texts.$inZone(texts.$paid, UTC), 24],
  [texts.$inZone(texts.$created, UTC), 24],
];

/** A time as the clocks of a zone show it: a spreadsheet has no zones. */
const timeIn = (zone: string, timestamp: string | null): Cell =>
  timestamp === null ? emptyCell : timeCell(`${clockOf(zone, Date.parse(timestamp)).shown}Z`);

const textOrEmpty = (text: string | null | undefined): Cell => (text == null ? emptyCell : textCell(text));

/** An .xlsx file with a sheet of transactions and one of their totals. */
export class Spreadsheet implements RowsWriter {
  readonly maxRows = MAX_SHEET_ROWS - 1;
  readonly #account: string;
  readonly #order: FileOrder;
  readonly #workbook = new Workbook([texts.$transactions, texts.$totals]);
  readonly #columns: readonly SheetColumn[];
  #rows = 1;

  constructor(account: string, order: FileOrder) {
    this.#account = account;
    this.#order = order;
    const local = [texts.$paid, texts.$created].map(
      (name): SheetColumn => [texts.$inZone(name, order.zone), 32],
    );
    const { relatedTo, details = [] } = order.extra ?? {};
    this.#columns = [
      ...COLUMNS,
      ...(order.zone === UTC ? [] : local),
      ...(relatedTo ? [[columnName('relatedTo'), 40] satisfies SheetColumn] : []),
      ...details.map((name): SheetColumn => [detailName(name), 24]),
    ];
    this.#workbook.beginSheet();
    this.#workbook.write(
      sheetStart(
        this.#columns.map(([, width]) => width),
        true,
      ),
    );
    this.#workbook.write(
      sheetRow(
        1,
        this.#columns.map(([name]) => headerCell(name)),
      ),
    );
  }

  add(transaction: Transaction): boolean {
    const { reference, merchantReference, status, amount, ...row } = transaction;
    const { zone, extra: { relatedTo, details = [] } = {} } = this.#order;
    const zones = new Set([UTC, zone]);
    const cells = [
      textCell(reference),
      textOrEmpty(merchantReference),
      textCell(status),
      amountCell(amount),
      textCell(row.currencyCode),
      ...[...zones].flatMap((zone) => [timeIn(zone, row.paidAt), timeIn(zone, row.createdAt)]),
      ...(relatedTo ? [textOrEmpty(row.relatedTo)] : []),
      ...details.map((name) => textOrEmpty(detailText(transaction, name))),
    ];
    return this.#workbook.write(sheetRow(++this.#rows, cells));
  }

  end(file: Omit<FinishedFile, 'content'>): Promise<Blob> {
    this.#workbook.write(sheetEnd(this.#rows, this.#columns.length, true));
    this.#workbook.beginSheet();
    this.#workbook.write(totalsSheet(this.#account, this.#order, file));
    return this.#workbook.end();
  }
}

/** The sheet that says what a file contains, and what it adds up to. */
function totalsSheet(
  account: string,
  order: FileOrder,
  { manifest, rows, totals, net = [] }: Omit<FinishedFile, 'content'>,
): string {
  const field = (name: string, value: Cell): Cell[] => [headerCell(name), value];
  const days = isByPayment(order.filter) ? texts.$sheetPaidDays : texts.$sheetCreatedDays;
  const lines: Cell[][] = [
    field(texts.$account, textCell(account)),
    field(texts.$filters, textCell(describeOrder(order))),
    field(texts.$sheetDays, textCell(days(order.zone))),
    field(texts.$transactions, countCell(rows)),
    field(texts.$exportedAt, timeCell(manifest.startedAt)),
    field(texts.$checksumOfExport, textCell(manifest.sha256 as string)),
    [],
    [texts.$currency, texts.$status, texts.$transactions, texts.$amount].map(headerCell),
    ...[...totals, ...net.map((sum) => ({ ...sum, status: texts.$netOfPaid }))].map((sum) => [
      textCell(sum.currencyCode),
      textCell(sum.status),
      countCell(sum.count),
      amountCell(sum.amount),
    ]),
  ];
  if ([...totals, ...net].some(({ amount }) => !isExactAmount(amount)))
    lines.push([], [textCell(texts.$longAmounts)]);
  const sheet = lines.map((cells, index) => sheetRow(index + 1, cells));
  return `${sheetStart([24, 30, 14, 24], false)}${sheet.join('')}${sheetEnd(lines.length, 4, false)}`;
}
