/**
 * `requests` also has the lookups of keys and the pings. Connections for `slow-` and `held-` purposes are
 * opened when a query is first slow, or a row first locked; those of `background` when an export is read,
 * changes are added to the totals or webhooks are delivered.
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
  /** The number of connections when all are open. */
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
