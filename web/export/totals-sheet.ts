import type { FileOrder } from '../state/file-order.ts';
import { isByPayment } from '../state/route.ts';
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

const NET = 'Net of all paid';

/** The sheet that says what a file contains, and what it adds up to. */
export function totalsSheet(
  account: string,
  order: FileOrder,
  { manifest, rows, totals, net = [] }: Omit<FinishedFile, 'content'>,
): string {
  const field = (name: string, value: Cell): Cell[] => [headerCell(name), value];
  const lines: Cell[][] = [
    field('Account', textCell(account)),
    field('Filters', textCell(describeOrder(order))),
    field(
      'Days',
      textCell(`${isByPayment(order.filter) ? 'Paid' : 'Created'}, days of ${order.zone}, both included`),
    ),
    field('Transactions', countCell(rows)),
    field('Exported at (UTC)', timeCell(manifest.startedAt)),
    field('Checksum of the export', textCell(manifest.sha256 as string)),
    [],
    ['Currency', 'Status', 'Transactions', 'Amount'].map(headerCell),
    ...[...totals, ...net.map((sum) => ({ ...sum, status: NET }))].map((sum) => [
      textCell(sum.currencyCode),
      textCell(sum.status),
      countCell(sum.count),
      amountCell(sum.amount),
    ]),
  ];
  if ([...totals, ...net].some(({ amount }) => !isExactAmount(amount)))
    lines.push(
      [],
      [
        textCell(
          'An amount of more than 14 digits is a text, because a spreadsheet would round it as a number.',
        ),
      ],
    );
  const sheet = lines.map((cells, index) => sheetRow(index + 1, cells));
  return `${sheetStart([24, 30, 14, 24], false)}${sheet.join('')}${sheetEnd(lines.length, 4, false)}`;
}
