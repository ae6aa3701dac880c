import { CALLS } from './calls.ts';
import type { Store } from './store.ts';

/** The methods of a store that query its database. */
export type StoreCall = {
  [Name in keyof Store]-?: Store[Name] extends (...values: never[]) => Promise<unknown> ? Name : never;
}[keyof Store];

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
    names === 'all'
      ? name === 'close' || Object.hasOwn(CALLS, name)
      : (names as readonly string[]).includes(name);
  const wrapped = Object.entries(store).flatMap(([name, call]) =>
    isWrapped(name) ? [[name, (...values: unknown[]) => around(name, () => call(...values), values)]] : [],
  );
  return { ...store, ...Object.fromEntries(wrapped) };
}
