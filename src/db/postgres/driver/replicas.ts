import { StoreUnavailable } from '../../../../values/store-errors.ts';
import { type ConnectionUse, type ReplicaChange, sumOfUses } from '../../connection-use.ts';
import type { Connections } from './connections.ts';
import { isSlowStatement } from './errors.ts';
import { NotStarted } from './keyed-connections.ts';
import { readStatement } from './statement.ts';

/** The position in the write-ahead log up to which a primary has written, or a standby has replayed. */
export const LOG_POSITION = `(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_insert_lsn() END)::text`;

const REPLICATION_STATUS = readStatement(
  `SELECT pg_is_in_recovery()::int::bigint, ${LOG_POSITION}`,
  (row) => ({ isStandby: row.integer() === 1, logPosition: row.text() }),
);

const CHECK_INTERVAL_MS = 500;

interface ReplicasOptions {
  primary: Connections;
  replicas: readonly { name: string; connections: Connections }[];
  maxLagMs: number;
  monotonicMs(): number;
  onChange(change: ReplicaChange): void;
}

interface Replica {
  name: string;
  connections: Connections;
  /** The log position at the last check; undefined if the replica did not answer. */
  replayed: bigint | undefined;
  /** Why the replica is not used; empty if it is used; undefined before the first report. */
  reported: string | undefined;
}

/** Checks the replicas while there are reads. If all of them are too far behind, reads from the primary. */
export class Replicas {
  readonly #options: ReplicasOptions;
  readonly #replicas: Replica[];
  #written: { atMs: number; position: bigint }[] = [];
  #checkedAtMs = Number.NEGATIVE_INFINITY;
  #checking: Promise<void> | undefined;
  #turn = 0;

  constructor(options: ReplicasOptions) {
    this.#options = options;
    this.#replicas = options.replicas.map((replica) => ({
      ...replica,
      replayed: undefined,
      reported: undefined,
    }));
  }

  async read<Result>(
    logPosition: string | undefined,
    readFrom: (connections: Connections) => Promise<Result>,
  ): Promise<Result> {
    this.#checkIfDue();
    const replica = this.#choose(logPosition);
    if (replica !== undefined) {
      try {
        return await readFrom(replica.connections);
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        if (!isSlowStatement(error) && !(error instanceof NotStarted)) replica.replayed = undefined;
      }
    }
    return readFrom(this.#options.primary);
  }

  #choose(logPosition: string | undefined): Replica | undefined {
    const least = this.#leastPosition();
    const requested = logPosition === undefined ? 0n : parseLogPosition(logPosition);
    if (least === undefined || requested === undefined) return undefined;
    const needed = requested > least ? requested : least;
    const fresh = this.#replicas.filter(({ replayed }) => replayed !== undefined && replayed >= needed);
    return fresh[this.#turn++ % fresh.length];
  }

  #leastPosition(): bigint | undefined {
    const { maxLagMs, monotonicMs } = this.#options;
    const sinceMs = monotonicMs() - maxLagMs;
    return this.#written.find(({ atMs }) => atMs >= sinceMs)?.position;
  }

  #checkIfDue(): void {
    const nowMs = this.#options.monotonicMs();
    if (this.#checking !== undefined || nowMs - this.#checkedAtMs < CHECK_INTERVAL_MS) return;
    this.#checkedAtMs = nowMs;
    this.check().catch(() => {});
  }

  check(): Promise<void> {
    this.#checking ??= this.#checkAll().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #checkAll(): Promise<void> {
    const checks = this.#replicas.map((replica) => this.#checkReplica(replica));
    await this.#checkPrimary().finally(async () => {
      const faults = await Promise.all(checks);
      for (const [index, replica] of this.#replicas.entries()) this.#report(replica, faults[index] ?? '');
    });
  }

  #report(replica: Replica, fault: string): void {
    const least = this.#leastPosition();
    // While the primary does not answer, nothing is reported, because the lag of a replica is unknown.
    if (fault === '' && least === undefined) return;
    const isLate = replica.replayed !== undefined && least !== undefined && replica.replayed < least;
    const unused = isLate ? 'it is further behind the primary than DATABASE_REPLICA_MAX_LAG allows' : fault;
    if (replica.reported === unused) return;
    replica.reported = unused;
    this.#options.onChange({ replica: replica.name, ...(unused !== '' && { unused }) });
  }

  async #checkPrimary(): Promise<void> {
    const { primary, maxLagMs, monotonicMs } = this.#options;
    const atMs = monotonicMs();
    const [status] = await primary.lookUp(REPLICATION_STATUS, []);
    const position = parseLogPosition(status?.logPosition ?? '');
    if (position === undefined) return;
    this.#written = this.#written.filter((written) => written.atMs >= atMs - maxLagMs);
    this.#written.push({ atMs, position });
  }

  async #checkReplica(replica: Replica): Promise<string> {
    try {
      const [status] = await replica.connections.lookUp(REPLICATION_STATUS, []);
      replica.replayed = status?.isStandby ? parseLogPosition(status.logPosition) : undefined;
      return replica.replayed === undefined ? 'it is a primary, not a standby' : '';
    } catch (error) {
      replica.replayed = undefined;
      return (error as Error).message;
    }
  }

  get use(): ConnectionUse {
    const known = this.#replicas.filter(({ reported }) => reported !== undefined);
    const replicas = Object.fromEntries(known.map(({ name, reported }) => [name, reported === '']));
    return { ...sumOfUses(this.#replicas.map(({ connections }) => connections.use)), replicas };
  }

  get slowUse(): ConnectionUse {
    return sumOfUses(this.#replicas.map(({ connections }) => connections.slowUse));
  }

  async close(): Promise<void> {
    await this.#checking?.catch(() => {});
    await Promise.all(this.#replicas.map(({ connections }) => connections.close()));
  }
}

/** Reads two hexadecimal numbers of 32 bits, as PostgreSQL writes them. Returns undefined for other text. */
export function parseLogPosition(text: string): bigint | undefined {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/.exec(text) ?? [];
  if (high === undefined || low === undefined) return undefined;
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}
