import pg from 'pg';
import { MessageWriter } from './message-writer.ts';
import type { RowBytes } from './row-bytes.ts';

/** A statement with the name that it is prepared under. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** A statement whose rows are read by a function of its own. */
export interface ReadStatement<Row> extends Statement {
  readonly readRow: (row: RowBytes) => Row;
}

export interface Question<Row = unknown> {
  readonly statement: ReadStatement<Row>;
  readonly values: readonly (string | number)[];
  readonly deadlineMs: number;
  answer(rows: Row[]): void;
  fail(error: unknown): void;
}

/** What is told of a batch once, when the server has done with it: the questions that it did not answer. */
export type BatchEnded = (error: Error | null, unanswered: readonly Question[]) => void;

/** The driver's own query, of which its pipeline takes every kind. Its types tell less than it does. */
const DriverQuery = pg.Query as unknown as new (text: string) => { callback: (error: Error | null) => void };

/**
 * Questions that travel together: one message to the server, one transaction there, and one turn of the
 * driver's pipeline. The server answers them in their order; where one fails, those behind it are not answered.
 */
export class Batch extends DriverQuery {
  /** Where the driver looks for it. */
  readonly query_timeout: number;
  /** What the connection has prepared, or null where nothing is to be prepared. */
  readonly prepared: Set<string> | null;
  /** Whether something is to be prepared in this batch. */
  prepares = false;
  readonly #questions: readonly Question[];
  #rows: unknown[] = [];
  #answered = 0;

  constructor(
    questions: readonly Question[],
    prepared: Set<string> | null,
    nowMs: number,
    ended: BatchEnded,
  ) {
    super('');
    this.#questions = questions;
    this.prepared = prepared;
    const deadlineMs = Math.min(...questions.map((question) => question.deadlineMs));
    this.query_timeout = Math.max(1, Math.ceil(deadlineMs - nowMs));
    this.callback = (error) => ended(error, this.#questions.slice(this.#answered));
  }

  /** Called by the driver in the batch's turn to be sent. */
  submit({ stream }: pg.Connection): null {
    const before = this.prepared?.size;
    stream.write(messageOf(this.#questions, this.prepared));
    this.prepares = this.prepared?.size !== before;
    return null;
  }

  takeRow(row: RowBytes): void {
    this.#rows.push((this.#questions[this.#answered] as Question).statement.readRow(row));
  }

  /** The rows of one question are complete. */
  takeEnd(): void {
    const rows = this.#rows;
    this.#rows = [];
    (this.#questions[this.#answered++] as Question).answer(rows);
  }

  handleError(error: Error): void {
    this.callback(error);
  }

  /** Called by the driver where a question is passed over: the next answer would be taken for its own. */
  handleEmptyQuery(): never {
    throw new Error('the server passed over a question');
  }

  /** Called by the driver once nothing more will come. */
  handleReadyForQuery(): void {
    const unanswered = this.#questions.length - this.#answered;
    this.callback(unanswered === 0 ? null : new Error(`the server left ${unanswered} questions unanswered`));
  }
}

const TEXT = 0;
const BINARY = 1;

const writer = new MessageWriter();

/**
 * Everything that a batch asks, as the server reads it. A name is made free before anything is prepared under it:
 * what was prepared in a batch that failed may be there or not.
 */
function messageOf(questions: readonly Question[], prepared: Set<string> | null): Buffer {
  for (const { statement, values } of questions) {
    const name = prepared === null ? '' : statement.name;
    if (prepared?.has(name) !== true) {
      if (prepared !== null) writer.begin('C').name(`S${name}`);
      writer.begin('P').name(name).name(statement.text).int16(0);
      prepared?.add(name);
    }
    writer.begin('B').name('').name(name).int16(1).int16(TEXT).int16(values.length);
    for (const value of values) writer.value(String(value));
    writer.int16(1).int16(BINARY);
    const allRows = 0;
    writer.begin('E').name('').int32(allRows);
  }
  writer.begin('S');
  return writer.take();
}
