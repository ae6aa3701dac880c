import type pg from 'pg';
import type { CopyMark } from '../copy-mark.ts';
import { READ_MARK } from './copy-sql.ts';

/** Reads the mark of a database whose schema is up to date. */
export async function readMark(client: pg.Client): Promise<CopyMark | undefined> {
  const [row] = (await client.query<{ source: string; started_at_ms: number }>(READ_MARK)).rows;
  return row && { source: row.source, startedAtMs: Number(row.started_at_ms) };
}
