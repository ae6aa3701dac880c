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
 * Which writes go first. Writes of the same kind run in the order in which they were requested.
 *
 * - `first`: writes of the operator and of the service itself, few and small. A revocation must not wait
 *   behind a stream of recordings.
 * - `stream`: recordings, and the background work for each of them.
 * - `account`: writes that an account's keys cause, without a limit on their number.
 */
export type TurnKind = 'first' | 'stream' | 'account';

export interface Turn {
  turn: TurnKind;
  /**
   * True if the commit does not wait for the disk. It is for frequent writes of background work, so that
   * recordings do not wait behind each of them. The next synced commit also syncs this write. A power failure
   * before that undoes it, and the changes are then sealed or delivered again.
   */
  isUnsynced?: true;
  /** How long the write waits while another program holds SQLite's write lock. By default, the usual time. */
  waitMs?: number;
}
