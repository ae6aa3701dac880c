import type { DatabaseSync } from 'node:sqlite';
import { isDuplicate } from '../../../db/sqlite/errors.ts';
import { prepared } from '../../../db/sqlite/sqlite-db.ts';
import { statementsOf } from '../../../db/statement.ts';
import { READ_NONCE } from '../../../ledger/changes/changes.ts';
import { headReader, RECORDING } from '../../../ledger/record/sqlite/record-transactions.ts';
import { sumAdder } from '../../../ledger/sqlite/add-to-totals.ts';
import { show } from '../../disagreement.ts';
import { sumsOfChanges, wasPendingAt } from '../../row-up-to.ts';
import { type StoredRow, storedValuesOf } from '../../stored-rows.ts';
import { refusedChanges } from '../copy-context.ts';
import type { ChangeChunk } from '../copy-target.ts';

const COPY = statementsOf(new URL('../copy.sql', import.meta.url));

export function chunkWriter(db: DatabaseSync): (chunk: ChangeChunk) => void {
  const readHead = headReader(db);
  const readNonce = prepared<[nonce: number | null]>(db, READ_NONCE);
  const storeHead = db.prepare(
    'INSERT INTO accounts (account, head_sequence) VALUES (?1, ?2) ON CONFLICT (account) DO UPDATE SET head_sequence = ?2',
  );
  const insert = prepared(db, RECORDING('insert')).statement;
  const complete = prepared(db, COPY('completeTransaction'));
  const addSums = sumAdder(db);
  const isWritten = (account: string, row: StoredRow, after: number): boolean => {
    try {
      return wasPendingAt(row, after)
        ? complete.run({ account, ...row }) === 1
        : insert.run(account, ...storedValuesOf(row)).changes === 1;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      return false;
    }
  };

  return ({ account, after, upTo, afterNonce, rows: given }) => {
    // Sorted like the table, so that consecutive rows go to the same pages.
    const rows = given.toSorted((a, b) => a.createdAtMs - b.createdAtMs);
    const head = readHead(account);
    if (afterNonce !== undefined && readNonce.get({ account, sequence: after })?.[0] !== afterNonce)
      throw refusedChanges(`it has another change ${after} of ${show(account)}`);
    if (head !== after)
      throw refusedChanges(`the head sequence of ${show(account)} is ${head}, not ${after}`);
    for (const row of rows)
      if (!isWritten(account, row, after))
        throw refusedChanges(`it has another transaction ${show(row.reference)} of ${show(account)}`);
    storeHead.run(account, upTo);
    addSums(account, sumsOfChanges(rows, after));
  };
}
