import type pg from 'pg';
import { StoreUnavailable } from '../../../../values/store-errors.ts';
import { withinTime } from '../../../../values/time-limit.ts';
import { addDeadline, Batch, type PendingQuery, readTimeout, removeDeadline } from './batch.ts';
import type { Connected } from './connect.ts';
import { endsConnection, isLostStatement, isRepeatable, isStatementError, noteFailedStep } from './errors.ts';
import { internalsOf } from './pg-internals.ts';
import {
  arrayQuery,
  arrayText,
  type ReadStatement,
  readStatement,
  type TxRows,
  type TxStep,
  type Value,
} from './statement.ts';

export interface ConnectionOptions {
  connect(): Promise<Connected>;
  /** Called when a lost connection is replaced, because a standby that took over may lack the last writes. */
  onReconnected?: () => void;
}

type Resend = (queries: readonly PendingQuery[]) => void;

/** For this long after a failed attempt to connect, queries fail without a new attempt. */
const RECONNECT_AFTER_MS = 250;

/** If more queries than this waited on one connection, the last would not be answered in time. */
export const MAX_WAITING = 500;

/** A statement that a pooler loses, or that a deadlock cancels, is sent at most this many times. */
const MAX_TRIES = 5;

/** If a pooler loses prepared statements, this is null, and no statement is prepared. */
type Prepared = Set<string> | null;

export class Connection {
  readonly #options: ConnectionOptions;
  readonly #resend: Resend;
  #connected: Connected | undefined;
  #connecting: Promise<Connected> | undefined;
  #failure: { error: unknown; atMs: number } | undefined;
  #waiting = 0;
  #prepared: Prepared = new Set();
  #losses = 0;
  #isLost = false;
  #closed = false;

  constructor(options: ConnectionOptions, resend?: Resend) {
    this.#options = options;
    this.#resend = resend ?? ((queries) => this.sendBatch(queries));
  }

  /** A Connection that is not connected counts as full, so that another one is chosen. */
  get load(): number {
    return this.#waiting + (this.#connected === undefined ? MAX_WAITING : 0);
  }

  get isOpen(): boolean {
    return this.#connected !== undefined;
  }

  wake(): void {
    if (this.#connected === undefined && this.#connecting === undefined) this.#connect().catch(() => {});
  }

  /** Each statement sees what was committed before it began. */
  transact<const Steps extends readonly TxStep[]>(steps: Steps, deadlineMs: number): Promise<TxRows<Steps>> {
    return this.#retry(
      deadlineMs,
      async (connected) => (await this.#sendSteps(connected, steps, deadlineMs)) as TxRows<Steps>,
    );
  }

  /** Like `transact`, but takes one text of several statements. */
  script(text: string, deadlineMs: number): Promise<Value[][][]> {
    return this.#retry(deadlineMs, ({ client }) => this.#sendScript(client, text, deadlineMs));
  }

  async #retry<Result>(deadlineMs: number, send: (connected: Connected) => Promise<Result>): Promise<Result> {
    for (let tries = 1; ; tries++) {
      this.#waiting++;
      try {
        refuseLate(deadlineMs);
        return await send(this.#connected ?? (await this.#connectBefore(deadlineMs)));
      } catch (error) {
        const canRetry = tries < MAX_TRIES && performance.now() < deadlineMs;
        if (!canRetry || !isRepeatable(error)) throw error;
      } finally {
        this.#waiting--;
      }
    }
  }

  /** Sends the query in a batch of its own. The server cancels the query shortly before the deadline. */
  read<Row>(
    statement: ReadStatement<Row>,
    values: PendingQuery['values'],
    deadlineMs: number,
  ): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      const query = { statement, values, deadlineMs, resolve, reject } as PendingQuery;
      const timeoutMs = Math.max(1, Math.ceil((deadlineMs - performance.now()) * STATEMENT_SHARE));
      this.sendBatch([settingsQuery({ statement_timeout: timeoutMs }, deadlineMs), query]);
    });
  }

  /** Settles every query. If the server refuses one, the queries after it are sent again. */
  async sendBatch(queries: readonly PendingQuery[]): Promise<void> {
    if (queries.length === 0) return;
    this.#waiting += queries.length;
    try {
      const deadlineMs = Math.min(...queries.map((query) => query.deadlineMs));
      refuseLate(deadlineMs);
      const connected = this.#connected ?? (await this.#connectBefore(deadlineMs));
      this.#submit(connected, queries, deadlineMs, (error, unanswered, batch) => {
        this.#waiting -= queries.length;
        if (error !== null) this.#handleFailure(connected.client, batch, error, unanswered);
      });
    } catch (error) {
      this.#waiting -= queries.length;
      for (const query of queries) query.reject(error);
    }
  }

  #submit(
    { client, pooled, missingSettings }: Connected,
    queries: readonly PendingQuery[],
    deadlineMs: number,
    ended: (error: Error | null, unanswered: readonly PendingQuery[], batch: Batch) => void,
  ): void {
    const prepared = pooled ? null : this.#prepared;
    const sent =
      missingSettings === null ? queries : [settingsQuery(missingSettings, deadlineMs), ...queries];
    const batch: Batch = new Batch(sent, prepared, (error, unanswered) => ended(error, unanswered, batch));
    client.query(batch);
  }

  #handleFailure(
    client: pg.Client,
    batch: Batch,
    error: Error,
    [first, ...behind]: readonly PendingQuery[],
  ): void {
    if (first === undefined) return;
    this.#noteFailure(client, batch, error);
    if (isRepeatable(error)) behind.unshift(first);
    else first.reject(error);
    if (isStatementError(error)) this.#resend(behind);
    else for (const query of behind) query.reject(error);
  }

  #noteFailure(client: pg.Client, { prepared, prepares }: Batch, error: Error): void {
    if (endsConnection(error)) this.#drop(client);
    const isLost = prepared !== null && isLostStatement(error);
    if (isLost || prepares) this.#forget(prepared, isLost);
  }

  #sendSteps(connected: Connected, steps: readonly TxStep[], deadlineMs: number): Promise<unknown[][]> {
    return new Promise((resolve, reject) => {
      const results: unknown[][] = [];
      const queries = steps.map((step) => ({
        ...step,
        deadlineMs,
        resolve: (rows: unknown[]) => results.push(rows),
        reject,
      }));
      this.#submit(connected, queries, deadlineMs, (error, _, batch) => {
        if (error === null) return resolve(results);
        noteFailedStep(error, results.length);
        this.#noteFailure(connected.client, batch, error);
        reject(error);
      });
    });
  }

  #forget(prepared: Prepared, isLost: boolean): void {
    if (prepared !== this.#prepared) return;
    if (isLost) this.#losses++;
    // Two losses show that a pooler probably exchanges the session, so nothing more is prepared.
    this.#prepared = this.#losses > 1 ? null : new Set();
  }

  #sendScript(client: pg.Client, text: string, deadlineMs: number): Promise<Value[][][]> {
    type Result = pg.QueryArrayResult<Value[]>;
    return new Promise((resolve, reject) => {
      const expire = () => {
        settle(readTimeout());
        // Closes the connection, because every later query waits for this script's answer.
        internalsOf(client).connection.stream.destroy();
      };
      let slot: number | null = addDeadline({ deadlineMs, expire });
      const settle = (error: Error | null | undefined, result?: unknown) => {
        if (slot === null) return;
        removeDeadline(slot);
        slot = null;
        if (error === null || error === undefined) {
          // pg returns the result of a single statement without an array.
          const results = [result as Result | Result[]].flat();
          return resolve(results.map(({ rows }) => rows));
        }
        if (endsConnection(error)) this.#drop(client);
        reject(error);
      };
      client.query<Value[]>(arrayQuery(text), settle);
    });
  }

  #connectBefore(deadlineMs: number): Promise<Connected> {
    return withinTime(
      this.#connect(),
      deadlineMs - performance.now(),
      () => new StoreUnavailable('database_connection', 'no connection to the database in time'),
    );
  }

  #connect(): Promise<Connected> {
    // After `close`, nothing would close a new connection, and the process would not exit.
    if (this.#closed) return Promise.reject(new StoreUnavailable('database_closed'));
    if (this.#connecting !== undefined) return this.#connecting;
    if (this.#failure !== undefined && performance.now() - this.#failure.atMs < RECONNECT_AFTER_MS) {
      return Promise.reject(this.#failure.error);
    }
    this.#connecting = this.#options
      .connect()
      .then((connected) => {
        this.#connected = connected;
        this.#failure = undefined;
        this.#prepared &&= new Set();
        connected.client.once('end', () => this.#drop(connected.client));
        connected.client.once('error', () => this.#drop(connected.client));
        if (this.#isLost) this.#options.onReconnected?.();
        this.#isLost = false;
        return connected;
      })
      .catch((error) => {
        this.#failure = { error, atMs: performance.now() };
        throw error;
      })
      .finally(() => {
        this.#connecting = undefined;
      });
    return this.#connecting;
  }

  closeIfIdle(): void {
    if (this.#waiting === 0 && this.#connected !== undefined)
      this.#drop(this.#connected.client, { isLost: false });
  }

  #drop(client: pg.Client, { isLost = true } = {}): void {
    if (this.#connected?.client !== client) return;
    this.#connected = undefined;
    this.#isLost ||= isLost;
    client.end().catch(() => {});
  }

  async close(): Promise<void> {
    this.#closed = true;
    const connecting = await this.#connecting?.catch(() => undefined);
    await (this.#connected ?? connecting)?.client.end();
    this.#connected = undefined;
  }
}

/** The server cancels a query at this share of its time limit. At the limit, the connection is closed. */
const STATEMENT_SHARE = 0.9;

const SET_SETTINGS = readStatement(
  'SELECT set_config(name, value, true) FROM unnest($1::text[], $2::text[]) AS given (name, value)',
  (row) => row.text(),
);

/** The settings apply to the rest of the batch, which is one database transaction. */
function settingsQuery(
  settings: Readonly<Record<string, string | number>>,
  deadlineMs: number,
): PendingQuery {
  return {
    statement: SET_SETTINGS,
    values: [arrayText(Object.keys(settings)), arrayText(Object.values(settings))],
    deadlineMs,
    resolve: () => {},
    // No caller waits for this query. The connection itself handles every error of a batch.
    reject: () => {},
  };
}

/** A late query is not sent: its timeout would close the connection and fail all queries in flight. */
function refuseLate(deadlineMs: number): void {
  if (performance.now() >= deadlineMs) throw new StoreUnavailable('database_timeout');
}
