import { isLockTimeout, isSlowStatement, type Value } from '../../../db/postgres/driver/index.ts';
import { scriptOf, sentStatement } from '../../../db/postgres/sent-statement.ts';
import { type Statement, statementsOf } from '../../../db/statement.ts';
import type { CommitStamp } from '../../changes/change.ts';
import { type AccountTransaction, type TransactionRow, transactionOf } from '../../transaction.ts';
import {
  ARCHIVED_BEFORE_TEXT,
  READ_ARCHIVED_BEFORE,
  type RecordedResult,
  type RecordingStatements,
  sendOne,
} from './record-statements.ts';

const written = statementsOf(new URL('./record-on-citus.sql', import.meta.url));
const LOCK = [written('makeHead'), written('findHead'), written('lockHead')];
const RECORD = [
  written('insert'),
  written('advance'),
  written('addToTotals'),
  written('moveHead'),
  written('readRecorded'),
  ARCHIVED_BEFORE_TEXT,
];
const USE_KEY = sentStatement(written('useKey', (row) => row.text()));

/** How long a statement waits for a locked row. Short, because the account's other recordings wait too. */
const ROW_STATEMENT_MS = 250;

function recordScript(row: AccountTransaction, stamp: CommitStamp): string {
  const textOf = (statement: Statement) => scriptOf(statement, { ...row, ...stamp });
  const limit = `SET LOCAL statement_timeout = ${ROW_STATEMENT_MS}`;
  return [...LOCK.map(textOf), limit, ...RECORD.map(textOf)].join(';\n');
}

/** The statement timeout limits waits for locks, because the lock timeout does not apply on workers. */
export const ON_CITUS: RecordingStatements = {
  maxRows: 1,
  isHeld: (error) => isLockTimeout(error) || isSlowStatement(error),
  record: async ({ sender }, rows, stamp) => {
    const [row] = rows as [AccountTransaction];
    const [, , , , inserted, advanced, , , found, archived] = await sender.script(recordScript(row, stamp));
    const numberOf = (rows: Value[][] | undefined) => rows?.[0]?.[0] as number | undefined;
    const existing = found?.[0] as TransactionRow | undefined;
    const archivedBeforeMs = numberOf(archived);
    if (existing === undefined && archivedBeforeMs !== undefined) return [{ archivedBeforeMs }];
    return [resultOfScript(numberOf(inserted), numberOf(advanced), stamp, existing)];
  },
  useKey: async ({ sender }, key) => {
    const archived = await sendOne(sender, READ_ARCHIVED_BEFORE, key);
    return archived.length > 0 ? [] : sendOne(sender, USE_KEY, key);
  },
};

function resultOfScript(
  inserted: number | undefined,
  advanced: number | undefined,
  { nonce }: CommitStamp,
  found: TransactionRow | undefined,
): RecordedResult | undefined {
  if (inserted !== undefined) return { outcome: 'recorded', sequence: inserted, nonce };
  const existing = found && transactionOf(found);
  if (existing === undefined || advanced === undefined) return existing && { existing };
  const { detailsRemovedAtMs } = existing;
  return { outcome: 'changed', sequence: advanced, nonce, detailsRemovedAtMs };
}
