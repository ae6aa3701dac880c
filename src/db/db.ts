import type { RowsOf, Statement, Step, Values } from './statement.ts';

/**
 * On a cluster, each statement runs on the server of its account, or on the coordinator.
 *
 * Throws: StoreUnavailable if the database can't answer now.
 */
export interface Db {
  /** Reads from one snapshot. A long read uses a separate connection, so that no request waits behind it. */
  read<Row>(statement: Statement<Row>, values: Values, length?: 'long'): Promise<Row[]>;
  /**
   * Runs the steps in one database transaction, which is on disk when the promise resolves. All steps that
   * name an account must name the same account.
   */
  write<const Steps extends readonly Step[]>(turn: Turn, steps: Steps): Promise<RowsOf<Steps>>;
}

/**
 * Which writes go first. Writes of the same kind run in the order in which they were requested.
 *
 * - `first`: the few small writes of the operator and of the service itself. A revocation must not wait
 *   behind a stream of recordings.
 * - `stream`: recordings, and the background work for each of them.
 * - `account`: writes that requests with an account's key cause. Their number is not limited.
 */
export type TurnKind = 'first' | 'stream' | 'account';

export interface Turn {
  turn: TurnKind;
  /**
   * True if the commit does not wait for the disk, because recordings must not wait behind frequent
   * background writes. The next commit that waits for the disk also syncs this write. If the power fails
   * before that commit, this write is undone, and the changes are sealed or delivered again.
   */
  isUnsynced?: true;
  /** How long the write waits while another program holds SQLite's write lock. */
  waitMs?: number;
}
