import type { Duplex } from 'node:stream';
import type pg from 'pg';
import { addDeadline, readTimeout, removeDeadline } from './deadlines.ts';
import { MessageWriter } from './message-writer.ts';
import { PgQuery } from './pg-internals.ts';
import type { RowReader } from './row-reader.ts';
import type { ReadStatement, Value } from './statement.ts';

/** A query whose caller waits for its rows. */
export interface PendingQuery<Row = unknown> {
  readonly statement: ReadStatement<Row>;
  readonly values: readonly Value[];
  readonly deadlineMs: number;
  /** The key under which a slow query takes turns. Absent if the query is not sent on shared connections. */
  readonly key?: string;
  resolve(rows: Row[]): void;
  reject(error: unknown): void;
}

/** Called once, when the server has finished a batch. `unanswered` are the queries that it skipped. */
type BatchEnded = (error: Error | null, unanswered: readonly PendingQuery[]) => void;

/**
 * Queries that are sent together: as one message to the server, one database transaction, and one query in
 * pg's pipeline. The server answers them in order. If one query fails, the server skips the rest.
 */
export class Batch extends PgQuery {
  readonly deadlineMs: number;
  /** The names of the statements that are prepared on the connection. If null, no statement is prepared. */
  readonly prepared: Set<string> | null;
  prepares = false;
  readonly #queries: readonly PendingQuery[];
  readonly #ended: BatchEnded;
  #rows: unknown[] = [];
  #answered = 0;
  #stream: Duplex | undefined;
  #slot: number | null;

  constructor(queries: readonly PendingQuery[], prepared: Set<string> | null, ended: BatchEnded) {
    super('');
    this.#queries = queries;
    this.prepared = prepared;
    this.#ended = ended;
    this.deadlineMs = Math.min(...queries.map((query) => query.deadlineMs));
    this.#slot = addDeadline(this);
  }

  /** Closes the connection, because every later query waits for this batch's answer. */
  expire(): void {
    this.#end(readTimeout());
    this.#stream?.destroy();
  }

  #end(error: Error | null): void {
    if (this.#slot === null) return;
    removeDeadline(this.#slot);
    this.#slot = null;
    this.#ended(error, this.#queries.slice(this.#answered));
  }

  /** Called by pg to send the batch. */
  submit({ stream }: pg.Connection): null {
    const before = this.prepared?.size;
    this.#stream = stream;
    stream.write(messageOf(this.#queries, this.prepared));
    this.prepares = this.prepared?.size !== before;
    return null;
  }

  handleRow(row: RowReader): void {
    this.#rows.push((this.#queries[this.#answered] as PendingQuery).statement.readRow(row));
    row.finish();
  }

  /** Called by pg when the result of one query is complete. */
  handleEnd(): void {
    const rows = this.#rows;
    this.#rows = [];
    (this.#queries[this.#answered++] as PendingQuery).resolve(rows);
  }

  /** Called by pg when the server refuses a query, and when the connection is lost. */
  handleError(error: Error): void {
    this.#end(error);
  }

  /**
   * Called by pg when the server skips an empty query. Without this error, the query would get the result
   * of the next query.
   */
  handleEmptyQuery(): never {
    throw new Error('the server skipped a query');
  }

  /** Called by pg when the server has answered the whole batch. */
  handleReadyForQuery(): void {
    const unanswered = this.#queries.length - this.#answered;
    this.#end(unanswered === 0 ? null : new Error(`the server left ${unanswered} queries unanswered`));
  }
}

const TEXT = 0;
const BINARY = 1;

const writer = new MessageWriter();

/**
 * The messages of a batch. Before a statement is prepared, its name is freed, because an earlier batch that
 * failed may have prepared it.
 */
function messageOf(queries: readonly PendingQuery[], prepared: Set<string> | null): Buffer {
  for (const { statement, values } of queries) {
    const name = prepared === null ? '' : statement.name;
    if (prepared?.has(name) !== true) {
      if (prepared !== null) writer.begin('C').name(`S${name}`);
      writer.begin('P').name(name).name(statement.text).int16(0);
      prepared?.add(name);
    }
    writer.begin('B').name('').name(name).int16(1).int16(TEXT).int16(values.length);
    for (const value of values) writer.value(value === null ? null : String(value));
    writer.int16(1).int16(BINARY);
    const allRows = 0;
    writer.begin('E').name('').int32(allRows);
  }
  writer.begin('S');
  return writer.take();
}
