import type { MadeChange, TransactionRecorder } from '../ledger/record/record.ts';
import type { Store } from './store.ts';

/** The methods of a store that query its database. */
export type StoreCall = {
  [Name in keyof Store]-?: Store[Name] extends (...values: never[]) => Promise<unknown> ? Name : never;
}[keyof Store];

type Method = {
  [Name in keyof Store]-?: NonNullable<Store[Name]> extends (...values: never[]) => unknown ? Name : never;
}[keyof Store];

/** The methods that query nothing, and answer at once. */
const NO_CALLS: Readonly<Record<Exclude<Method, StoreCall>, true>> = {
  connectionUse: true,
  onReconnected: true,
  nodeOf: true,
  nodes: true,
};

/** A store whose calls with one of the names, or all calls, go through `around`. */
export function wrapStore(
  store: Store,
  names: readonly StoreCall[] | 'all',
  around: <Result>(
    name: StoreCall,
    call: () => Promise<Result>,
    values: readonly unknown[],
  ) => Promise<Result>,
): Store {
  const isWrapped = (name: string): name is StoreCall =>
    names === 'all' ? !Object.hasOwn(NO_CALLS, name) : (names as readonly string[]).includes(name);
  const wrapped = Object.entries(store).flatMap(([name, call]) =>
    typeof call === 'function' && isWrapped(name)
      ? [[name, (...values: unknown[]) => around(name, () => call(...values), values)]]
      : [],
  );
  return { ...store, ...Object.fromEntries(wrapped) };
}

export interface RecordingListener {
  noteChange?(account: string, reference: string, change: MadeChange): void;
  /** Called once for each account whose changes were recorded. */
  noteRecorded?(account: string): void;
}

/** A store that reports the changes that are recorded through it, once they are on the disk. */
export function reportRecordings(store: Store, listeners: readonly RecordingListener[]): Store {
  const recorder: TransactionRecorder = {
    record: async (transactions, alone) => {
      const results = await store.record(transactions, alone);
      const changed = new Set<string>();
      for (const [index, { account, reference: given }] of transactions.entries()) {
        const result = results[index];
        if (result === undefined || !isChange(result)) continue;
        // With an idempotency key, the recorded reference can be that of an earlier call.
        const { reference = given } = result as { reference?: string };
        for (const listener of listeners) listener.noteChange?.(account, reference, result);
        changed.add(account);
      }
      for (const account of changed) for (const listener of listeners) listener.noteRecorded?.(account);
      return results;
    },
  };
  return { ...store, ...recorder };
}

const isChange = (result: { outcome: string }): result is { outcome: 'recorded' | 'changed' } & MadeChange =>
  result.outcome === 'recorded' || result.outcome === 'changed';
