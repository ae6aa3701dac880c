/**
 * The purposes of connections. `requests` also serves look-ups of keys and pings. Connections for purposes
 * that begin with `slow-` or `held-` are opened at the first slow query or locked row. Those for `background`
 * are opened at the first export, totals or delivery.
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
  /** Queries without a result yet, both queued and executing. A group of recordings counts as one query. */
  inFlight: number;
  /** For each replica whose state is known, by its address: true if lists are read from it. */
  replicas?: Readonly<Record<string, boolean>>;
}

export function sumOfUses(uses: readonly ConnectionUse[]): ConnectionUse {
  const sum = (of: 'size' | 'open' | 'inFlight') => uses.reduce((total, use) => total + use[of], 0);
  return { size: sum('size'), open: sum('open'), inFlight: sum('inFlight') };
}

/** The service starts or stops reading lists from a replica. */
export interface ReplicaChange {
  /** The address of the replica, without the password. */
  replica: string;
  /** Why no lists are read from it; absent if lists are read from it. */
  unused?: string;
}
