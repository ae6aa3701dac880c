import type { Transaction } from '../../client/src/transaction.ts';
import type { FileOrder } from '../state/file-order.ts';
import { type LocalMonth, wallClock } from '../text/local-month.ts';
import type { FinishedFile } from './file-content.ts';
import type { RowsWriter } from './rows-file.ts';
import { totalsSheet } from './totals-sheet.ts';
import { Workbook } from './workbook.ts';
import {
  amountCell,
  type Cell,
  emptyCell,
  headerCell,
  sheetEnd,
  sheetRow,
  sheetStart,
  textCell,
  timeCell,
} from './worksheet.ts';

/** The first row has the names of the columns. */
const MAX_SHEET_ROWS = 1_048_576;
const COLUMNS: readonly [name: string, width: number][] = [
  ['Reference', 40],
  ['Your reference', 30],
  ['Status', 13],
  ['Amount', 18],
  ['Currency', 10],
  ['Paid (UTC)', 24],
  ['Created (UTC)', 24],
];

/** The column of the month's own zone, whose first and last rows have other days in UTC. */
function localColumn({ zone }: LocalMonth): { name: string; cellOf(timestamp: string): Cell } {
  const clock = wallClock(zone);
  return {
    name: `Created (${zone})`,
    cellOf: (timestamp) => timeCell(new Date(clock(Date.parse(timestamp))).toISOString()),
  };
}

/** An .xlsx file with a sheet of transactions and one of their totals. */
export class Spreadsheet implements RowsWriter {
  readonly maxRows = MAX_SHEET_ROWS - 1;
  readonly #account: string;
  readonly #order: FileOrder;
  readonly #workbook = new Workbook(['Transactions', 'Totals']);
  readonly #local: ReturnType<typeof localColumn> | undefined;
  readonly #columns: readonly [name: string, width: number][];
  #rows = 1;

  constructor(account: string, order: FileOrder) {
    this.#account = account;
    this.#order = order;
    this.#local = order.month && localColumn(order.month);
    this.#columns = this.#local ? [...COLUMNS, [this.#local.name, 32]] : COLUMNS;
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

  add({ reference, merchantReference, status, amount, ...row }: Transaction): boolean {
    const cells = [
      textCell(reference),
      merchantReference === null ? emptyCell : textCell(merchantReference),
      textCell(status),
      amountCell(amount),
      textCell(row.currencyCode),
      row.paidAt === null ? emptyCell : timeCell(row.paidAt),
      timeCell(row.createdAt),
      this.#local?.cellOf(row.createdAt) ?? emptyCell,
    ];
    return this.#workbook.write(sheetRow(++this.#rows, cells));
  }

  end(file: Omit<FinishedFile, 'content'>): Blob {
    this.#workbook.write(sheetEnd(this.#rows, this.#columns.length, true));
    this.#workbook.beginSheet();
    this.#workbook.write(totalsSheet(this.#account, this.#order, file));
    return this.#workbook.end();
  }
}
