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
