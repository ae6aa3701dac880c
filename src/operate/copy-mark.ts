import { formatTimestamp } from '../../values/calendar.ts';
import { StoreRefused } from '../../values/store-errors.ts';
import { TABLE_LIST, type Table } from '../../values/tables.ts';

export interface CopyMark {
  state: 'copying' | 'moved';
  /** The other database's address without its password. The path of a file is absolute. */
  other: string;
  sinceMs: number;
}

export function refuseMarked(mark: CopyMark | undefined): void {
  if (mark === undefined) return;
  const { state, other, sinceMs } = mark;
  throw new StoreRefused(
    state === 'copying'
      ? `it is the target of a copy of ${other} that has not ended. Run "transactions copy" again until it ends.`
      : `it was moved to ${other} at ${formatTimestamp(sinceMs)}: use the database there. To use this database again, without what was recorded there since, run "transactions reopen".`,
  );
}

/** These tables can always be written. For example, `instances` must show that a service still runs. */
const UNFENCED_TABLES: readonly Table[] = [
  'instances',
  'copy_state',
  'schema_migrations',
  'seals',
  'seal_blocks',
];

/** While the database has a CopyMark, only "transactions copy" can write to these tables. */
export const FENCED_TABLES = TABLE_LIST.map(({ name }) => name).filter(
  (name) => !UNFENCED_TABLES.includes(name),
);

export type MarkRow = [state: CopyMark['state'], other: string, sinceMs: number];

export const READ_MARK = 'SELECT state, other_database, since_ms FROM copy_state';
export const STORE_MARK = `INSERT INTO copy_state (only_row, state, other_database, since_ms) VALUES (1, $1, $2, $3)
ON CONFLICT (only_row) DO UPDATE SET state = EXCLUDED.state, other_database = EXCLUDED.other_database, since_ms = EXCLUDED.since_ms`;
export const REMOVE_MARK = 'DELETE FROM copy_state';

export const markOf = ([state, other, sinceMs]: MarkRow): CopyMark => ({ state, other, sinceMs });
