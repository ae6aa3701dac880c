import { hash } from 'node:crypto';
import type pg from 'pg';
import { type ConnectionUse, StoreUnavailable } from '../../core/store.ts';
import {
  arrayQuery,
  type Connected,
  explainError,
  isLostConnection,
  isLostStatement,
  type Value,
} from './database.ts';

/** A statement with the name that it is prepared under. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/**
 * A statement named after its text: behind a pooler, connections are shared with other programs of ours, and
 * a name that meant another text there would give another answer.
 */
export function statement(text: string): Statement {
  return { name: `transactions_${hash('sha256', text, 'base64url').slice(0, 22)}`, text };
}

export interface ConnectionsOptions {
  size: number;
  /** How long a question may take, the waiting for a connection included. */
  timeoutMs: number;
  connect(): Promise<Connected>;
}

/** A server that was just away is not asked again before this time has passed: callers are told at once. */
const RETRY_AFTER_MS = 250;

/** More questions than this one after the other on a connection would not be answered in time. */
const MAX_WAITING_PER_CONNECTION = 500;

/**
 * A few connections that many questions share: each question is sent at once, behind those that wait for
 * their answers. A lost connection is made again by the next question.
 */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #connections: Connection[];
  #waiting = 0;
  #closed = false;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    this.#connections = Array.from({ length: options.size }, () => new Connection(options));
  }

  /**
   * The rows that answer a question.
   *
   * Throws: StoreUnavailable where the database does not answer in time, or too many wait already.
   */
  async query<Row extends Value[]>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    if (this.#closed) throw new StoreUnavailable('the store is closed');
    if (this.#waiting >= MAX_WAITING_PER_CONNECTION * this.#options.size) {
      throw new StoreUnavailable('too many requests wait for the database');
    }
    this.#waiting++;
    try {
      return await this.#ask<Row>(statement, values);
    } catch (error) {
      throw explainError(error);
    } finally {
      this.#waiting--;
    }
  }

  async #ask<Row extends Value[]>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    const deadlineMs = performance.now() + this.#options.timeoutMs;
    const connection = this.#leastBusy();
    try {
      return (await connection.ask(statement, values, deadlineMs)) as Row[];
    } catch (error) {
      // The connection asks without prepared statements from now on.
      if (isLostStatement(error)) return (await connection.ask(statement, values, deadlineMs)) as Row[];
      throw error;
    }
  }

  #leastBusy(): Connection {
    let least = this.#connections[0] as Connection;
    for (const connection of this.#connections) {
      connection.wake();
      if (connection.burden < least.burden) least = connection;
    }
    return least;
  }

  get use(): ConnectionUse {
    const open = this.#connections.filter(({ isOpen }) => isOpen).length;
    return { size: this.#options.size, open, waiting: this.#waiting };
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#connections.map((connection) => connection.close()));
  }
}

class Connection {
  readonly #options: ConnectionsOptions;
  #connected: Connected | undefined;
  #connecting: Promise<Connected> | undefined;
  #failure: { error: unknown; atMs: number } | undefined;
  #waiting = 0;
  #prepares = true;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /** How many questions wait here; one that is away counts as if its queue were full. */
  get burden(): number {
    return this.#waiting + (this.#connected === undefined ? MAX_WAITING_PER_CONNECTION : 0);
  }

  get isOpen(): boolean {
    return this.#connected !== undefined;
  }

  /** Makes the connection where there is none, for the questions to come. */
  wake(): void {
    if (this.#connected === undefined && this.#connecting === undefined) this.#connect().catch(() => {});
  }

  async ask(statement: Statement, values: readonly unknown[], deadlineMs: number): Promise<Value[][]> {
    this.#waiting++;
    try {
      const { client, pooled } = this.#connected ?? (await before(deadlineMs, this.#connect()));
      return await this.#send(client, statement, values, deadlineMs, this.#prepares && !pooled);
    } finally {
      this.#waiting--;
    }
  }

  #send(
    client: pg.Client,
    { name, text }: Statement,
    values: readonly unknown[],
    deadlineMs: number,
    prepare: boolean,
  ): Promise<Value[][]> {
    // At the deadline the driver gives the connection up, because everything behind waits for the same answer.
    const query = {
      ...arrayQuery(text, values, prepare ? name : undefined),
      query_timeout: Math.max(1, Math.ceil(deadlineMs - performance.now())),
    };
    return new Promise((resolve, reject) => {
      client.query<Value[]>(query, (error: Error | null, result) => {
        if (error === null || error === undefined) return resolve(result.rows);
        if (isLostStatement(error)) this.#prepares = false;
        if (isLostConnection(error)) this.#drop(client);
        reject(error);
      });
    });
  }

  #connect(): Promise<Connected> {
    if (this.#connecting !== undefined) return this.#connecting;
    if (this.#failure !== undefined && performance.now() - this.#failure.atMs < RETRY_AFTER_MS) {
      return Promise.reject(this.#failure.error);
    }
    this.#connecting = this.#options
      .connect()
      .then((connected) => {
        this.#connected = connected;
        this.#failure = undefined;
        connected.client.once('end', () => this.#drop(connected.client));
        connected.client.once('error', () => this.#drop(connected.client));
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

  #drop(client: pg.Client): void {
    if (this.#connected?.client !== client) return;
    this.#connected = undefined;
    client.end().catch(() => {});
  }

  async close(): Promise<void> {
    const connecting = await this.#connecting?.catch(() => undefined);
    await (this.#connected ?? connecting)?.client.end();
    this.#connected = undefined;
  }
}

/** A promise's value, unless a time comes first. */
async function before<Value>(deadlineMs: number, promise: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new StoreUnavailable('no connection to the database in time')),
      Math.max(0, deadlineMs - performance.now()),
    );
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
