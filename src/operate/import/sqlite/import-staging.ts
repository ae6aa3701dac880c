import {
  insertAll,
  iterateRows,
  openTemporaryDatabase,
  orStagingFailed,
} from '../../../../values/terminal/temporary-database.ts';
import {
  recordedValues,
  TRANSACTION_COLUMNS,
  type TransactionRow,
  transactionOf,
} from '../../../ledger/transaction.ts';
import type { ImportedTransaction, ImportStaging, LinePosition, LineToRecord } from '../import-staging.ts';

const ACTION = { record: 0, recordInPlaceOfPending: 1, omit: 2 } as const;

const STAGED = `line, account, ${TRANSACTION_COLUMNS}, action`;

const CREATE_TABLE = `CREATE TABLE staged (${STAGED.replace('line', 'line INTEGER PRIMARY KEY')})`;

const INSERT = `INSERT INTO staged (${STAGED}) VALUES (${STAGED.replaceAll(/\w+/g, '?')})`;

const COLUMNS = `${TRANSACTION_COLUMNS}, account, line, action`;

type StagedRow = [...TransactionRow, account: string, line: number, action: number];

const ACCOUNTS_AFTER = `WITH RECURSIVE accounts (account) AS (
  SELECT min(account) FROM staged WHERE account > ?
  UNION ALL
  SELECT (SELECT min(account) FROM staged WHERE account > accounts.account) FROM accounts WHERE accounts.account IS NOT NULL
) SELECT account FROM accounts WHERE account IS NOT NULL LIMIT ?`;

const LINES_OF_ACCOUNT = `SELECT ${COLUMNS} FROM staged INDEXED BY staged_by_reference
WHERE account = ? AND (reference, line) > (?, ?) ORDER BY reference, line LIMIT ?`;

const REPEATED_LINES = `SELECT ${COLUMNS} FROM (
  SELECT account, reference FROM staged INDEXED BY staged_by_reference
  WHERE (account, reference) >= (?, ?) AND account <= ?
  GROUP BY account, reference HAVING count(*) > 1
) AS repeated CROSS JOIN staged INDEXED BY staged_by_reference USING (account, reference)
WHERE (account, reference, line) > (?, ?, ?)
ORDER BY account, reference, line LIMIT ?`;

const IN_RECORDING_ORDER = `SELECT ${COLUMNS} FROM staged WHERE action <> ${ACTION.omit}
ORDER BY account, created_at_ms, reference`;

export class SqliteStaging implements ImportStaging {
  readonly #db = openTemporaryDatabase(CREATE_TABLE);
  readonly #insert = this.#db.prepare(INSERT);
  readonly #setAction = this.#db.prepare('UPDATE staged SET action = ? WHERE line = ?');
  #lineCount = 0;
  #omittedCount = 0;

  stage(transactions: readonly ImportedTransaction[]): void {
    this.#lineCount += transactions.length;
    insertAll(this.#db, transactions, (transaction) =>
      this.#insert.run(transaction.line, ...recordedValues(transaction), ACTION.record),
    );
  }

  get lineCount(): number {
    return this.#lineCount;
  }

  get toRecordCount(): number {
    return this.#lineCount - this.#omittedCount;
  }

  finish(): void {
    orStagingFailed(() => this.#db.exec('CREATE INDEX staged_by_reference ON staged (account, reference)'));
  }

  accountsAfter(account: string, limit: number): string[] {
    const rows = orStagingFailed(() => this.#db.prepare(ACCOUNTS_AFTER).all(account, limit));
    return rows.map((row) => row['account'] as string);
  }

  linesOf(account: string, after: LinePosition, limit: number): ImportedTransaction[] {
    return this.#read(LINES_OF_ACCOUNT, [account, after.reference, after.line, limit]);
  }

  repeatedLines(
    lastAccount: string,
    { account, reference, line }: LinePosition & { account: string },
    limit: number,
  ): ImportedTransaction[] {
    return this.#read(REPEATED_LINES, [account, reference, lastAccount, account, reference, line, limit]);
  }

  omit(lines: readonly number[]): void {
    this.#omittedCount += lines.length;
    this.#mark(lines, ACTION.omit);
  }

  markReplacing(lines: readonly number[]): void {
    this.#mark(lines, ACTION.recordInPlaceOfPending);
  }

  *inRecordingOrder(): Generator<LineToRecord, undefined> {
    for (const row of iterateRows<StagedRow>(() => this.#prepare(IN_RECORDING_ORDER)))
      yield { ...importedOf(row), replacesPending: row.at(-1) === ACTION.recordInPlaceOfPending };
    return undefined;
  }

  close(): void {
    this.#db.close();
  }

  #mark(lines: readonly number[], action: number): void {
    orStagingFailed(() => {
      for (const line of lines) this.#setAction.run(action, line);
    });
  }

  #read(sql: string, values: (string | number)[]): ImportedTransaction[] {
    return orStagingFailed(() => this.#prepare(sql).all(...values) as unknown as StagedRow[]).map(importedOf);
  }

  #prepare(sql: string) {
    const statement = this.#db.prepare(sql);
    statement.setReturnArrays(true);
    return statement;
  }
}

function importedOf(row: StagedRow): ImportedTransaction {
  return {
    ...transactionOf(row),
    account: row.at(-3) as string,
    line: row.at(-2) as number,
  };
}
