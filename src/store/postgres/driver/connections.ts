import { hash } from 'node:crypto';
import { type ConnectionUse, StoreUnavailable } from '../../../core/store.ts';
import type { Question, ReadStatement, Statement } from './batch.ts';
import { CLOSED, Connection, type ConnectionOptions, LATE, MAX_WAITING } from './connection.ts';
import { explainError, isDeadlock, isLostStatement, isSlowStatement, type Value } from './database.ts';
import type { PatientLane } from './patient-lane.ts';
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
  /** Where a statement goes that takes longer than it may on a shared connection: without one, it fails then. */
  patient?: PatientLane;
}

/** Of what is left of a question's time, so that the server gives it up before its connection is. */
const STATEMENT_SHARE = 0.9;

/** A statement is asked so often where it is given up for another one's sake: each time, one of them ends. */
const MOST_TIMES = 5;

const LIMIT = readStatement(`SELECT set_config('statement_timeout', $1, true)`, (row) => row.text());

/** Holds for the questions behind it in its batch. */
const limitOf = (deadlineMs: number): Question => ({
  statement: LIMIT,
  values: [Math.max(1, Math.ceil((deadlineMs - performance.now()) * STATEMENT_SHARE))],
  deadlineMs,
  answer: () => {},
  // Where it fails, those behind it are asked again.
  fail: () => {},
});

/** More questions in a batch would hardly be cheaper, and the first of them would wait longer for its answer. */
const MAX_BATCH = 16;

const accountOf = ({ values }: Pick<Question, 'values'>) => String(values[0]);

/** What a question fails with that was to be sent together with those of other accounts. */
const ACCOUNT_IS_SLOW = new StoreUnavailable('lists of this account are slow');

/** Asks with a connection to itself, where the server gives a question up shortly before its time is over. */
function askAlone<Row>(
  connection: Connection,
  question: Pick<Question<Row>, 'statement' | 'values' | 'deadlineMs'>,
): Promise<Row[]> {
  return new Promise((answer, fail) => {
    const asked = { ...question, answer, fail } as Question;
    connection.askTogether([limitOf(question.deadlineMs), asked]);
  });
}

/** Asks once more what was lost with a pooler's connection, or given up so that another statement goes on. */
export async function ask<Row extends Value[]>(
  connection: Connection,
  statement: Statement,
  values: readonly unknown[],
  deadlineMs: number,
): Promise<Row[]> {
  for (let time = 1; ; time++) {
    try {
      return (await connection.ask(statement, values, deadlineMs)) as Row[];
    } catch (error) {
      const mayAskAgain = time < MOST_TIMES && performance.now() < deadlineMs;
      if (!mayAskAgain || !(isLostStatement(error) || isDeadlock(error))) throw error;
    }
  }
}

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
    this.#connections = Array.from(
      { length: options.size },
      () => new Connection(options, (questions) => this.#send(questions)),
    );
  }

  /**
   * The rows that answer a question.
   *
   * Throws: StoreUnavailable where the database does not answer in time, or too many wait already.
   */
  async query<Row extends Value[]>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    this.#refuseWhereTooMany();
    const deadlineMs = performance.now() + this.#options.timeoutMs;
    const { patient } = this.#options;
    const askPatiently = (lane: PatientLane) =>
      lane.run(statement.name, deadlineMs, (connection) =>
        ask<Row>(connection, statement, values, deadlineMs),
      );
    this.#waiting++;
    try {
      if (patient?.isSlow(statement.name)) return await askPatiently(patient);
      try {
        return await ask<Row>(this.#leastBusy(), statement, values, deadlineMs);
      } catch (error) {
        if (patient === undefined || !isSlowStatement(error)) throw error;
        return await askPatiently(patient);
      }
    } catch (error) {
      throw explainError(error);
    } finally {
      this.#waiting--;
    }
  }

  /**
   * The rows that answer a question that only reads, about the account that its first value names. Questions of one
   * turn of the event loop travel together, in one transaction of the database: each must name its account to
   * row-level security by itself.
   *
   * Throws: StoreUnavailable, as query does.
   */
  async read<Row>(statement: ReadStatement<Row>, values: readonly (string | number)[]): Promise<Row[]> {
    this.#refuseWhereTooMany();
    const deadlineMs = performance.now() + this.#options.timeoutMs;
    const { patient } = this.#options;
    const account = accountOf({ values });
    const askPatiently = (lane: PatientLane) =>
      lane.run(account, deadlineMs, (connection) => askAlone(connection, { statement, values, deadlineMs }));
    this.#waiting++;
    try {
      if (patient?.isSlow(account)) return await askPatiently(patient);
      try {
        return await this.#gather({ statement, values, deadlineMs });
      } catch (error) {
        if (patient === undefined || !(error === ACCOUNT_IS_SLOW || isSlowStatement(error))) throw error;
        return await askPatiently(patient);
      }
    } catch (error) {
      throw explainError(error);
    } finally {
      this.#waiting--;
    }
  }

  #gather<Row>(question: Pick<Question<Row>, 'statement' | 'values' | 'deadlineMs'>): Promise<Row[]> {
    return new Promise((answer, reject) => {
      const fail = (error: unknown) => {
        // Before those behind it are sent again: the others of its account are not among them.
        if (isSlowStatement(error)) this.#options.patient?.markSlow(accountOf(question));
        reject(error);
      };
      if (this.#gathered.length === 0) setImmediate(() => this.#sendGathered());
      this.#gathered.push({ ...question, answer, fail } as Question);
    });
  }

  #sendGathered(): void {
    const gathered = this.#gathered;
    this.#gathered = [];
    this.#send(gathered);
  }

  #send(questions: readonly Question[]): void {
    const together: Question[] = [];
    for (const question of questions) {
      if (this.#options.patient?.isSlow(accountOf(question))) question.fail(ACCOUNT_IS_SLOW);
      else if (performance.now() >= question.deadlineMs) question.fail(new StoreUnavailable(LATE));
      else together.push(question);
    }
    for (let from = 0; from < together.length; from += MAX_BATCH) {
      this.#leastBusy().askTogether(together.slice(from, from + MAX_BATCH));
    }
  }

  #refuseWhereTooMany(): void {
    if (this.#closed) throw new StoreUnavailable(CLOSED);
    if (this.#waitingHere >= MAX_WAITING * this.#options.size) {
      throw new StoreUnavailable('too many requests wait for the database');
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

  /** Those that wait on the shared connections, without those that were handed to the patient lane. */
  get #waitingHere(): number {
    return this.#waiting - (this.#options.patient?.use.waiting ?? 0);
  }

  get use(): ConnectionUse {
    const open = this.#connections.filter(({ isOpen }) => isOpen).length;
    return { size: this.#options.size, open, waiting: this.#waitingHere };
  }

  /** Of the connections that slow statements have to themselves. */
  get slowUse(): ConnectionUse {
    return this.#options.patient?.use ?? { size: 0, open: 0, waiting: 0 };
  }

  async close(): Promise<void> {
    this.#sendGathered();
    this.#closed = true;
    await Promise.all([
      ...this.#connections.map((connection) => connection.close()),
      this.#options.patient?.close(),
    ]);
  }
}
