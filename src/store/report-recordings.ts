import type { MadeChange, TransactionRecorder } from '../ledger/record/transaction-recorder.ts';
import type { AccountTransaction } from '../ledger/transaction.ts';
import type { Store } from './store.ts';

/** Is notified of an account of which changes were recorded. */
export type OnRecorded = (account: string) => void;

/** Is notified of each change, with the reference of its transaction. */
type OnChange = (account: string, reference: string, change: MadeChange) => void;

/** A store that notifies of the changes that are recorded through it, once they are on the disk. */
export function reportRecordings(store: Store, onRecorded: OnRecorded, onChange: OnChange = () => {}): Store {
  const report = <Result extends { outcome: string }>(
    { account, reference }: Pick<AccountTransaction, 'account' | 'reference'>,
    result: Result,
  ) => {
    if (isChange(result)) {
      onChange(account, reference, result);
      onRecorded(account);
    }
    return result;
  };
  const recorder: TransactionRecorder = {
    recordTransactions: async (transactions) => {
      const results = await store.recordTransactions(transactions);
      const changed = new Set<string>();
      for (const [index, { account, reference }] of transactions.entries()) {
        const result = results[index];
        if (result === undefined || !isChange(result)) continue;
        onChange(account, reference, result);
        changed.add(account);
      }
      for (const account of changed) onRecorded(account);
      return results;
    },
    recordHeld: async (transaction) => report(transaction, await store.recordHeld(transaction)),
    recordOnce: async (transaction, once) => {
      const result = await store.recordOnce(transaction, once);
      return report({ ...transaction, ...result }, result);
    },
  };
  return { ...store, ...recorder };
}

const isChange = (result: { outcome: string }): result is { outcome: 'recorded' | 'changed' } & MadeChange =>
  result.outcome === 'recorded' || result.outcome === 'changed';
