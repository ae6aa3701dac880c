import type { Store } from '../../../src/store/store.ts';

/** A store whose calls are the given ones, and otherwise those of another store. */
export const storeWith = (store: Store, calls: Partial<Store>): Store => ({ ...store, ...calls });
