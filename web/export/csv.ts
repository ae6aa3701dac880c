import { CSV_HEADER, toCsvLine } from '../../client/src/csv.ts';
import type { Transaction } from '../../client/src/transaction.ts';

/** Spreadsheets read a file as UTF-8 where it begins with this. */
const BYTE_ORDER_MARK = '\uFEFF';
const LINE_END = '\r\n';

/** What a file begins with. */
export const CSV_BEGIN = BYTE_ORDER_MARK + CSV_HEADER + LINE_END;

export const csvLine = (transaction: Transaction): string => toCsvLine(transaction) + LINE_END;

/** The last line of a file that lacks transactions, so that it is known as such under any name. */
export function incompleteLine(count: number, oldest: string | undefined): string {
  const reached = oldest === undefined ? '' : ` back to ${oldest}`;
  const text = `INCOMPLETE: ${count} transactions${reached}; older ones are missing`;
  return text + ','.repeat(CSV_HEADER.split(',').length - 1) + LINE_END;
}
