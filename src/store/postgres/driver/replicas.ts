import { type ConnectionUse, type ReplicaChange, StoreUnavailable } from '../../../core/store.ts';
import { type Connections, statement } from './connections.ts';
import { isSlowStatement } from './database.ts';
import { NoTurn } from './patient-lane.ts';

/** A place in the write-ahead log, which a primary writes and its standbys repeat. */
export const LOG_POSITION = `(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_insert_lsn() END)::text`;

const LOOK = statement(`SELECT pg_is_in_recovery()::int, ${LOG_POSITION}`);
const LOOK_INTERVAL_MS = 500;

export interface ReplicasOptions {
  primary: Connections;
  replicas: readonly { name: string; connections: Connections }[];
  /** A replica that lacks what the primary had written this long ago is not asked. */
  maxLagMs: number;
  monotonicMs(): number;
  /** Called when lists begin to be read from a replica, and when they no longer are. */
  onChange(change: ReplicaChange): void;
}

interface Replica {
  name: string;
  connections: Connections;
  /** How far it had repeated the log when it was last looked at; undefined where it could not be asked. */
  repeated: bigint | undefined;
  /** What was reported of it last: why it is not used, an empty text where it is. */
  reported: string | undefined;
}

/**
 * Spreads reads over the replicas that are fresh enough, and asks the primary where none is.
 *
 * What is known of them is looked up beside the reads, at most LOOK_INTERVAL_MS old while reads come.
 */
export class Replicas {
  readonly #options: ReplicasOptions;
  readonly #replicas: Replica[];
  /** What the primary had written, and when it was asked, oldest first. */
  #written: { atMs: number; position: bigint }[] = [];
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | undefined;
  #turn = 0;

  constructor(options: ReplicasOptions) {
    this.#options = options;
    this.#replicas = options.replicas.map((replica) => ({
      ...replica,
      repeated: undefined,
      reported: undefined,
    }));
  }

  /** Reads from a database that has seen at least as much as `seen` tells. */
  async read<Answer>(
    seen: string | undefined,
    ask: (connections: Connections) => Promise<Answer>,
  ): Promise<Answer> {
    this.#lookNowAndThen();
    const replica = this.#choose(seen);
    if (replica !== undefined) {
      try {
        return await ask(replica.connections);
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        // A list that is slow says nothing of the replica.
        if (!isSlowStatement(error) && !(error instanceof NoTurn)) replica.repeated = undefined;
      }
    }
    return ask(this.#options.primary);
  }

  /** The next replica in turn among those that are fresh enough. */
  #choose(seen: string | undefined): Replica | undefined {
    const least = this.#least();
    const known = seen === undefined ? 0n : logPosition(seen);
    if (least === undefined || known === undefined) return undefined;
    const needed = known > least ? known : least;
    const fresh = this.#replicas.filter(({ repeated }) => repeated !== undefined && repeated >= needed);
    return fresh[this.#turn++ % fresh.length];
  }

  /** How far a replica must have repeated the log: nothing is known where the primary could not be asked for so long. */
  #least(): bigint | undefined {
    const { maxLagMs, monotonicMs } = this.#options;
    const sinceMs = monotonicMs() - maxLagMs;
    return this.#written.find(({ atMs }) => atMs >= sinceMs)?.position;
  }

  #lookNowAndThen(): void {
    const nowMs = this.#options.monotonicMs();
    if (this.#looking !== undefined || nowMs - this.#lookedAtMs < LOOK_INTERVAL_MS) return;
    this.#lookedAtMs = nowMs;
    this.look().catch(() => {});
  }

  /** Looks how far the primary has written, and each replica repeated it. */
  look(): Promise<void> {
    this.#looking ??= this.#lookAtAll().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #lookAtAll(): Promise<void> {
    const looks = this.#replicas.map((replica) => this.#lookAt(replica));
    await this.#lookAtPrimary().finally(async () => {
      const faults = await Promise.all(looks);
      for (const [index, replica] of this.#replicas.entries()) this.#report(replica, faults[index] ?? '');
    });
  }

  /** Reports a replica where it is used otherwise than it was reported last. */
  #report(replica: Replica, fault: string): void {
    const least = this.#least();
    // Where the primary is away, it is not known how late a replica is.
    if (fault === '' && least === undefined) return;
    const isLate = replica.repeated !== undefined && least !== undefined && replica.repeated < least;
    const unused = isLate ? 'it is further behind the primary than DATABASE_REPLICA_MAX_LAG allows' : fault;
    if (replica.reported === unused) return;
    replica.reported = unused;
    this.#options.onChange({ replica: replica.name, ...(unused !== '' && { unused }) });
  }

  async #lookAtPrimary(): Promise<void> {
    const { primary, maxLagMs, monotonicMs } = this.#options;
    const atMs = monotonicMs();
    const [row] = await primary.query<[number, string]>(LOOK, []);
    const position = logPosition(row?.[1] ?? '');
    if (position === undefined) return;
    this.#written = this.#written.filter((written) => written.atMs >= atMs - maxLagMs);
    this.#written.push({ atMs, position });
  }

  /** Returns why the replica can't be used, or an empty text. */
  async #lookAt(replica: Replica): Promise<string> {
    try {
      const [row] = await replica.connections.query<[number, string]>(LOOK, []);
      // A primary, as a promoted standby is one, goes its own way.
      replica.repeated = row?.[0] === 1 ? logPosition(row[1]) : undefined;
      return replica.repeated === undefined ? 'it is a primary, not a standby' : '';
    } catch (error) {
      replica.repeated = undefined;
      return (error as Error).message;
    }
  }

  get use(): ConnectionUse {
    return sumOf(this.#replicas.map(({ connections }) => connections.use));
  }

  get slowUse(): ConnectionUse {
    return sumOf(this.#replicas.map(({ connections }) => connections.slowUse));
  }

  async close(): Promise<void> {
    await this.#looking?.catch(() => {});
    await Promise.all(this.#replicas.map(({ connections }) => connections.close()));
  }
}

function sumOf(uses: readonly ConnectionUse[]): ConnectionUse {
  const sum = (of: keyof ConnectionUse) => uses.reduce((total, use) => total + use[of], 0);
  return { size: sum('size'), open: sum('open'), waiting: sum('waiting') };
}

/** A place as PostgreSQL writes it, two numbers of 32 bits in hexadecimal, or undefined for anything else. */
export function logPosition(text: string): bigint | undefined {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/.exec(text) ?? [];
  if (high === undefined || low === undefined) return undefined;
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}
