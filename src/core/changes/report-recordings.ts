import type { Store, TransactionRecorder } from '../store.ts';

/** A store that calls `onRecorded` with the account of each change that is recorded through it, once it is on the disk. */
export function reportRecordings(store: Store, onRecorded: (account: string) => void): Store {
  const report = (account: string, { outcome }: { outcome: string }) => {
    if (isChange(outcome)) onRecorded(account);
  };
  const recorder: TransactionRecorder = {
    recordTransactions: async (transactions) => {
      const results = await store.recordTransactions(transactions);
      const changed = transactions.filter((_, index) => isChange(results[index]?.outcome));
      for (const account of new Set(changed.map(({ account }) => account))) onRecorded(account);
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
  return new Proxy(store, {
    get(target, name) {
      if (Object.hasOwn(recorder, name)) return recorder[name as keyof TransactionRecorder];
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

const isChange = (outcome: string | undefined) => outcome === 'recorded' || outcome === 'changed';
