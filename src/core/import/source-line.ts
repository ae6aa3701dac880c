/** One entry of an imported file: its fields, or why it has none. Lines count from 1. */
export type SourceLine =
  | { line: number; record: Readonly<Record<string, unknown>> }
  | { line: number; fault: string };

/** A file that is not in the form that it should be in, as a whole: a sentence for the user. */
export class UnreadableSource extends Error {
  override readonly name = 'UnreadableSource';
}

/** No transaction comes near this size; a file without line ends is told so instead of filling the memory. */
export const LINE_MAX_CHARACTERS = 65_536;
