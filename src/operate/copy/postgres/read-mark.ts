import type pg from 'pg';
import { arrayQuery } from '../../../db/postgres/driver/index.ts';
import { type CopyMark, type MarkRow, markOf, READ_MARK } from '../../copy-mark.ts';

export async function readMark(client: pg.Client): Promise<CopyMark | undefined> {
  const [row] = (await client.query<MarkRow>(arrayQuery(READ_MARK))).rows;
  return row && markOf(row);
}
