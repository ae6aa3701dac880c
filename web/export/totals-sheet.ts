import type { FileOrder } from '../state/file-order.ts';
import { isByPayment } from '../state/route.ts';
import { texts } from '../text/language.ts';
import { describeOrder } from './describe-order.ts';
import type { FinishedFile } from './file-content.ts';
import {
  amountCell,
  type Cell,
  countCell,
  headerCell,
  isExactAmount,
  sheetEnd,
  sheetRow,
  sheetStart,
  textCell,
  timeCell,
} from './worksheet.ts';

/** The sheet that says what a file contains, and what it adds up to. */
export function totalsSheet(
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
