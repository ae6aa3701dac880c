import type { MadeChange, TransactionRecorder } from '../ledger/record/transaction-recorder.ts';
import type { Store } from './store.ts';

/** Is notified of an account of which changes were recorded. */
export type OnRecorded = (account: string) => void;

/** Is notified of each change, with the reference of its transaction. */
type OnChange = (account: string, reference: string, change: MadeChange) => void;

/** A store that notifies of the changes that are recorded through it, once they are on the disk. */
export function reportRecordings(store: Store, onRecorded: OnRecorded, onChange: OnChange = () => {}): Store {
  const recorder: TransactionRecorder = {
    record: async (transactions, alone) => {
      const results = await store.record(transactions, alone);
      const changed = new Set<string>();
      for (const [index, { account, reference: given }] of transactions.entries()) {
        const result = results[index];
        if (result === undefined || !isChange(result)) continue;
        // Under a key, the reference of an earlier call can be the one that is recorded.
        const { reference = given } = result as { reference?: string };
        onChange(account, reference, result);
        changed.add(account);
      }
      for (const account of changed) onRecorded(account);
      return results;
    },
  };
  return { ...store, ...recorder };
}

const isChange = (result: { outcome: string }): result is { outcome: 'recorded' | 'changed' } & MadeChange =>
  result.outcome === 'recorded' || result.outcome === 'changed';
