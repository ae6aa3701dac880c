import { DatabaseSync } from 'node:sqlite';
import {
  type ImportedTransaction,
  type ImportStaging,
  type StagedTransaction,
  StagingFailed,
} from '../core/import/import-staging.ts';

/** Of sorting and of the pages of the table together. */
const CACHE_KIB = 8192;

/** What becomes of a line: recorded, recorded in the place of an earlier and pending one too, or left out. */
const FATE = { recorded: 0, replacing: 1, omitted: 2 } as const;

const COLUMNS =
  'account, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, line';

type Row = [
  account: string,
  reference: string,
  merchantReference: string | null,
  status: string,
  amountMinor: number,
  currencyCode: string,
  paidAtMs: number | null,
  createdAtMs: number,
  line: number,
];

/**
 * The staging of an import in a private database of SQLite, whatever database the import goes to. It is a temporary
 * file without a name, so nothing of it is left, however the process ends.
 */
export function openImportStaging(): ImportStaging {
  const db = onDisk(() => new DatabaseSync(''));
  onDisk(() =>
    db.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = FILE; PRAGMA cache_size = -${CACHE_KIB};
    CREATE TABLE staged (
      line INTEGER PRIMARY KEY, account TEXT, reference TEXT, merchant_reference TEXT, status TEXT, amount_minor INTEGER,
      currency_code TEXT, paid_at_ms INTEGER, created_at_ms INTEGER, fate INTEGER
    ) STRICT`),
  );
  const insert = db.prepare(
    `INSERT INTO staged (${COLUMNS}, fate) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ${FATE.recorded})`,
  );
  const mark = db.prepare('UPDATE staged SET fate = ? WHERE line = ?');
  const setFate = (lines: readonly number[], fate: number) =>
    onDisk(() => {
      for (const line of lines) mark.run(fate, line);
    });
  let lineCount = 0;
  let omittedCount = 0;

  return {
    stage: (transactions) => {
      lineCount += transactions.length;
      onDisk(() => {
        db.exec('BEGIN');
        for (const row of transactions) {
          insert.run(
            row.account,
            row.reference,
            row.merchantReference,
            row.status,
            row.amountMinor,
            row.currencyCode,
            row.paidAtMs,
            row.createdAtMs,
            row.line,
          );
        }
        db.exec('COMMIT');
      });
    },
    get lineCount() {
      return lineCount;
    },
    get toRecordCount() {
      return lineCount - omittedCount;
    },
    finish: () => onDisk(() => db.exec('CREATE INDEX staged_by_reference ON staged (account, reference)')),
    accountsAfter: (account, limit) =>
      onDisk(() => db.prepare(ACCOUNTS_AFTER).all(account, limit)).map((row) => row['account'] as string),
    linesOf: (account, after, limit) =>
      rowsOf(db, LINES_OF_ACCOUNT, [account, after.reference, after.line, limit]),
    repeatedLines: ({ last }, after, limit) =>
      rowsOf(db, REPEATED_LINES, [
        after.account,
        after.reference,
        last,
        after.account,
        after.reference,
        after.line,
        limit,
      ]),
    omit: (lines) => {
      omittedCount += lines.length;
      setFate(lines, FATE.omitted);
    },
    markReplacing: (lines) => setFate(lines, FATE.replacing),
    inRecordingOrder: () => inRecordingOrder(db),
    close: () => db.close(),
  };
}

/** One step of the index from each account to the next. */
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

/** A statement of its own each time: they are few, and an iteration must not be begun again by another reader. */
function prepare(db: DatabaseSync, sql: string) {
  const statement = db.prepare(sql);
  statement.setReturnArrays(true);
  return statement;
}

function rowsOf(db: DatabaseSync, sql: string, values: (string | number)[]): ImportedTransaction[] {
  return onDisk(() => prepare(db, sql).all(...values) as unknown as Row[]).map(transactionOf);
}

function transactionOf(row: Row): ImportedTransaction {
  return {
    account: row[0],
    reference: row[1],
    merchantReference: row[2],
    status: row[3],
    amountMinor: row[4],
    currencyCode: row[5],
    paidAtMs: row[6],
    createdAtMs: row[7],
    line: row[8],
  };
}

function* inRecordingOrder(db: DatabaseSync): Generator<StagedTransaction, undefined> {
  const rows = onDisk(() =>
    prepare(
      db,
      `SELECT ${COLUMNS}, fate FROM staged WHERE fate <> ${FATE.omitted} ORDER BY account, created_at_ms, reference`,
    ).iterate(),
  );
  for (;;) {
    const { done, value } = onDisk(() => rows.next());
    if (done === true) return undefined;
    const row = value as unknown as [...Row, fate: number];
    yield { ...transactionOf(row as unknown as Row), replacesPending: row[9] === FATE.replacing };
  }
}

/** Tells a disk that is full or fails apart from a mistake in the program. */
function onDisk<Answer>(work: () => Answer): Answer {
  try {
    return work();
  } catch (error) {
    throw new StagingFailed(`the temporary file of the import can't be used: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
