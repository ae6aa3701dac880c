import type { RowsOf, Statement, Step, Values } from './statement.ts';

/** A statement runs on the server of its account, or on the coordinator. Throws: StoreUnavailable. */
export interface Db {
  /** Reads from one snapshot. A long read uses a separate connection. */
  read<Row>(statement: Statement<Row>, values: Values, length?: 'long'): Promise<Row[]>;
  /** Resolves when the transaction is on disk. All steps that name an account must name the same one. */
  write<const Steps extends readonly Step[]>(turn: Turn, steps: Steps): Promise<RowsOf<Steps>>;
}

/**
 * `first`: the few small writes of operators and of the service, which must not wait behind recordings.
 * `stream`: recordings and their background work. `account`: writes of requests, without a limit.
 */
export type TurnKind = 'first' | 'stream' | 'account';

export interface Turn {
  turn: TurnKind;
  /** The commit does not wait for the disk. Without a later synced commit, a power failure undoes it. */
  isUnsynced?: true;
  /** While another program holds SQLite's write lock. */
  waitMs?: number;
}
