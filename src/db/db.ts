import type { RowsOf, Statement, Step, Values } from './statement.ts';

/**
 * The database that capabilities use. On a cluster, each statement runs on the server of its account, or on
 * the coordinator.
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
   * Runs steps in one database transaction, which is on disk when the promise resolves. Returns the rows of
   * each step. All steps that name an account must name the same one.
   */
  write<const Steps extends readonly Step[]>(turn: Turn, steps: Steps): Promise<RowsOf<Steps>>;
}

/**
 * The order of writes. Writes of one kind run in the order in which they came.
 *
 * - `first`: writes of the operator and of the service itself, few and small. A revocation must not wait
 *   behind a stream of recordings.
 * - `stream`: recordings, and the background work for each of them.
 * - `account`: writes that the keys of accounts cause, as often as they want.
 */
export type TurnKind = 'first' | 'stream' | 'account';

export interface Turn {
  turn: TurnKind;
  /**
   * True if the commit does not wait for the disk: there are many such writes, and recordings would wait
   * behind each of them. The next synced commit also syncs this write. A power failure before that undoes the
   * write, and changes are sealed or delivered again.
   */
  isUnsynced?: true;
  /** How long the write waits while another program holds SQLite's write lock. By default, the usual time. */
  waitMs?: number;
}
