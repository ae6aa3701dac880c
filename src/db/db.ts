import type { RowsOf, Statement, Step, Values } from './statement.ts';

/**
 * On a Citus cluster, each statement runs on the server with its account's rows, or on the coordinator.
 * Throws: StoreUnavailable.
 */
export interface Db {
  /** Reads from one snapshot. A long read uses a separate connection. */
  read<Row>(statement: Statement<Row>, values: Values, length?: 'long'): Promise<Row[]>;
  /** Resolves when the transaction is on disk. All steps that name an account must name the same one. */
  write<const Steps extends readonly Step[]>(turn: Turn, steps: Steps): Promise<RowsOf<Steps>>;
}

/**
 * `first` is for the few small writes of operators and of the service, which must not wait behind recordings.
 * `stream` is for recordings and their background work. `account` is for writes of requests, of which there
 * can be any number.
 */
export type TurnKind = 'first' | 'stream' | 'account';

export interface Turn {
  turn: TurnKind;
  /** Does not wait for the disk. A power failure before the next synced commit undoes the write. */
  isUnsynced?: true;
  /** How long the write waits while another program holds SQLite's write lock. */
  waitMs?: number;
}
