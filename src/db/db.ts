import type { RowsOf, Statement, Step, Values } from './statement.ts';

/**
 * A database, which the capabilities use. On a cluster, each statement runs on the server of its account, or
 * on the coordinator.
 *
 * Both methods reject with StoreUnavailable if the database can't answer now. A failed read never returns a
 * result.
 */
export interface Db {
  /**
   * Returns the rows of one statement, from one snapshot. A long read uses a separate connection, so that no
   * request waits behind it.
   */
  read<Row>(statement: Statement<Row>, values: Values, length?: 'long'): Promise<Row[]>;
  /**
   * Runs steps in one transaction of the database, which is on the disk when the promise resolves. Returns
   * the rows of each step. All steps that name an account name the same one.
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
   * True if the commit does not wait for the disk: there are many such writes, and recordings would wait
   * behind each. The next synced commit syncs it too. A power failure before that undoes the write, and
   * changes are sealed or delivered again.
   */
  isUnsynced?: true;
  /** How long the write waits while another program holds SQLite's write lock. Absent for the usual time. */
  waitMs?: number;
}
