import type { Store } from '../../../src/store/store.ts';

/** The store with some of its calls replaced. */
export const storeWith = (store: Store, calls: Partial<Store>): Store => ({ ...store, ...calls });
