/** One entry of an imported file: its fields, or the reason why they can't be read. Lines count from 1. */
export type SourceLine =
  | { line: number; record: Readonly<Record<string, unknown>> }
  | { line: number; fault: string; ofCsv?: CsvFault };

/**
 * The kinds of broken quotes in a line of CSV: the quote of a field is never closed, text follows the closing
 * quote, or a quote is inside an unquoted field.
 */
export type BrokenQuote = 'never closed' | 'continued' | 'inside';

/** The reason why a line of CSV can't be read, for callers that write their own texts. */
type CsvFault = { kind: BrokenQuote } | { kind: 'columns'; has: number; expected: number };

/** The whole file is in another form than expected. The message is a sentence for the user. */
export class UnreadableSource extends Error {
  override readonly name = 'UnreadableSource';
}

/**
 * The most characters of a line: far more than any transaction has, but few enough that a file without line
 * ends does not fill the memory.
 */
export const LINE_MAX_CHARACTERS = 65_536;
