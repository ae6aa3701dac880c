import { formatTimestamp } from '../../values/calendar.ts';
import { StoreRefused } from '../../values/store-errors.ts';
import { TABLE_LIST, type Table } from '../../values/tables.ts';

export interface CopyMark {
  /** `copying`: the target of a copy that has not ended. `moved`: the source of a copy that has ended. */
  state: 'copying' | 'moved';
  /** The address of the other database, without its password and with the whole path of a file. */
  other: string;
  sinceMs: number;
}

/** Two databases in use would give the same number to different changes. */
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

/** With a mark, only a copy can write to these tables: the writes of a service that was suspended fail. */
export const FENCED_TABLES = TABLE_LIST.map(({ name }) => name).filter(
  (name) => !UNFENCED_TABLES.includes(name),
);

export type MarkRow = [state: CopyMark['state'], other: string, sinceMs: number];

export const READ_MARK = 'SELECT state, other_database, since_ms FROM copy_state';
export const STORE_MARK = `INSERT INTO copy_state (only_row, state, other_database, since_ms) VALUES (1, $1, $2, $3)
ON CONFLICT (only_row) DO UPDATE SET state = EXCLUDED.state, other_database = EXCLUDED.other_database, since_ms = EXCLUDED.since_ms`;
export const REMOVE_MARK = 'DELETE FROM copy_state';

export const markOf = ([state, other, sinceMs]: MarkRow): CopyMark => ({ state, other, sinceMs });
