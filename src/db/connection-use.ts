/** `requests` also serves pings and look-ups of keys. */
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
  inFlight: number;
  /** Key: an address. Value: true if lists are read there. A replica of unknown state is absent. */
  replicas?: Readonly<Record<string, boolean>>;
}

export function sumOfUses(uses: readonly ConnectionUse[]): ConnectionUse {
  const sum = (of: 'size' | 'open' | 'inFlight') => uses.reduce((total, use) => total + use[of], 0);
  return { size: sum('size'), open: sum('open'), inFlight: sum('inFlight') };
}

export interface ReplicaChange {
  replica: string;
  unused?: string;
}
