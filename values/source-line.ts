/** Lines count from 1. */
export type SourceLine =
  | { line: number; record: Readonly<Record<string, unknown>> }
  | { line: number; fault: string; ofCsv?: CsvFault };

/** `continued`: text follows the closing quote. `inside`: a quote is in an unquoted field. */
export type BrokenQuote = 'never closed' | 'continued' | 'inside';

type CsvFault = { kind: BrokenQuote } | { kind: 'columns'; has: number; expected: number };

export class UnreadableSource extends Error {
  override readonly name = 'UnreadableSource';
}

/** Limits the memory for a file without line ends. No transaction is nearly this long. */
export const LINE_MAX_CHARACTERS = 65_536;
