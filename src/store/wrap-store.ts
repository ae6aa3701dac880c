import type { Store, StoreCalls } from './store.ts';

export type StoreCall = keyof StoreCalls;

/** The methods that send no query, and return at once. */
const NO_CALLS: ReadonlySet<string> = new Set<keyof Store>([
  'connectionUse',
  'onReconnected',
  'nodeOf',
  'nodes',
]);

/** A store that passes all calls, or only calls with the given names, through `around`. */
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
    names === 'all' ? !NO_CALLS.has(name) : (names as readonly string[]).includes(name);
  const wrapped = Object.entries(store).flatMap(([name, call]) =>
    typeof call === 'function' && isWrapped(name)
      ? [[name, (...values: unknown[]) => around(name, () => call(...values), values)]]
      : [],
  );
  return { ...store, ...Object.fromEntries(wrapped) };
}
