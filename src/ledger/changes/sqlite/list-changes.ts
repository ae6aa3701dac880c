import type { DatabaseSync } from 'node:sqlite';
import { DATABASE_NOW_MS } from '../../../db/sqlite/database-clock.ts';
import { inSnapshot } from '../../../db/sqlite/snapshot.ts';
import { PENDING } from '../../../values/status.ts';
import { headReader } from '../../record/sqlite/sequence-numbers.ts';
import {
  CHANGES_COLUMNS,
  type ChangesRow,
  changesOfRow,
  TRANSACTION_COLUMNS,
  type TransactionRow,
  transactionOf,
} from '../../transaction-columns.ts';
import type { AcknowledgedChange, Change, ChangeQuery, ChangeResult, NumberedNonce } from '../change.ts';
import { ARCHIVED_NONCE, changeResultOf, rowsToRead } from '../change.ts';
import { asPending } from '../numbered-changes.ts';

type ChangeRow = [
  sequence: number,
  nonce: number,
  recordedAtMs: number,
  previousStatus: string | null,
  isPending: 0 | 1,
  ...TransactionRow,
];

/**
 * The statement of a page of changes, merged from one range of each index of numbers. Its parameters are the account, `after`,
 * whose change comes first, and the limit. The limit is an expression: for a plain parameter, SQLite would plan the statement
 * again each time.
 */
const CHANGES_SQL = `SELECT pending_sequence AS sequence, pending_nonce, pending_recorded_at_ms, NULL, 1, ${TRANSACTION_COLUMNS}
FROM transactions INDEXED BY transactions_by_pending_sequence
WHERE account = ?1 AND pending_sequence >= ?2
UNION ALL
SELECT final_sequence, final_nonce, final_recorded_at_ms, iif(pending_sequence IS NULL, NULL, '${PENDING}'), 0, ${TRANSACTION_COLUMNS}
FROM transactions INDEXED BY transactions_by_final_sequence
WHERE account = ?1 AND final_sequence >= ?2
ORDER BY sequence
LIMIT ?3 + 0`;

/** Reads changes and the head in one snapshot of the database. */
export function changeLister(db: DatabaseSync): (query: ChangeQuery) => ChangeResult {
  const list = db.prepare(CHANGES_SQL);
  list.setReturnArrays(true);
  const readHead = headReader(db);
  const readFloor = db.prepare(
    'SELECT floor_sequence AS sequence, floor_nonce AS nonce FROM archives WHERE account = ?',
  );
  const snapshot = inSnapshot(db);

  return (query) =>
    snapshot(() => {
      const rows = list.all(query.account, query.after, rowsToRead(query)) as unknown as ChangeRow[];
      const floor = readFloor.get(query.account) as unknown as NumberedNonce | undefined;
      return changeResultOf(query, rows.map(changeOf), readHead(query.account), floor);
    });
}

/** The nonce of the change of an account at a number: null if there is none. */
export function nonceSql(account: string, sequence: string): string {
  const nonceOf = (change: 'pending' | 'final') =>
    `(SELECT ${change}_nonce FROM transactions INDEXED BY transactions_by_${change}_sequence
  WHERE transactions.account = ${account} AND ${change}_sequence = ${sequence})`;
  return `coalesce(${nonceOf('pending')}, ${nonceOf('final')},
  (SELECT iif(floor_sequence = ${sequence}, floor_nonce, ${ARCHIVED_NONCE}) FROM archives
  WHERE archives.account = ${account} AND floor_sequence >= ${sequence}))`;
}

/** Reads the nonce of the change of an account at a number; null if there is none. */
export function nonceReader(db: DatabaseSync): (account: string, sequence: number) => number | null {
  const read = db.prepare(`SELECT ${nonceSql('?1', '?2')} AS nonce`);
  return (account, sequence) => read.get(account, sequence)?.['nonce'] as number | null;
}

/** Finds those of some changes that an account does not have. */
export function missingChangeFinder(
  db: DatabaseSync,
): (account: string, changes: readonly AcknowledgedChange[]) => number[] {
  const nonceOf = nonceReader(db);
  // All of an account that is being erased.
  const readErased = db.prepare(
    `SELECT iif(closed_at_sequence IS NULL, ${DATABASE_NOW_MS} - erased_at_ms, 0) AS erasedAgoMs FROM accounts WHERE account = ?`,
  );
  const readFloor = db.prepare('SELECT floor_sequence AS floor FROM archives WHERE account = ?');
  return (account, changes) => {
    const { floor } = (readFloor.get(account) ?? { floor: 0 }) as { floor: number };
    const { erasedAgoMs } = (readErased.get(account) ?? { erasedAgoMs: null }) as {
      erasedAgoMs: number | null;
    };
    return changes.flatMap(({ sequence, nonce, ageMs }, place) =>
      ageMs >= (erasedAgoMs ?? Number.POSITIVE_INFINITY) ||
      sequence <= floor ||
      nonceOf(account, sequence) === nonce
        ? []
        : place,
    );
  };
}

/** The change by which a transaction became pending shows it as it was then. */
function changeOf([sequence, nonce, recordedAtMs, previousStatus, isPending, ...row]: ChangeRow): Change {
  const transaction = transactionOf(row);
  const shown = isPending === 1 ? asPending(transaction) : transaction;
  return { sequence, nonce, previousStatus, recordedAtMs, transaction: shown };
}

/** Reads the changes of one transaction, or undefined. */
export function transactionChangeLister(
  db: DatabaseSync,
): (account: string, reference: string) => Change[] | undefined {
  const retrieve = db.prepare(
    `SELECT ${CHANGES_COLUMNS} FROM transactions WHERE account = ? AND reference = ?`,
  );
  retrieve.setReturnArrays(true);
  return (account, reference) => {
    const row = retrieve.get(account, reference) as unknown as ChangesRow | undefined;
    return row && changesOfRow(row);
  };
}
