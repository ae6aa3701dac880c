import { comparedValue } from '../../client/reconcile/compared-fields.ts';
import type { Transaction } from '../../client/src/transaction.ts';
import { detailOfColumn } from '../../values/detail-name.ts';
import { columnName } from '../state/columns.ts';
import type { FileOrder } from '../state/file-order.ts';
import type { Left } from '../state/left.ts';
import { isByPayment } from '../state/route.ts';
import { labels } from '../text/labels.ts';
import { texts as page } from '../text/language.ts';
import { clockOf, dayIn, UTC } from '../text/time.ts';
import { describeOrder } from './describe-order.ts';
import { type FinishedFile, MAX_SHEET_ROWS } from './file-content.ts';
import { RowTotals } from './row-totals.ts';
import type { RowsWriter } from './rows-file.ts';
import { texts } from './texts.ts';
import { Workbook } from './workbook.ts';
import {
  amountCell,
  type Cell,
  countCell,
  dayCell,
  emptyCell,
  headerCell,
  isExactAmount,
  sheetEnd,
  sheetRow,
  sheetStart,
  textCell,
  timeCell,
} from './worksheet.ts';

type SheetColumn = readonly [name: string, width: number];

const inZone = (name: string, zone: string) => `${name} (${zone})`;

const COLUMNS: readonly SheetColumn[] = [
  [labels.reference, 40],
  [labels.merchantReference, 30],
  [labels.status, 13],
  [labels.amount, 18],
  [labels.currencyCode, 10],
  [inZone(labels.paidAt, UTC), 24],
  [inZone(labels.createdAt, UTC), 24],
];

const LEFT_COLUMNS: readonly SheetColumn[] = [
  [columnName('left'), 24],
  [texts.$leftCurrency, 24],
];

const timeIn = (zone: string, timestamp: string | null): Cell =>
  timestamp === null ? emptyCell : timeCell(`${clockOf(zone, Date.parse(timestamp)).shown}Z`);

const textOrEmpty = (text: string | null): Cell => (text === null ? emptyCell : textCell(text));

export class Spreadsheet implements RowsWriter {
  readonly maxRows = MAX_SHEET_ROWS;
  readonly #account: string;
  readonly #order: FileOrder;
  readonly #workbook = new Workbook([page.$transactions, page.$totals, texts.$byDay]);
  readonly #columns: readonly SheetColumn[];
  readonly #ofDays = new Map<string, RowTotals>();
  #rows = 1;

  constructor(account: string, order: FileOrder) {
    this.#account = account;
    this.#order = order;
    const local = [labels.paidAt, labels.createdAt].map(
      (name): SheetColumn => [inZone(name, order.zone), 32],
    );
    const { fields = [], left } = order.extra ?? {};
    this.#columns = [
      ...COLUMNS,
      ...(order.zone === UTC ? [] : local),
      ...fields.map((name): SheetColumn => [columnName(name), detailOfColumn(name) ? 24 : 40]),
      ...(left ? LEFT_COLUMNS : []),
    ];
    this.#workbook.beginSheet();
    this.#workbook.write(
      sheetStart({ widths: this.#columns.map(([, width]) => width), isTable: true, isFirst: true }),
    );
    this.#workbook.write(
      sheetRow(
        1,
        this.#columns.map(([name]) => headerCell(name)),
      ),
    );
  }

  add(transaction: Transaction, left?: Left): boolean {
    const { reference, merchantReference, status, amount, ...row } = transaction;
    const { zone, extra: { fields = [] } = {} } = this.#order;
    const leftCells = left === undefined ? [] : [amountCell(left.amount), textCell(left.currencyCode)];
    const zones = new Set([UTC, zone]);
    const day = this.#dayOf(row);
    const ofDay = this.#ofDays.get(day) ?? new RowTotals();
    ofDay.add(transaction);
    this.#ofDays.set(day, ofDay);
    const cells = [
      textCell(reference),
      textOrEmpty(merchantReference),
      textCell(status),
      amountCell(amount),
      textCell(row.currencyCode),
      ...[...zones].flatMap((zone) => [timeIn(zone, row.paidAt), timeIn(zone, row.createdAt)]),
      ...fields.map((name) => textOrEmpty(comparedValue(transaction, name))),
      ...leftCells,
    ];
    return this.#workbook.write(sheetRow(++this.#rows, cells));
  }

  end(file: Omit<FinishedFile, 'content'>): Promise<Blob> {
    this.#workbook.write(sheetEnd(this.#rows, this.#columns.length, this.#rows));
    this.#workbook.beginSheet();
    this.#workbook.write(totalsSheet(this.#account, this.#order, file));
    this.#workbook.beginSheet();
    this.#workbook.write(daysSheet(this.#order, this.#ofDays, file));
    return this.#workbook.end();
  }

  #dayOf({ paidAt, createdAt }: Pick<Transaction, 'paidAt' | 'createdAt'>): string {
    const { filter, zone } = this.#order;
    return dayIn(zone, Date.parse((isByPayment(filter) && paidAt) || createdAt));
  }
}

function totalsSheet(
  account: string,
  order: FileOrder,
  { manifest, rows, totals, net = [] }: Omit<FinishedFile, 'content'>,
): string {
  const field = (name: string, value: Cell): Cell[] => [headerCell(name), value];
  const days = isByPayment(order.filter) ? texts.$paidDays : texts.$createdDays;
  const lines: Cell[][] = [
    field(page.$account, textCell(account)),
    field(page.$filters, textCell(describeOrder(order))),
    field(texts.$days, textCell(days(order.zone))),
    field(page.$transactions, countCell(rows)),
    field(texts.$exportedAt, timeCell(manifest.startedAt)),
    field(page.$checksumOfExport, textCell(manifest.sha256 as string)),
    [],
    SUMS_HEADER,
    ...sumsAndNet(totals, net),
  ];
  if ([...totals, ...net].some(({ amount }) => !isExactAmount(amount)))
    lines.push([], [textCell(texts.$longAmounts)]);
  const form = { widths: [24, 30, 14, 24], isTable: false };
  return sheetStart(form) + rowsOf(lines) + sheetEnd(lines.length, form.widths.length);
}

function daysSheet(
  { filter, zone }: FileOrder,
  ofDays: ReadonlyMap<string, RowTotals>,
  { totals, net = [] }: Pick<FinishedFile, 'totals' | 'net'>,
): string {
  const of = (first: Cell) => (cells: Cell[]) => [first, ...cells];
  const days = [...ofDays].sort(([left], [right]) => (left < right ? -1 : 1));
  const table: Cell[][] = [
    of(headerCell(inZone(isByPayment(filter) ? labels.paidAt : labels.createdAt, zone)))(SUMS_HEADER),
    ...days.flatMap(([day, { data }]) => sumsAndNet(data, []).map(of(dayCell(day)))),
  ];
  const lines = [...table, [], ...sumsAndNet(totals, net).map(of(headerCell(page.$allDays)))];
  const form = { widths: [26, 10, 30, 14, 24], isTable: true };
  return sheetStart(form) + rowsOf(lines) + sheetEnd(lines.length, form.widths.length, table.length);
}

const SUMS_HEADER = [labels.currencyCode, labels.status, page.$transactions, labels.amount].map(headerCell);

const sumsAndNet = (totals: FinishedFile['totals'], net: NonNullable<FinishedFile['net']>): Cell[][] =>
  [...totals, ...net.map((sum) => ({ ...sum, status: texts.$netOfPaid }))].map((sum) => [
    textCell(sum.currencyCode),
    textCell(sum.status),
    countCell(sum.count),
    amountCell(sum.amount),
  ]);

const rowsOf = (lines: readonly Cell[][]) => lines.map((cells, index) => sheetRow(index + 1, cells)).join('');
