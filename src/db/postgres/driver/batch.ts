import type { Duplex } from 'node:stream';
import type pg from 'pg';
import { Slots } from '../../../../values/slots.ts';
import type { Row } from '../../statement.ts';
import { PgQuery } from './pg-internals.ts';
import type { ReadStatement, Value } from './statement.ts';

export interface PendingQuery<Read = unknown> {
  readonly statement: ReadStatement<Read>;
  readonly values: readonly Value[];
  readonly deadlineMs: number;
  /** Slow queries with the same key run one after another. The key is usually the account. */
  readonly key?: string;
  resolve(rows: Read[]): void;
  reject(error: unknown): void;
}

type BatchEnded = (error: Error | null, unanswered: readonly PendingQuery[]) => void;

/** Queries that are sent in one message and run in one database transaction. For pg, a batch is one query. */
export class Batch extends PgQuery {
  readonly deadlineMs: number;
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

  submit({ stream }: pg.Connection): null {
    const before = this.prepared?.size;
    this.#stream = stream;
    stream.write(messageOf(this.#queries, this.prepared));
    this.prepares = this.prepared?.size !== before;
    return null;
  }

  handleRow(row: Row): void {
    this.#rows.push((this.#queries[this.#answered] as PendingQuery).statement.readRow(row));
  }

  handleEnd(): void {
    const rows = this.#rows;
    this.#rows = [];
    (this.#queries[this.#answered++] as PendingQuery).resolve(rows);
  }

  handleError(error: Error): void {
    this.#end(error);
  }

  /** The server sends no result for an empty query, so later results would go to the wrong queries. */
  handleEmptyQuery(): never {
    throw new Error('the server skipped a query');
  }

  handleReadyForQuery(): void {
    const unanswered = this.#queries.length - this.#answered;
    this.#end(unanswered === 0 ? null : new Error(`the server left ${unanswered} queries unanswered`));
  }
}

const NULL = -1;
const TEXT = 0;
const BINARY = 1;

/** Source: postgresql.org/docs/current/protocol-message-formats.html. */
class MessageWriter {
  #bytes = Buffer.allocUnsafe(16_384);
  #at = 0;
  #lengthAt = 0;

  begin(kind: string): this {
    this.#closeMessage();
    this.#makeRoom(5);
    this.#bytes[this.#at] = kind.charCodeAt(0);
    this.#lengthAt = this.#at + 1;
    this.#at += 5;
    return this;
  }

  int16(value: number): this {
    this.#makeRoom(2);
    this.#at = this.#bytes.writeInt16BE(value, this.#at);
    return this;
  }

  int32(value: number): this {
    this.#makeRoom(4);
    this.#at = this.#bytes.writeInt32BE(value, this.#at);
    return this;
  }

  name(text: string): this {
    this.#write(text);
    this.#makeRoom(1);
    this.#bytes[this.#at++] = 0;
    return this;
  }

  value(text: string | null): this {
    if (text === null) return this.int32(NULL);
    this.int32(0);
    const from = this.#at;
    this.#write(text);
    this.#bytes.writeInt32BE(this.#at - from, from - 4);
    return this;
  }

  take(): Buffer {
    this.#closeMessage();
    const taken = Buffer.from(this.#bytes.subarray(0, this.#at));
    this.#at = 0;
    return taken;
  }

  #write(text: string): void {
    // A UTF-16 code unit takes at most three bytes in UTF-8.
    this.#makeRoom(text.length * 3);
    this.#at += this.#bytes.write(text, this.#at);
  }

  #closeMessage(): void {
    if (this.#at > 0) this.#bytes.writeInt32BE(this.#at - this.#lengthAt, this.#lengthAt);
  }

  #makeRoom(bytes: number): void {
    if (this.#at + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.#at + bytes));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}

const writer = new MessageWriter();

function messageOf(queries: readonly PendingQuery[], prepared: Set<string> | null): Buffer {
  for (const { statement, values } of queries) {
    const name = prepared === null ? '' : statement.name;
    if (prepared?.has(name) !== true) {
      // Closes the statement (C) before preparing it (P). The session may still have it after a failed batch,
      // and would refuse to prepare it again.
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

/** `deadlineMs` is a time of performance.now(). */
interface Timed {
  readonly deadlineMs: number;
  expire(): void;
}

export const readTimeout = () => new Error('Query read timeout');

const CHECK_MS = 20;

const waiting = new Slots<Timed>();
let timer: NodeJS.Timeout | null = null;

/** Replaces pg's `query_timeout`, which uses more memory because it creates a function for each query. */
export function addDeadline(timed: Timed): number {
  timer ??= setInterval(check, CHECK_MS).unref();
  return waiting.add(timed);
}

export const removeDeadline = (slot: number): void => waiting.remove(slot);

function check(): void {
  const nowMs = performance.now();
  let isIdle = true;
  for (const timed of waiting) {
    isIdle = false;
    if (timed.deadlineMs <= nowMs) timed.expire();
  }
  if (!isIdle || timer === null) return;
  clearInterval(timer);
  timer = null;
}
