import type { ConnectionPurpose, ConnectionUse, ReplicaChange } from '../connection-use.ts';
import type { OpenDatabaseOptions } from '../db.ts';
import {
  type BackgroundConnections,
  backgroundConnections,
  Connections,
  connectToPrimary,
  KeyedConnections,
  maskPostgresUrl,
  type PlanSettings,
  type PostgresAddress,
  parsePostgresUrl,
  Replicas,
  type SessionLimits,
} from './driver/index.ts';
import { planSettingsOf, type Topology } from './topology.ts';

export interface PostgresOptions extends OpenDatabaseOptions {
  connections: number;
  /** If true, a role without the right to record is refused. */
  records?: boolean;
  replicaUrls?: readonly string[];
  maxReplicaLagMs?: number;
  onReconnected?: (() => void) | undefined;
  onReplicaChange?: (change: ReplicaChange) => void;
}

const DEFAULT_MAX_REPLICA_LAG_MS = 2000;

/** The server cancels a statement shortly before the service would close the connection. */
const limitsFor = (timeoutMs: number): SessionLimits => ({
  statementTimeoutMs: Math.ceil(timeoutMs * 0.9),
  connectTimeoutMs: timeoutMs,
  lockTimeoutMs: Math.ceil(timeoutMs * 0.9),
  idleInTransactionTimeoutMs: timeoutMs,
});

/** The time limit of a statement on a shared connection. A query for a list takes far less time. */
const sharedStatementMs = (timeoutMs: number) => Math.ceil(Math.min(250, timeoutMs / 8));

/** How long a recording waits for a locked row on Citus, where the lock timeout has no effect. */
const heldWaitOnCitusMs = (timeoutMs: number) => Math.ceil(timeoutMs / 4);

/** How long a group of recordings waits for a held row. This is far longer than a commit takes. */
const rowWaitMs = (timeoutMs: number) => Math.ceil(Math.min(50, timeoutMs / 8));

/** Longer than the pause of an export between two pages, so that its connection stays open. */
const BACKGROUND_IDLE_MS = 30_000;

/** Recordings have separate connections, because a list must not wait behind a commit. */
export class StoreConnections {
  readonly requests: Connections;
  readonly replicas: Replicas | null;
  readonly recordings: Connections;
  readonly heldRecordings: KeyedConnections;
  readonly background: BackgroundConnections;
  readonly rowWaitMs: number;
  /** If a row that a recording needs stays locked for this long, the recording fails. */
  readonly heldTimeoutMs: number;
  readonly #records: boolean;

  constructor(address: PostgresAddress, topology: Topology, options: PostgresOptions) {
    const { timeoutMs, connections: size, records = false } = options;
    const limits = limitsFor(timeoutMs);
    this.rowWaitMs = rowWaitMs(timeoutMs);
    this.heldTimeoutMs = limits.lockTimeoutMs;
    this.#records = records;
    const settings = planSettingsOf(topology);
    this.requests = connectionsForRequests(address, size, timeoutMs, settings.list, options);
    this.replicas = replicasOf(this.requests, settings.list, options);
    const connectToRecord = (onCitusMs: number) =>
      connectTo(
        address,
        { ...limits, ...(topology === 'cluster' && { statementTimeoutMs: onCitusMs }) },
        settings.recording,
        options,
      );
    this.recordings = new Connections({
      size,
      timeoutMs,
      ...connectToRecord(sharedStatementMs(timeoutMs)),
    });
    this.heldRecordings = new KeyedConnections({
      quickMs: this.rowWaitMs,
      ...connectToRecord(heldWaitOnCitusMs(timeoutMs)),
    });
    this.background = backgroundConnections({
      timeoutMs,
      idleMs: BACKGROUND_IDLE_MS,
      ...connectTo(address, limits, settings.list, options),
    });
  }

  get use(): Partial<Record<ConnectionPurpose, ConnectionUse>> {
    return {
      requests: this.requests.use,
      'slow-requests': this.requests.slowUse,
      background: this.background.use(),
      ...(this.#records && {
        recordings: this.recordings.use,
        'held-recordings': this.heldRecordings.use,
      }),
      ...(this.replicas !== null && {
        replicas: this.replicas.use,
        'slow-replicas': this.replicas.slowUse,
      }),
    };
  }

  async close(): Promise<void> {
    await this.replicas?.close();
    await Promise.all(
      [this.recordings, this.heldRecordings, this.background, this.requests].map((pool) => pool.close()),
    );
  }
}

type Hooks = Pick<PostgresOptions, 'onReconnected'>;

const connectTo = (
  address: PostgresAddress,
  limits: SessionLimits,
  planSettings: PlanSettings,
  { onReconnected = () => {} }: Hooks,
) => ({
  connect: () => connectToPrimary(address, { ...limits, pipeline: true, planSettings }),
  onReconnected,
});

function connectionsForRequests(
  address: PostgresAddress,
  size: number,
  timeoutMs: number,
  planSettings: PlanSettings,
  hooks: Hooks,
): Connections {
  const quickMs = sharedStatementMs(timeoutMs);
  const limits = limitsFor(timeoutMs);
  return new Connections({
    size,
    timeoutMs,
    slowConnections: new KeyedConnections({ quickMs, ...connectTo(address, limits, planSettings, hooks) }),
    ...connectTo(address, { ...limits, statementTimeoutMs: quickMs }, planSettings, hooks),
  });
}

function replicasOf(
  primary: Connections,
  planSettings: PlanSettings,
  options: PostgresOptions,
): Replicas | null {
  const {
    timeoutMs,
    connections: size,
    replicaUrls = [],
    maxReplicaLagMs = DEFAULT_MAX_REPLICA_LAG_MS,
    onReplicaChange = () => {},
  } = options;
  if (replicaUrls.length === 0) return null;
  return new Replicas({
    primary,
    // If a replica hangs, half of the time is left for the primary.
    replicas: replicaUrls.map((url) => ({
      name: maskPostgresUrl(url),
      connections: connectionsForRequests(parsePostgresUrl(url), size, timeoutMs / 2, planSettings, {}),
    })),
    maxLagMs: maxReplicaLagMs,
    monotonicMs: () => performance.now(),
    onChange: onReplicaChange,
  });
}
