import { formatTimestamp } from '../../values/calendar.ts';
import type { FieldFault } from '../../values/field-fault.ts';
import type { TransactionRetriever } from '../list/list-query.ts';
import type { AccountTransaction } from '../transaction.ts';
import type { GroupRecorder } from './group-commit.ts';
import type {
  IdempotencyKey,
  RecordOnceOutcome,
  RecordResult,
  TransactionRecorder,
} from './transaction-recorder.ts';

/** The fault of a new transaction that is created after the latest time: a typing error, which would lead every list for ever. */
export const tooFarAhead = (latestMs: number): FieldFault => ({
  field: 'createdAt',
  code: 'too_far_ahead',
  detail: `is too far ahead; the latest that can be recorded now is ${formatTimestamp(latestMs)}, and CREATED_AT_AHEAD raises it`,
});

/** A transaction is not recorded because it has this fault. */
export class CreatedTooFarAhead extends Error {
  override readonly name = 'CreatedTooFarAhead';
  readonly fault: FieldFault;

  constructor(latestMs: number) {
    const fault = tooFarAhead(latestMs);
    super(`createdAt ${fault.detail}`);
    this.fault = fault;
  }
}

export interface LimitedRecorder extends GroupRecorder {
  /** Throws: CreatedTooFarAhead. */
  recordOnce(
    transaction: AccountTransaction,
    once: IdempotencyKey,
  ): Promise<Exclude<RecordOnceOutcome, { outcome: 'not_recorded' }>>;
}

/**
 * A recorder that refuses new transactions that are created too far ahead. A recorded one can be repeated and completed whatever its
 * createdAt is, also after the clock was set back.
 *
 * Only a transaction that is too far ahead is looked up first. No transaction is ever removed, so one that is found is not recorded as a new one.
 */
export function refuseTooFarAhead(
  recorder: Pick<TransactionRecorder, 'recordOnce'> & GroupRecorder,
  store: TransactionRetriever,
  latestCreatedAtMs: () => number,
): LimitedRecorder {
  return {
    serverOf: (account) => recorder.serverOf?.(account) ?? '',
    recordHeld: (transaction) => recorder.recordHeld(transaction),

    recordTransactions: async (transactions) => {
      const latestMs = latestCreatedAtMs();
      const ahead = transactions.filter(({ createdAtMs }) => createdAtMs > latestMs);
      if (ahead.length === 0) return recorder.recordTransactions(transactions);
      const found = await Promise.all(
        ahead.map(({ account, reference }) => store.retrieveTransaction(account, reference)),
      );
      const refused = new Set(ahead.filter((_, index) => found[index] === undefined));
      const others = transactions.filter((transaction) => !refused.has(transaction));
      const results = others.length === 0 ? [] : await recorder.recordTransactions(others);
      const next = results.values();
      return transactions.map(
        (transaction): RecordResult =>
          refused.has(transaction)
            ? { outcome: 'failed', error: new CreatedTooFarAhead(latestMs) }
            : (next.next().value as RecordResult),
      );
    },

    recordOnce: async (transaction, once) => {
      const latestMs = latestCreatedAtMs();
      const repeatsOnly = transaction.createdAtMs > latestMs;
      const outcome = await recorder.recordOnce(transaction, { ...once, repeatsOnly });
      if (outcome.outcome === 'not_recorded') throw new CreatedTooFarAhead(latestMs);
      return outcome;
    },
  };
}
