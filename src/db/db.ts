import type { RowsOf, Statement, Step, Values } from './statement.ts';

/** On a cluster, a statement runs on its account's server or on the coordinator. Throws: StoreUnavailable. */
export interface Db {
  /** Reads from one snapshot. A long read uses a separate connection. */
  read<Row>(statement: Statement<Row>, values: Values, length?: 'long'): Promise<Row[]>;
  /** Resolves when the `tx` is on disk. Steps with `on: 'account'` must be for the same account. */
  write<const Steps extends readonly Step[]>(turn: Turn, steps: Steps): Promise<RowsOf<Steps>>;
}

/**
 * `first` is for the few small writes of operators and of the service. They must not wait behind recordings.
 * `stream` is for recordings and their background work. `account` is for other writes that requests make.
 */
export type TurnKind = 'first' | 'stream' | 'account';

export interface Turn {
  turn: TurnKind;
  /** Does not wait for the disk. A power failure before the next synced commit undoes the write. */
  isUnsynced?: true;
  waitMs?: number;
}

export interface OpenDatabaseOptions {
  timeoutMs: number;
  /** True for the target of a copy. Until the copy ends, no other program may open this database. */
  isCopyTarget?: boolean;
  /** Returns the random number of a commit. By default, the operating system supplies the number. */
  drawNonce?: (() => number) | undefined;
}
