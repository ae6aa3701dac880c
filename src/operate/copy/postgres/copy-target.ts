import type pg from 'pg';
import { StoreUnavailable } from '../../../../values/store-errors.ts';
import {
  arrayQuery,
  explainError,
  isDeadlock,
  isRowError,
  type PlanSettings,
  type Value,
} from '../../../db/postgres/driver/index.ts';
import { TABLE_WAIT_MS, whenTablesAreFree } from '../../../db/postgres/migration-lock.ts';
import { retrying } from '../../../db/retrying.ts';
import { type CopyMark, REMOVE_MARK, STORE_MARK } from '../../copy-mark.ts';
import { refusedChanges } from '../copy-context.ts';
import type { ChangeChunk, CopyStatement, CopyTarget } from '../copy-target.ts';
import { BEGIN_OF_COPY, fenceOf, REMOVE_FENCE } from './copy-sql.ts';
import { changeStatements } from './write-sql.ts';

interface CopyTargetOptions {
  /** Opened with `pipeline: true`, so it sends a query before the earlier ones are answered. */
  writer: pg.Client;
  missingSettings: PlanSettings | null;
  isOnCitus: boolean;
  lock: pg.Client;
}

const WRITES_IN_FLIGHT = 2;

const DEADLOCK_RETRIES = { everyMs: 20, withinMs: 10_000 };

const ANSWER_MS = 180_000;

/** Commits do not wait for the disk, because a copy can resume from any commit. */
const COMMIT_LATER: CopyStatement = { text: 'SET LOCAL synchronous_commit = off', values: [] };

const alone = (text: string): CopyStatement => ({ text, values: [] });

/** All statements of a database transaction are sent together with its COMMIT. */
export class PostgresCopyTarget implements CopyTarget {
  readonly writesInFlight = WRITES_IN_FLIGHT;
  readonly jsonRows = {
    from: (table: string) => `json_populate_recordset(NULL::${table}, $1)`,
    column: (name: string) => name,
  };
  readonly #options: CopyTargetOptions;
  readonly #begin: readonly string[];
  #previous: Promise<unknown> = Promise.resolve();
  #isLockLost = false;

  constructor(options: CopyTargetOptions) {
    const { lock, missingSettings } = options;
    this.#options = options;
    this.#begin = [
      ...BEGIN_OF_COPY,
      ...Object.entries(missingSettings ?? {}).map(([name, value]) => `SET LOCAL ${name} = '${value}'`),
    ];
    for (const event of ['end', 'error']) lock.once(event, () => (this.#isLockLost = true));
  }

  async mark({ state, other, sinceMs }: CopyMark): Promise<void> {
    const { isOnCitus } = this.#options;
    const store = { text: STORE_MARK, values: [state, other, String(sinceMs)] };
    await this.#repeatedly([...[...REMOVE_FENCE, ...fenceOf(state, isOnCitus)].map(alone), store]);
  }

  writeChanges(chunks: readonly ChangeChunk[]): Promise<void> {
    const written = this.#write(changeStatements(chunks)).catch((error) => {
      throw isRowError(error) ? refusedChanges(whatOf(error)) : error;
    });
    this.#previous = Promise.allSettled([this.#previous, written]);
    return written;
  }

  async run(statements: readonly CopyStatement[]): Promise<void> {
    await this.#write(statements);
  }

  /** This last commit waits for the disk. Then all earlier commits are on disk too. */
  async unmark(): Promise<void> {
    await this.#repeatedly([...REMOVE_FENCE, REMOVE_MARK].map(alone));
  }

  async close(): Promise<void> {
    await this.#previous;
    await Promise.all([this.#options.writer.end(), this.#options.lock.end()]);
  }

  #write(statements: readonly CopyStatement[]): Promise<void> {
    return this.#transact([COMMIT_LATER, ...statements]);
  }

  /** While ALTER TABLE waits for a table, requests wait behind it. So each attempt waits only briefly. */
  async #repeatedly(statements: readonly CopyStatement[]): Promise<void> {
    const briefly = [alone(`SET LOCAL lock_timeout = ${TABLE_WAIT_MS}`), ...statements];
    await retrying(isDeadlock, DEADLOCK_RETRIES, () => whenTablesAreFree(() => this.#transact(briefly)));
  }

  async #transact(statements: readonly CopyStatement[]): Promise<void> {
    if (this.#isLockLost)
      throw new StoreUnavailable(
        'database_connection',
        'the connection that keeps other copies out of the database was lost',
      );
    const sent = [
      ...this.#begin.map((text) => this.#query(text)),
      ...statements.map(({ text, values }) => this.#query(text, values)),
    ];
    const committed = this.#query('COMMIT');
    const [failed] = (await Promise.allSettled([...sent, committed])).filter(
      (result) => result.status === 'rejected',
    );
    if (failed !== undefined) throw failed.reason;
  }

  async #query<Row extends Value[]>(text: string, values: CopyStatement['values'] = []): Promise<Row[]> {
    try {
      const query = { ...arrayQuery(text, values), query_timeout: ANSWER_MS };
      return (await this.#options.writer.query<Row>(query)).rows;
    } catch (error) {
      throw explainError(error);
    }
  }
}

const whatOf = ({ detail, message }: Partial<pg.DatabaseError>): string =>
  (detail ?? message ?? '').replace(/\.$/, '');
