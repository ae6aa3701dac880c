import type { RowsOf, Statement, Step, Values } from './statement.ts';

/**
 * A database: the capabilities are functions over it. A statement names its account or the coordinator, and a
 * cluster sends it to that server.
 *
 * Both methods reject with StoreUnavailable if the database can't answer now. A failed read never returns a
 * result.
 */
export interface Db {
  /**
   * The rows of one statement, as of one snapshot. A long read has a connection of its own, so that no
   * request waits behind it.
   */
  read<Row>(statement: Statement<Row>, values: Values, length?: 'long'): Promise<Row[]>;
  /**
   * Runs steps in one transaction of the database, which is on the disk when the promise resolves. Returns
   * the rows of each step. All steps that are about an account are about the same one.
   */
  write<const Steps extends readonly Step[]>(turn: Turn, steps: Steps): Promise<RowsOf<Steps>>;
}

/**
 * The order of writes. Writes of one turn run in the order in which they came.
 *
 * - `first`: the operator's and the service's own, few and small. A revocation must not wait behind a stream
 * of recordings.
 * - `stream`: recordings, and the background work for each of them.
 * - `account`: the keys of accounts cause these, as often as they want.
 */
export type TurnKind = 'first' | 'stream' | 'account';

export interface Turn {
  turn: TurnKind;
  /**
   * The commit does not wait for the disk, because there are many, and recordings would wait behind each. The
   * next synced commit syncs it too. After a power failure before that, the database is as it was before:
   * changes are sealed or delivered again.
   */
  isUnsynced?: true;
  /** How long the write waits while another program holds SQLite's write lock, if not the usual time. */
  waitMs?: number;
}
