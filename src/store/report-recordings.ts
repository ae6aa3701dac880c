import type { TransactionRecorder } from '../ledger/record/transaction-recorder.ts';
import type { Store } from './store.ts';

/** Is notified of an account and of how many of its changes were recorded together. */
export type OnRecorded = (account: string, changes: number) => void;

/** A store that calls `onRecorded` for the changes that are recorded through it, once they are on the disk. */
export function reportRecordings(store: Store, onRecorded: OnRecorded): Store {
  const report = (account: string, { outcome }: { outcome: string }) => {
    if (isChange(outcome)) onRecorded(account, 1);
  };
  const recorder: TransactionRecorder = {
    recordTransactions: async (transactions) => {
      const results = await store.recordTransactions(transactions);
      const changes = new Map<string, number>();
      for (const [index, { account }] of transactions.entries())
        if (isChange(results[index]?.outcome)) changes.set(account, (changes.get(account) ?? 0) + 1);
      for (const [account, count] of changes) onRecorded(account, count);
      return results;
    },
    recordHeld: async (transaction) => {
      const result = await store.recordHeld(transaction);
      report(transaction.account, result);
      return result;
    },
    recordOnce: async (transaction, once) => {
      const result = await store.recordOnce(transaction, once);
      report(transaction.account, result);
      return result;
    },
  };
  return { ...store, ...recorder };
}

const isChange = (outcome: string | undefined) => outcome === 'recorded' || outcome === 'changed';
