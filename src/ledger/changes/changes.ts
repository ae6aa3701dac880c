import type { ParameterFault } from '../../../values/fault-list.ts';
import { Problem } from '../../../values/problem.ts';
import type { Db } from '../../db/db.ts';
import { statementsOf } from '../../db/statement.ts';
import type { TotalsReader } from '../totals/total.ts';
import { readTransactionRow } from '../transaction.ts';
import { type ChangeQuery, type ChangeReader, type ChangeResult, changesOf, isOfHistory } from './change.ts';

/** The caller has a change that the account does not have, because an older database was restored. */
export class NotInHistory extends Problem {
  readonly headSequence: number;

  constructor(fault: ParameterFault<'sequence_ahead' | 'history_changed'>, headSequence: number) {
    super(fault.code, fault.detail, { errors: [fault], headSequence });
    this.headSequence = headSequence;
  }
}

function changesArchived(after: number, floorSequence: number): Problem {
  const code = 'changes_archived';
  const detail =
    `after is ${after}, and changes up to ${floorSequence} of this account are archived. Begin again with an empty copy: ` +
    'take an export, and continue with its Export-As-Of as after, and its Export-As-Of-Id as afterId.';
  return new Problem(code, detail, { errors: [{ parameter: 'after', code, detail }], floorSequence });
}

function sequenceAhead(after: number, headSequence: number): ParameterFault<'sequence_ahead'> {
  return {
    parameter: 'after',
    code: 'sequence_ahead',
    detail:
      `after is ${after}, but the last change of this account has the number ${headSequence}. Either your copy is of ` +
      'another account: check the key first. Or the service was restored from a backup, and your copy can have changes that the service has lost. If your copy has the ids of changes, send the id ' +
      `of change ${after} as afterId: the response says how to repair the copy. If not, begin again with an empty copy and after=0.`,
  };
}

export function historyChanged(
  after: number,
  { headSequence, floorSequence }: Pick<ChangeResult, 'headSequence' | 'floorSequence'>,
): ParameterFault<'history_changed'> {
  const found =
    after > headSequence
      ? `This account has no change ${after}: its last one has the number ${headSequence}`
      : `Change ${after} of this account has another id`;
  const none =
    floorSequence === 0
      ? 'If there is none, continue with after=0 without afterId.'
      : 'If there is none, begin again with an empty copy and an export.';
  return {
    parameter: 'afterId',
    code: 'history_changed',
    detail:
      `${found}. Either your copy is of another account: check the key first. Or the service was restored from a backup, and your copy has changes that the service has lost. ` +
      'Find the largest number at which your copy and the service have the same id: halve the range between ' +
      `${floorSequence} and ${Math.min(after, headSequence)}, and request each number as after with the id in your copy as afterId. ` +
      `In your copy, undo the changes with larger numbers, the last one first: if previousStatus is null, remove the transaction; otherwise, set it to previousStatus. Continue after the number that you found. ${none}`,
  };
}

/** Throws: a Problem if `after` is archived; NotInHistory; an Error if the page is incomplete. */
export async function listChanges(
  reader: Pick<ChangeReader, 'listChanges'>,
  query: ChangeQuery,
): Promise<ChangeResult> {
  const { after, limit } = query;
  const result = await reader.listChanges(query);
  const { last, changes, headSequence, floorSequence } = result;
  if (after < floorSequence) throw changesArchived(after, floorSequence);
  const expected = Math.max(0, Math.min(limit, headSequence - after));
  const wrong = changes.find(({ sequence }, index) => sequence !== after + 1 + index);
  const hasLast = last === undefined ? after === 0 || after > headSequence : last.sequence === after;
  if (changes.length !== expected || wrong !== undefined || !hasLast) {
    const found = wrong === undefined ? '' : `, with ${wrong.sequence} out of order`;
    throw new Error(
      `the changes after ${after} are not complete: the head sequence is ${headSequence}, and the store returned ${changes.length} of ${expected} changes${found}`,
    );
  }
  if (!isOfHistory(query, result)) throw new NotInHistory(historyChanged(after, result), headSequence);
  if (headSequence < after) throw new NotInHistory(sequenceAhead(after, headSequence), headSequence);
  return result;
}

export async function readHead(reader: Pick<ChangeReader, 'readHeads'>, account: string): Promise<number> {
  return (await reader.readHeads([account])).get(account) ?? 0;
}

export interface MovedAccounts {
  /** The `mark` to pass to the next call. Null if the store cannot tell which accounts have new changes. */
  mark: string | null;
  /** Null if any account may have new changes: in the first call, or after the database was restored. */
  accounts: readonly string[] | null;
}

/** Finds accounts that have moved, which means that they have new changes or changed endpoints. */
export interface AccountWatching {
  /**
   * Lists the watched accounts that have moved since `mark`, which an earlier call returned. Pass null to
   * begin. Callers must also read the heads of newly watched accounts, because a recording that began before
   * the watch can be missing from the list.
   */
  listMovedAccounts(mark: string | null): Promise<MovedAccounts>;
  watchAccounts(accounts: readonly string[]): Promise<void>;
}

const sql = statementsOf(new URL('./changes.sql', import.meta.url));
const LIST_MOVED = sql('listMoved', (row) => ({
  mark: row.text(),
  isEarlier: row.integer() === 1,
  accounts: JSON.parse(row.text()) as string[],
}));
const WATCH = sql('watchAccounts');
export const MARK_MOVED = sql('markMoved');

export const accountWatching = (db: Db): AccountWatching => ({
  listMovedAccounts: async (given) => {
    const [read] = await db.read(LIST_MOVED, { mark: given });
    if (read === undefined) return { mark: null, accounts: null };
    const { mark, isEarlier, accounts } = read;
    return { mark, accounts: given === null || isEarlier ? null : accounts };
  },
  watchAccounts: async (accounts) => {
    await db.write({ turn: 'first', isUnsynced: true }, [
      { statement: WATCH, values: { accounts: JSON.stringify(accounts) } },
    ]);
  },
});

export const READ_NONCE = sql('readNonce', (row) => row.integerOrNull());
const LIST_OF_TRANSACTION = sql('listTransactionChanges', (row) =>
  changesOf(readTransactionRow(row), {
    pendingSequence: row.integerOrNull(),
    pendingRecordedAtMs: row.integerOrNull(),
    pendingNonce: row.integerOrNull(),
    finalSequence: row.integerOrNull(),
    finalRecordedAtMs: row.integerOrNull(),
    finalNonce: row.integerOrNull(),
  }),
);

export const storedChanges = (
  db: Db,
): Pick<ChangeReader, 'listTransactionChanges'> & Pick<TotalsReader, 'readNonce'> => ({
  listTransactionChanges: async (account, reference) =>
    (await db.read(LIST_OF_TRANSACTION, { account, reference }))[0],
  readNonce: async (account, sequence) => (await db.read(READ_NONCE, { account, sequence }))[0] ?? null,
});
