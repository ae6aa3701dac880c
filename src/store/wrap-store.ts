import type { Store } from './store.ts';

/** The methods of a store that query its database. */
export type StoreCall = {
  [Name in keyof Store]-?: Store[Name] extends (...values: never[]) => Promise<unknown> ? Name : never;
}[keyof Store];

/** The members of a store that are no queries: each is named here, so that a new query can't be left out of all calls. */
const NO_CALLS: Record<Exclude<keyof Store, StoreCall>, true> = {
  connectionUse: true,
  listsOnThisThread: true,
  serverOf: true,
  servers: true,
};

/** A store whose calls with one of the names, or all calls, go through `around`; everything else goes to `store` directly. */
export function wrapStore(
  store: Store,
  names: readonly StoreCall[] | 'all',
  around: <Result>(name: StoreCall, call: () => Promise<Result>) => Promise<Result>,
): Store {
  const isWrapped = (name: string | symbol): name is StoreCall =>
    names === 'all' ? !Object.hasOwn(NO_CALLS, name) : (names as readonly (string | symbol)[]).includes(name);
  return new Proxy(store, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      if (!isWrapped(name)) return method.bind(target);
      return (...values: unknown[]) => around(name, () => Reflect.apply(method, target, values));
    },
  });
}
