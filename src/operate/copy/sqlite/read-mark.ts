import type { DatabaseSync } from 'node:sqlite';
import type { CopyMark } from '../copy-mark.ts';

/** Reads the mark of a database whose schema is up to date. */
export function readMark(db: DatabaseSync): CopyMark | undefined {
  const row = db.prepare('SELECT source, started_at_ms FROM copy_state').get() as
    | { source: string; started_at_ms: number }
    | undefined;
  return row && { source: row.source, startedAtMs: row.started_at_ms };
}
