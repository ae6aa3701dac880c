/**
 * The purposes of connections. `requests` includes look-ups of keys and pings. Connections for `slow-` and
 * `held-` purposes are opened at the first slow query or locked row, and those for `background` at the first
 * export, totals or delivery.
 */
export type ConnectionPurpose =
  | 'requests'
  | 'slow-requests'
  | 'background'
  | 'recordings'
  | 'held-recordings'
  | 'replicas'
  | 'slow-replicas';

export interface ConnectionUse {
  size: number;
  open: number;
  /**
   * Queries without a result yet: queued ones, and those that the database executes. A group of recordings is
   * one query.
   */
  inFlight: number;
  /** True if lists are read from a replica, by its address, for those where it is known. */
  replicas?: Readonly<Record<string, boolean>>;
}

/** The service starts or stops reading lists from a replica. */
export interface ReplicaChange {
  /** The address of the replica, without the password. */
  replica: string;
  /** Why no lists are read from it; absent if lists are. */
  unused?: string;
}
