import type { DatabaseSync } from 'node:sqlite';
import { type CopyMark, type MarkRow, markOf, READ_MARK } from '../copy-mark.ts';

export function readMark(db: DatabaseSync): CopyMark | undefined {
  const statement = db.prepare(READ_MARK);
  statement.setReturnArrays(true);
  const row = statement.get() as MarkRow | undefined;
  return row && markOf(row);
}
