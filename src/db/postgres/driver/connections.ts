import { StoreUnavailable } from '../../../../values/store-errors.ts';
import type { ConnectionUse } from '../../connection-use.ts';
import type { PendingQuery } from './batch.ts';
import { Connection, type ConnectionOptions, MAX_WAITING } from './connection.ts';
import { explainError, isSlowStatement } from './errors.ts';
import type { KeyedConnections } from './keyed-connections.ts';
import type { ReadStatement, TxRows, TxStep, Value } from './statement.ts';

interface ConnectionsOptions extends ConnectionOptions {
  size: number;
  timeoutMs: number;
  /** Statements that exceed the statement timeout run again on these connections. If undefined, they fail. */
  slowConnections?: KeyedConnections;
}

/** A larger batch would hardly be cheaper, and its first query would wait longer for an answer. */
const MAX_BATCH = 16;

const KEY_IS_SLOW = new StoreUnavailable('slow_statements', 'queries of this key are slow');

export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #connections: Connection[];
  readonly #waitingLookUps = new Map<string, Promise<unknown>>();
  #gathered: PendingQuery[] = [];
  #inFlight = 0;
  #closed = false;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    this.#connections = Array.from(
      { length: options.size },
      () => new Connection(options, (queries) => this.#send(queries)),
    );
  }

  /** Equal slow look-ups share one query. Otherwise, they could fill the queue. Throws: StoreUnavailable. */
  lookUp<Row>(statement: ReadStatement<Row>, values: PendingQuery['values']): Promise<Row[]> {
    const name = JSON.stringify([statement.name, ...values]);
    return this.#run(
      statement.name,
      (deadlineMs) => this.#gather({ key: statement.name, statement, values, deadlineMs }),
      (connection, deadlineMs) => {
        // From now on, equal look-ups must not share this read, because its result may be too old for them.
        this.#waitingLookUps.delete(name);
        return connection.read(statement, values, deadlineMs);
      },
      (runAlone) => {
        const waiting = this.#waitingLookUps.get(name) as Promise<Row[]> | undefined;
        if (waiting !== undefined) return waiting;
        const run = runAlone().finally(() => {
          if (this.#waitingLookUps.get(name) === run) this.#waitingLookUps.delete(name);
        });
        this.#waitingLookUps.set(name, run);
        return run;
      },
    );
  }

  /** If a `tx` with a `slowKey` takes too long, it is repeated on a connection for slow statements. */
  transact<const Steps extends readonly TxStep[]>(steps: Steps, slowKey?: string): Promise<TxRows<Steps>> {
    const sendOn = (connection: Connection, deadlineMs: number) => connection.transact(steps, deadlineMs);
    const onShared = (deadlineMs: number) => sendOn(this.#leastLoaded(), deadlineMs);
    return slowKey === undefined ? this.#count(onShared) : this.#run(slowKey, onShared, sendOn);
  }

  script(text: string): Promise<Value[][][]> {
    return this.#count((deadlineMs) => this.#leastLoaded().script(text, deadlineMs));
  }

  /**
   * The first value is the key of `slowConnections`: an account or a list of accounts. Make the statement
   * with `selectOfAccount` (topology.ts). Otherwise, a role that does not own the table finds no rows.
   */
  read<Row>(statement: ReadStatement<Row>, values: PendingQuery['values']): Promise<Row[]> {
    const key = String(values[0]);
    return this.#run(
      key,
      (deadlineMs) => this.#gather({ key, statement, values, deadlineMs }),
      (connection, deadlineMs) => connection.read(statement, values, deadlineMs),
    );
  }

  #run<Result>(
    key: string,
    onShared: (deadlineMs: number) => Promise<Result>,
    onReserved: (connection: Connection, deadlineMs: number) => Promise<Result>,
    share = (runAlone: () => Promise<Result>) => runAlone(),
  ): Promise<Result> {
    return this.#count(async (deadlineMs) => {
      const { slowConnections } = this.#options;
      const onOwnConnection = (keyed: KeyedConnections) =>
        share(() => keyed.run(key, deadlineMs, (connection) => onReserved(connection, deadlineMs)));
      if (slowConnections?.isSlow(key)) return await onOwnConnection(slowConnections);
      try {
        return await onShared(deadlineMs);
      } catch (error) {
        if (slowConnections === undefined || !(error === KEY_IS_SLOW || isSlowStatement(error))) throw error;
        return await onOwnConnection(slowConnections);
      }
    });
  }

  async #count<Result>(work: (deadlineMs: number) => Promise<Result>): Promise<Result> {
    this.#refuseExcess();
    this.#inFlight++;
    try {
      return await work(performance.now() + this.#options.timeoutMs);
    } catch (error) {
      throw explainError(error);
    } finally {
      this.#inFlight--;
    }
  }

  #gather<Row>(query: Omit<PendingQuery<Row>, 'resolve' | 'reject'> & { key: string }): Promise<Row[]> {
    return new Promise((resolve, rejectQuery) => {
      const reject = (error: unknown) => {
        if (isSlowStatement(error)) this.#options.slowConnections?.remember(query.key);
        rejectQuery(error);
      };
      if (this.#gathered.length === 0) setImmediate(() => this.#sendGathered());
      this.#gathered.push({ ...query, resolve, reject } as PendingQuery);
    });
  }

  #sendGathered(): void {
    const gathered = this.#gathered;
    this.#gathered = [];
    this.#send(gathered);
  }

  #send(queries: readonly PendingQuery[]): void {
    const sent: PendingQuery[] = [];
    for (const query of queries) {
      if (query.key !== undefined && this.#options.slowConnections?.isSlow(query.key))
        query.reject(KEY_IS_SLOW);
      else if (performance.now() >= query.deadlineMs) query.reject(new StoreUnavailable('database_timeout'));
      else sent.push(query);
    }
    for (let from = 0; from < sent.length; from += MAX_BATCH) {
      this.#leastLoaded().sendBatch(sent.slice(from, from + MAX_BATCH));
    }
  }

  #refuseExcess(): void {
    if (this.#closed) throw new StoreUnavailable('database_closed');
    if (this.#inFlightHere >= MAX_WAITING * this.#options.size) {
      throw new StoreUnavailable('database_queue', 'too many requests wait for the database');
    }
  }

  #leastLoaded(): Connection {
    let least = this.#connections[0] as Connection;
    for (const connection of this.#connections) {
      connection.wake();
      if (connection.load < least.load) least = connection;
    }
    return least;
  }

  get #inFlightHere(): number {
    return this.#inFlight - (this.#options.slowConnections?.use.inFlight ?? 0);
  }

  get use(): ConnectionUse {
    const open = this.#connections.filter(({ isOpen }) => isOpen).length;
    return { size: this.#options.size, open, inFlight: this.#inFlightHere };
  }

  get slowUse(): ConnectionUse {
    return this.#options.slowConnections?.use ?? { size: 0, open: 0, inFlight: 0 };
  }

  async close(): Promise<void> {
    this.#sendGathered();
    this.#closed = true;
    await Promise.all([
      ...this.#connections.map((connection) => connection.close()),
      this.#options.slowConnections?.close(),
    ]);
  }
}
