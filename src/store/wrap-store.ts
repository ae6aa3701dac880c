import type { Store } from './store.ts';

/** The methods of a store that query its database. */
export type StoreCall = {
  [Name in keyof Store]-?: Store[Name] extends (...values: never[]) => Promise<unknown> ? Name : never;
}[keyof Store];

/** A store whose calls with one of the names go through `around`; all others go to `store` directly. */
export function wrapStore(
  store: Store,
  names: readonly StoreCall[],
  around: <Result>(name: StoreCall, call: () => Promise<Result>) => Promise<Result>,
): Store {
  const isWrapped = (name: string | symbol): name is StoreCall =>
    (names as readonly (string | symbol)[]).includes(name);
  return new Proxy(store, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      if (!isWrapped(name)) return method.bind(target);
      return (...values: unknown[]) => around(name, () => Reflect.apply(method, target, values));
    },
  });
}
