import type { Store } from '../../../src/store/store.ts';

export const storeWith = (store: Store, calls: Partial<Store>): Store => ({ ...store, ...calls });
