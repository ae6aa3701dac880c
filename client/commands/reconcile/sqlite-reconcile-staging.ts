import {
  insertAll,
  iterateRows,
  openTemporaryDatabase,
  orStagingFailed,
} from '../../../values/terminal/temporary-database.ts';
import { MemoryReconcileStaging } from '../../reconcile/memory-reconcile-staging.ts';
import type {
  ReconcileStaging,
  StagedLine,
  StagedRow,
  StagedTransaction,
} from '../../reconcile/reconcile-staging.ts';

const CREATE_TABLES = `
CREATE TABLE lines (line INTEGER PRIMARY KEY, key TEXT, form INTEGER NOT NULL, content TEXT NOT NULL) STRICT;
CREATE TABLE transactions (id INTEGER PRIMARY KEY, pass INTEGER NOT NULL, key TEXT, content TEXT NOT NULL, rest TEXT NOT NULL) STRICT;
CREATE TABLE unequal (id INTEGER PRIMARY KEY, line INTEGER, key TEXT, content TEXT NOT NULL, rest TEXT) STRICT;`;

const rowsOf = (forms: readonly number[]) => `SELECT line, key, content, rest FROM (
  SELECT line, line AS id, key, content, NULL AS rest FROM lines WHERE form IN (${forms.map(() => '?').join(', ')})
  UNION ALL
  SELECT NULL, id, key, content, rest FROM transactions WHERE pass = ?
) ORDER BY key, content, line IS NULL, id`;

const KEYS = 'SELECT line, key FROM lines WHERE line > ? AND key IS NOT NULL ORDER BY line LIMIT 1000';

const UNEQUAL_ROWS = `SELECT line, key, content, rest FROM (
  SELECT line, key, content, rest, row_number() OVER (PARTITION BY key, line IS NULL ORDER BY content, id) AS place FROM unequal
) ORDER BY key, place, line IS NULL`;

/** Uses memory on Node 20, which lacks SQLite. */
export function openReconcileStaging(): ReconcileStaging {
  if (process.getBuiltinModule('node:sqlite') === undefined) return new MemoryReconcileStaging();
  return new SqliteReconcileStaging();
}

export class SqliteReconcileStaging implements ReconcileStaging {
  readonly #db = openTemporaryDatabase(CREATE_TABLES);
  readonly #insertLine = this.#db.prepare('INSERT INTO lines (line, key, form, content) VALUES (?, ?, ?, ?)');
  readonly #insertTransaction = this.#db.prepare(
    'INSERT INTO transactions (pass, key, content, rest) VALUES (?, ?, ?, ?)',
  );
  readonly #insertUnequal = this.#db.prepare(
    'INSERT INTO unequal (line, key, content, rest) VALUES (?, ?, ?, ?)',
  );

  stageLines(lines: readonly StagedLine[]): void {
    insertAll(this.#db, lines, ({ line, key, form, content }) =>
      this.#insertLine.run(line, key, form, content),
    );
  }

  replaceKeys(keyOf: (key: string) => string): void {
    const update = this.#db.prepare('UPDATE lines SET key = ? WHERE line = ?');
    let last = 0;
    for (;;) {
      const rows = [...iterateRows<{ line: number; key: string }>(() => this.#db.prepare(KEYS), [last])];
      if (rows.length === 0) return;
      insertAll(this.#db, rows, ({ line, key }) => update.run(keyOf(key), line));
      last = (rows.at(-1) as { line: number }).line;
    }
  }

  stageTransactions(pass: number, transactions: readonly StagedTransaction[]): void {
    insertAll(this.#db, transactions, ({ key, content, rest }) =>
      this.#insertTransaction.run(pass, key, content, rest),
    );
  }

  clearTransactions(): void {
    orStagingFailed(() => this.#db.exec('DELETE FROM transactions'));
  }

  stageUnequal(rows: readonly StagedRow[]): void {
    insertAll(this.#db, rows, ({ line, key, content, rest }) =>
      this.#insertUnequal.run(line, key, content, rest),
    );
  }

  rowsOf(pass: number, forms: readonly number[]): Iterable<StagedRow> {
    return iterateRows(() => this.#db.prepare(rowsOf(forms)), [...forms, pass]);
  }

  unequalRows(): Iterable<StagedRow> {
    return iterateRows(() => this.#db.prepare(UNEQUAL_ROWS));
  }

  close(): void {
    this.#db.close();
  }
}
