import { hash } from 'node:crypto';
import { type ConnectionUse, StoreUnavailable } from '../../core/store.ts';
import type { Question, ReadStatement, Statement } from './batch.ts';
import { Connection, type ConnectionOptions, MAX_WAITING } from './connection.ts';
import { explainError, isLostStatement, type Value } from './database.ts';
import type { RowBytes } from './row-bytes.ts';

/**
 * A statement named after its text: behind a pooler, connections are shared with other programs of ours, and
 * a name that meant another text there would give another answer.
 */
export function statement(text: string): Statement {
  return { name: `transactions_${hash('sha256', text, 'base64url').slice(0, 22)}`, text };
}

/** The same, with how its rows are read. */
export function readStatement<Row>(text: string, readRow: (row: RowBytes) => Row): ReadStatement<Row> {
  return { ...statement(text), readRow };
}

export interface ConnectionsOptions extends ConnectionOptions {
  size: number;
  /** How long a question may take, the waiting for a connection included. */
  timeoutMs: number;
}

/** More questions in a batch would hardly be cheaper, and the first of them would wait longer for its answer. */
const MAX_BATCH = 16;

/**
 * A few connections that many questions share: each question is sent at once, behind those that wait for
 * their answers. A lost connection is made again by the next question.
 */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #connections: Connection[];
  #gathered: Question[] = [];
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
    this.#refuseWhereTooMany();
    this.#waiting++;
    try {
      return await this.#ask<Row>(statement, values);
    } catch (error) {
      throw explainError(error);
    } finally {
      this.#waiting--;
    }
  }

  /**
   * The rows that answer a question that only reads. Questions of one turn of the event loop travel together,
   * in one transaction of the database: each must name its account to the wall by itself.
   *
   * Throws: StoreUnavailable, as query does.
   */
  async read<Row>(statement: ReadStatement<Row>, values: readonly (string | number)[]): Promise<Row[]> {
    this.#refuseWhereTooMany();
    if (this.#gathered.length === 0) setImmediate(() => this.#sendGathered());
    const deadlineMs = performance.now() + this.#options.timeoutMs;
    this.#waiting++;
    try {
      return await new Promise<Row[]>((answer, fail) => {
        this.#gathered.push({ statement, values, deadlineMs, answer, fail } as Question);
      });
    } catch (error) {
      throw explainError(error);
    } finally {
      this.#waiting--;
    }
  }

  #sendGathered(): void {
    const gathered = this.#gathered;
    this.#gathered = [];
    for (let from = 0; from < gathered.length; from += MAX_BATCH) {
      this.#leastBusy().askTogether(gathered.slice(from, from + MAX_BATCH));
    }
  }

  #refuseWhereTooMany(): void {
    if (this.#closed) throw new StoreUnavailable('the store is closed');
    if (this.#waiting >= MAX_WAITING * this.#options.size) {
      throw new StoreUnavailable('too many requests wait for the database');
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
    this.#sendGathered();
    this.#closed = true;
    await Promise.all(this.#connections.map((connection) => connection.close()));
  }
}
