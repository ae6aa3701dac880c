import { type ConnectionUse, StoreUnavailable } from '../../core/store.ts';
import { type Connections, statement } from './connections.ts';

/** A place in the write-ahead log, which a primary writes and its standbys repeat. */
export const LOG_POSITION = `(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_insert_lsn() END)::text`;

const LOOK = statement(`SELECT pg_is_in_recovery()::int, ${LOG_POSITION}`);
const LOOK_INTERVAL_MS = 500;

export interface ReplicasOptions {
  primary: Connections;
  replicas: readonly Connections[];
  /** A replica that lacks what the primary had written this long ago is not asked. */
  maxLagMs: number;
  monotonicMs(): number;
}

interface Replica {
  connections: Connections;
  /** How far it had repeated the log when it was last looked at; undefined where it could not be asked. */
  repeated: bigint | undefined;
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
    this.#replicas = options.replicas.map((connections) => ({ connections, repeated: undefined }));
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
        replica.repeated = undefined;
      }
    }
    return ask(this.#options.primary);
  }

  /** The next replica in turn among those that are fresh enough. */
  #choose(seen: string | undefined): Replica | undefined {
    const { maxLagMs, monotonicMs } = this.#options;
    const sinceMs = monotonicMs() - maxLagMs;
    // Nothing is known any more where the primary could not be asked for so long.
    const least = this.#written.find(({ atMs }) => atMs >= sinceMs)?.position;
    const known = seen === undefined ? 0n : logPosition(seen);
    if (least === undefined || known === undefined) return undefined;
    const needed = known > least ? known : least;
    const fresh = this.#replicas.filter(({ repeated }) => repeated !== undefined && repeated >= needed);
    return fresh[this.#turn++ % fresh.length];
  }

  #lookNowAndThen(): void {
    const nowMs = this.#options.monotonicMs();
    if (this.#looking !== undefined || nowMs - this.#lookedAtMs < LOOK_INTERVAL_MS) return;
    this.#lookedAtMs = nowMs;
    this.look().catch(() => {});
  }

  /** Looks how far the primary has written, and each replica repeated it. */
  look(): Promise<void> {
    this.#looking ??= Promise.all([
      this.#lookAtPrimary(),
      ...this.#replicas.map((replica) => this.#lookAt(replica)),
    ])
      .then(() => {})
      .finally(() => {
        this.#looking = undefined;
      });
    return this.#looking;
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

  async #lookAt(replica: Replica): Promise<void> {
    replica.repeated = await replica.connections.query<[number, string]>(LOOK, []).then(
      // One that is no standby any more goes its own way.
      ([row]) => (row?.[0] === 1 ? logPosition(row[1]) : undefined),
      () => undefined,
    );
  }

  get use(): ConnectionUse {
    const uses = this.#replicas.map(({ connections }) => connections.use);
    const sum = (of: keyof ConnectionUse) => uses.reduce((total, use) => total + use[of], 0);
    return { size: sum('size'), open: sum('open'), waiting: sum('waiting') };
  }

  async close(): Promise<void> {
    await this.#looking?.catch(() => {});
    await Promise.all(this.#replicas.map(({ connections }) => connections.close()));
  }
}

/** A place as PostgreSQL writes it, two numbers of 32 bits in hexadecimal, or undefined for anything else. */
export function logPosition(text: string): bigint | undefined {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/.exec(text) ?? [];
  if (high === undefined || low === undefined) return undefined;
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}
