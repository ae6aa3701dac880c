import { dayOf, formatTimestamp } from '../../../values/calendar.ts';
import { formatDay } from '../../../values/days.ts';
import type { FieldFault } from '../../../values/field-fault.ts';
import { inGroups, READS_AT_ONCE } from '../../../values/in-groups.ts';
import { explainStatus, type Statuses } from '../../../values/status.ts';
import { accountNotDeclared, type DeclaredAccounts } from '../../accounts/declared-accounts.ts';
import type { TransactionRetriever } from '../list/list.ts';
import type { AccountTransaction } from '../transaction.ts';
import { asClause } from '../transaction-fields.ts';
import type { GroupRecorder } from './group-commit.ts';
import type { IdempotencyKey, RecordResult } from './transaction-recorder.ts';

/** The fault of a new transaction that is created after the latest time: a typing error, which would lead every list for ever. */
export const tooFarAhead = (latestMs: number): FieldFault => ({
  field: 'createdAt',
  code: 'too_far_ahead',
  detail: `is too far ahead; the latest that can be recorded now is ${formatTimestamp(latestMs)}, and CREATED_AT_AHEAD raises it`,
});

/** The fault of a new transaction that was created on archived days: it can be one of those that were archived. */
export const archivedDay = (beforeMs: number): FieldFault => ({
  field: 'createdAt',
  code: 'archived',
  detail: `is on an archived day: the transactions of this account that were created before ${formatDay(dayOf(beforeMs))} were archived, and this one is not among those that are left; look for it in the files of the archive, and leave it out if it is there: it was recorded before`,
});

/** The fault of a transaction that takes a status in which others were recorded, and which is no longer declared. */
export const statusNotDeclared = (status: string, statuses: Statuses): FieldFault => ({
  field: 'status',
  code: 'invalid_value',
  detail: asClause(explainStatus(status, statuses)),
});

/** A transaction is not recorded because it has this fault. */
export class RefusedRecording extends Error {
  override readonly name = 'RefusedRecording';
  readonly fault: FieldFault;

  constructor(fault: FieldFault) {
    super(`${fault.field} ${fault.detail}`);
    this.fault = fault;
  }
}

/** The store refuses a new transaction of an archived day in the transaction of the database that would record it. */
export const createdOnArchivedDay = (beforeMs: number) => new RefusedRecording(archivedDay(beforeMs));

interface RecordingLimits {
  /** The latest createdAt of a new transaction. */
  latestCreatedAtMs(): number;
  /** The accounts that can be recorded into; null for all. */
  accounts: DeclaredAccounts | null;
  /** The statuses that STATUSES declares. */
  statuses: Statuses;
}

/**
 * A recorder that refuses new transactions that are created too far ahead, those of accounts that are not declared, and those that take
 * a status that is not declared. A recorded transaction can be repeated and completed whatever its createdAt is, also after the clock was
 * set back, and repeated in a status whose declaration was removed since.
 *
 * Only a transaction that is too far ahead or in such a status is looked up first.
 */
export function limitRecorder(
  recorder: GroupRecorder,
  store: TransactionRetriever,
  { latestCreatedAtMs, accounts, statuses }: RecordingLimits,
): GroupRecorder {
  /** The faults of those of the transactions that are refused if they are new. */
  function faultsOfNew(transactions: readonly AccountTransaction[]) {
    const latestMs = latestCreatedAtMs();
    const faults = new Map<AccountTransaction, FieldFault>();
    for (const one of transactions) {
      if (one.createdAtMs > latestMs) faults.set(one, tooFarAhead(latestMs));
      if (!statuses.has(one.status)) faults.set(one, statusNotDeclared(one.status, statuses));
    }
    return faults;
  }

  /** Why transactions are refused, for those that are. */
  async function refusals(transactions: readonly AccountTransaction[]) {
    const refused = new Map<AccountTransaction, RefusedRecording>();
    const undeclared = await accounts?.undeclared(transactions.map(({ account }) => account));
    for (const transaction of transactions)
      if (undeclared?.has(transaction.account))
        refused.set(transaction, new RefusedRecording(accountNotDeclared(transaction.account)));
    const faults = faultsOfNew(transactions.filter((transaction) => !refused.has(transaction)));
    const lookUp = async ([transaction, fault]: [AccountTransaction, FieldFault]) => {
      const { account, reference } = transaction;
      const recorded = await store.retrieveTransaction(account, reference);
      const isUndeclared = recorded?.status !== transaction.status && !statuses.has(transaction.status);
      if (recorded === undefined || isUndeclared) refused.set(transaction, new RefusedRecording(fault));
    };
    await inGroups([...faults], READS_AT_ONCE, lookUp);
    return refused;
  }

  async function recordOnce(transactions: readonly AccountTransaction[], once: IdempotencyKey) {
    const [{ account }] = transactions as [AccountTransaction];
    if ((await accounts?.undeclared([account]))?.has(account))
      throw new RefusedRecording(accountNotDeclared(account));
    const [fault] = faultsOfNew(transactions).values();
    const results = await recorder.record(transactions, {
      once: { ...once, repeatsOnly: fault !== undefined },
    });
    if (results[0]?.outcome === 'not_recorded') throw new RefusedRecording(fault as FieldFault);
    return results;
  }

  return {
    serverOf: (account) => recorder.serverOf?.(account) ?? '',
    record: async (transactions, alone) => {
      // It was not refused before its row was held.
      if (alone?.waits) return recorder.record(transactions, alone);
      if (alone?.once !== undefined) return recordOnce(transactions, alone.once);
      const refused = await refusals(transactions);
      if (refused.size === 0) return recorder.record(transactions);
      const others = transactions.filter((transaction) => !refused.has(transaction));
      const results = others.length === 0 ? [] : await recorder.record(others);
      const next = results.values();
      return transactions.map((transaction): RecordResult => {
        const error = refused.get(transaction);
        return error === undefined ? (next.next().value as RecordResult) : { outcome: 'failed', error };
      });
    },
  };
}
