/** One entry of an imported file: its fields, or why they can't be read. Lines count from 1. */
export type SourceLine =
  | { line: number; record: Readonly<Record<string, unknown>> }
  | { line: number; fault: string; ofCsv?: CsvFault };

/** How the quotes of a line of CSV are broken. */
export type BrokenQuote = 'never closed' | 'continued' | 'inside';

/** The reason why a line of CSV can't be read, for callers with texts of their own. */
type CsvFault = { kind: BrokenQuote } | { kind: 'columns'; has: number; expected: number };

/** The whole file is not in the expected form. The message is a sentence for the user. */
export class UnreadableSource extends Error {
  override readonly name = 'UnreadableSource';
}

/** Far longer than any transaction. A file without line ends is refused here, before it fills memory. */
export const LINE_MAX_CHARACTERS = 65_536;
