import type { DatabaseSync } from 'node:sqlite';
import { inSnapshot } from '../../../db/sqlite/open-file.ts';
import { prepared } from '../../../db/sqlite/sqlite-db.ts';
import { statementsOf } from '../../../db/statement.ts';
import { headReader } from '../../record/sqlite/record-transactions.ts';
import { type TransactionRow, transactionOf } from '../../transaction.ts';
import {
  type AcknowledgedChange,
  asPending,
  type Change,
  type ChangeQuery,
  type ChangeResult,
  changeResultOf,
  rowsToRead,
} from '../change.ts';
import { READ_NONCE } from '../changes.ts';

type ChangeRow = [
  sequence: number,
  nonce: number,
  recordedAtMs: number,
  previousStatus: string | null,
  isPending: 0 | 1,
  ...TransactionRow,
];

const CHANGES = statementsOf(new URL('./changes.sql', import.meta.url));

export function changeLister(db: DatabaseSync): (query: ChangeQuery) => ChangeResult {
  const list = prepared<ChangeRow>(db, CHANGES('listChanges'));
  const readHead = headReader(db);
  const readFloor = prepared<[sequence: number, nonce: number]>(db, CHANGES('readFloor'));
  const snapshot = inSnapshot(db);

  return (query) =>
    snapshot(() => {
      const { account, after } = query;
      const rows = list.all({ account, after, limit: rowsToRead(query) });
      const found = readFloor.get({ account });
      const floor = found && { sequence: found[0], nonce: found[1] };
      return changeResultOf(query, rows.map(changeOf), readHead(account), floor);
    });
}

export function missingChangeFinder(
  db: DatabaseSync,
): (account: string, changes: readonly AcknowledgedChange[]) => number[] {
  const readNonce = prepared<[nonce: number | null]>(db, READ_NONCE);
  const readErased = prepared<[erasedAgoMs: number | null]>(db, CHANGES('readErased'));
  const readFloor = prepared<[floor: number, nonce: number]>(db, CHANGES('readFloor'));
  return (account, changes) => {
    const [floor] = readFloor.get({ account }) ?? [0];
    const [erasedAgoMs] = readErased.get({ account }) ?? [null];
    return changes.flatMap(({ sequence, nonce, ageMs }, place) =>
      ageMs >= (erasedAgoMs ?? Number.POSITIVE_INFINITY) ||
      sequence <= floor ||
      readNonce.get({ account, sequence })?.[0] === nonce
        ? []
        : place,
    );
  };
}

function changeOf([sequence, nonce, recordedAtMs, previousStatus, isPending, ...row]: ChangeRow): Change {
  const transaction = transactionOf(row);
  const shown = isPending === 1 ? asPending(transaction) : transaction;
  return { sequence, nonce, previousStatus, recordedAtMs, transaction: shown };
}
