import { DatabaseSync } from 'node:sqlite';
import { DATABASE_NOW_MS } from '../../../db/sqlite/database-clock.ts';
import { orUnavailable } from '../../../db/sqlite/errors.ts';
import { existingFile } from '../../../db/sqlite/open-file.ts';
import { makeDurable, truncateLog } from '../../../db/sqlite/write-ahead-log.ts';
import { inTransaction, whenLockIsFree } from '../../../db/sqlite/write-lock.ts';
import { sumAdder } from '../../../ledger/sqlite/add-to-totals.ts';
import type { DaySum } from '../../../ledger/totals/total.ts';
import type { Script, Writer } from '../writer.ts';

/** The writer uses the calling thread and a separate connection. */
export class SqliteWriter implements Writer {
  readonly now = DATABASE_NOW_MS;
  /** Empty, because a transaction holds the write lock of the whole database. */
  readonly lockRows = '';
  /** Without statistics, SQLite would read all transactions of the account to find ten references. */
  readonly transactionsByReference = 'transactions INDEXED BY transactions_by_reference';
  readonly #db: DatabaseSync;

  constructor(path: string) {
    this.#db = orUnavailable(() => {
      const opened = new DatabaseSync(existingFile(path), { timeout: 0 });
      makeDurable(opened);
      return opened;
    });
  }

  literal(value: string | number): string {
    return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;
  }

  lockTable(): string[] {
    return [];
  }

  jsonText(column: string, property: string): string {
    return `json_extract(${column}, '$.${property}')`;
  }

  // biome-ignore lint/correctness/useYield: SQLite adds them at once.
  *addSums(account: string, sums: readonly DaySum[]): Script<void> {
    sumAdder(this.#db)(account, sums);
  }

  run<Result>(script: () => Script<Result>): Promise<Result> {
    const work = () => {
      const running = script();
      let step = running.next();
      while (step.done !== true) {
        const statement = this.#db.prepare(step.value);
        statement.setReturnArrays(true);
        step = running.next(statement.all() as unknown as (string | number | null)[][]);
      }
      return step.value;
    };
    return whenLockIsFree(() => inTransaction(this.#db, work));
  }

  async end(): Promise<void> {
    try {
      truncateLog(this.#db);
    } catch {
      // If a service is reading now, the checkpoint fails. The next program that opens the file makes it.
    }
    this.#db.close();
  }
}
