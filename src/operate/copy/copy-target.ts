import type { CopyMark } from '../copy-mark.ts';
import type { StoredRow } from '../stored-rows.ts';
import type { ChangeRange } from './copy-reader.ts';

export interface ChangeChunk extends ChangeRange {
  /** The nonce of the change at `after`. In the target, this change must have the same nonce. */
  afterNonce: number | undefined;
  /** The transactions that changed in the range, without their changes after `upTo`. */
  rows: readonly StoredRow[];
}

export interface CopyStatement {
  text: string;
  values: readonly (string | number | null)[];
}

interface JsonRows {
  from(table: string): string;
  column(name: string): string;
}

/** Opening a target takes a lock, which is held until the process ends. */
export interface CopyTarget {
  /** The SQL for reading rows from $1, a JSON array of objects with column names as keys. */
  readonly jsonRows: JsonRows;
  mark(mark: CopyMark): Promise<void>;
  /** Calls take effect in order. Throws CopyFailed and writes nothing if the target contradicts `chunks`. */
  writeChanges(chunks: readonly ChangeChunk[]): Promise<void>;
  /** How many calls of `writeChanges` to make at a time, so that the database always has work. */
  readonly writesInFlight: number;
  run(statements: readonly CopyStatement[]): Promise<void>;
  unmark(): Promise<void>;
  close(): Promise<void>;
}
