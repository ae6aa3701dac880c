import type { Transaction } from '../../client/src/transaction.ts';
import { CSV_HEADER, toCsvLine } from './csv-line.ts';

/** Spreadsheets read a file that begins with this as UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';
const LINE_END = '\r\n';

/** The beginning of every file. */
export const CSV_BEGIN = BYTE_ORDER_MARK + CSV_HEADER + LINE_END;

export const csvLine = (transaction: Transaction): string => toCsvLine(transaction) + LINE_END;

/** The last line of an incomplete file, which marks it even after the file is renamed. */
export function incompleteLine(count: number, oldest: string | undefined): string {
  const reached = oldest === undefined ? '' : ` back to ${oldest}`;
  const text = `INCOMPLETE: ${count} transactions${reached}; older ones are missing`;
  return text + ','.repeat(CSV_HEADER.split(',').length - 1) + LINE_END;
}
