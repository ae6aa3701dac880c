import { DatabaseSync } from 'node:sqlite';
import { orUnavailable } from '../../../db/sqlite/errors.ts';
import { existingFile } from '../../../db/sqlite/open-file.ts';
import { DATABASE_NOW_MS, inTransaction } from '../../../db/sqlite/sqlite-db.ts';
import { closeWithoutLog, makeDurable } from '../../../db/sqlite/write-ahead-log.ts';
import { whenLockIsFree } from '../../../db/sqlite/write-lock.ts';
import { sumAdder } from '../../../ledger/sqlite/add-to-totals.ts';
import type { Script, Writer } from '../writer.ts';

export function openSqliteWriter(path: string): Writer {
  const db = orUnavailable(() => {
    const opened = new DatabaseSync(existingFile(path), { timeout: 0 });
    makeDurable(opened);
    return opened;
  });

  function runNow<Result>(script: () => Script<Result>): Result {
    const running = script();
    let step = running.next();
    while (step.done !== true) {
      const statement = db.prepare(step.value);
      statement.setReturnArrays(true);
      step = running.next(statement.all() as unknown as (string | number | null)[][]);
    }
    return step.value;
  }

  return {
    now: DATABASE_NOW_MS,
    // SQLite has no row locks: a transaction locks the whole database.
    lockRows: '',
    lockTable: () => [],
    // Names the index: without statistics, SQLite would read the whole account to find ten references.
    transactionsByReference: 'transactions INDEXED BY transactions_by_reference',
    literal: (value) => (typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`),
    jsonText: (column, property) => `json_extract(${column}, '$.${property}')`,
    // biome-ignore lint/correctness/useYield: SQLite adds them at once.
    *addSums(account, sums) {
      sumAdder(db)(account, sums);
    },
    run: (script) => whenLockIsFree(() => inTransaction(db, () => runNow(script))),
    end: async () => closeWithoutLog(db),
  };
}
