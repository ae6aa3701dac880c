import type pg from 'pg';
import { StoreUnavailable } from '../../../core/store.ts';
import { withinTime } from '../../../core/time-limit.ts';
import { Batch, type Question, type Statement } from './batch.ts';
import {
  arrayQuery,
  type Connected,
  isLostStatement,
  isOfStatement,
  isReadOnly,
  type Value,
} from './database.ts';
import { planSettingsQuery } from './plan-settings.ts';

export interface ConnectionOptions {
  connect(): Promise<Connected>;
}

/** Where questions go that stood behind one that the server refused. */
export type AskAgain = (questions: readonly Question[]) => void;

/** A server that was just away is not asked again before this time has passed: callers are told at once. */
const RETRY_AFTER_MS = 250;

/** More questions than this one after the other would not be answered in time. */
export const MAX_WAITING = 500;

export const LATE = 'the database did not answer in time';
export const CLOSED = 'the store is closed';

/** The names of what batches have prepared, or null where what they prepare gets lost. */
type Prepared = Set<string> | null;

/** One connection that many questions share: each is sent at once, behind those that wait for their answers. */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #askAgain: AskAgain;
  #connected: Connected | undefined;
  #connecting: Promise<Connected> | undefined;
  #failure: { error: unknown; atMs: number } | undefined;
  #waiting = 0;
  #prepares = true;
  #prepared: Prepared = new Set();
  #losses = 0;
  #closed = false;

  constructor(options: ConnectionOptions, askAgain?: AskAgain) {
    this.#options = options;
    this.#askAgain = askAgain ?? ((questions) => this.askTogether(questions));
  }

  /** How many questions wait here; one that is away counts as if its queue were full. */
  get burden(): number {
    return this.#waiting + (this.#connected === undefined ? MAX_WAITING : 0);
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
      refuseLate(deadlineMs);
      const { client, pooled } = this.#connected ?? (await this.#connectBefore(deadlineMs));
      return await this.#send(client, statement, values, deadlineMs, this.#prepares && !pooled);
    } finally {
      this.#waiting--;
    }
  }

  /** Answers or fails every question. Where the server refuses one of them, those behind it are asked again. */
  async askTogether(questions: readonly Question[]): Promise<void> {
    if (questions.length === 0) return;
    this.#waiting += questions.length;
    try {
      const deadlineMs = Math.min(...questions.map((question) => question.deadlineMs));
      refuseLate(deadlineMs);
      const { client, pooled, missingSettings } = this.#connected ?? (await this.#connectBefore(deadlineMs));
      const prepared = pooled ? null : this.#prepared;
      const sent =
        missingSettings === null ? questions : [planSettingsQuery(missingSettings, deadlineMs), ...questions];
      const batch: Batch = new Batch(sent, prepared, performance.now(), (error, unanswered) => {
        this.#waiting -= questions.length;
        if (error !== null) this.#afterFailure(client, batch, error, unanswered);
      });
      client.query(batch);
    } catch (error) {
      this.#waiting -= questions.length;
      for (const question of questions) question.fail(error);
    }
  }

  #afterFailure(
    client: pg.Client,
    { prepared, prepares }: Batch,
    error: Error,
    [first, ...behind]: readonly Question[],
  ): void {
    if (first === undefined) return;
    const isOfTheFirst = isOfStatement(error);
    if (!isOfTheFirst || isReadOnly(error)) this.#drop(client);
    const isLost = prepared !== null && isLostStatement(error);
    if (isLost || prepares) this.#forget(prepared, isLost);
    if (isLost) behind.unshift(first);
    else first.fail(error);
    if (isOfTheFirst) this.#askAgain(behind);
    else for (const question of behind) question.fail(error);
  }

  /** What a batch that failed was to prepare is there or not; what is lost for a second time is lost to a pooler. */
  #forget(prepared: Prepared, isLost: boolean): void {
    if (prepared !== this.#prepared) return;
    if (isLost) this.#losses++;
    this.#prepared = this.#losses > 1 ? null : new Set();
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
        if (!isOfStatement(error) || isReadOnly(error)) this.#drop(client);
        reject(error);
      });
    });
  }

  #connectBefore(deadlineMs: number): Promise<Connected> {
    return withinTime(
      this.#connect(),
      deadlineMs - performance.now(),
      'no connection to the database in time',
    );
  }

  #connect(): Promise<Connected> {
    // Nobody would end it, and the process would not either.
    if (this.#closed) return Promise.reject(new StoreUnavailable(CLOSED));
    if (this.#connecting !== undefined) return this.#connecting;
    if (this.#failure !== undefined && performance.now() - this.#failure.atMs < RETRY_AFTER_MS) {
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
    this.#closed = true;
    const connecting = await this.#connecting?.catch(() => undefined);
    await (this.#connected ?? connecting)?.client.end();
    this.#connected = undefined;
  }
}

/** What is late already would end the connection, and with it what others wait for. */
function refuseLate(deadlineMs: number): void {
  if (performance.now() >= deadlineMs) throw new StoreUnavailable(LATE);
}
