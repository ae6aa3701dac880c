import { afterEach, beforeEach } from 'node:test';
import type { Store } from '../../../src/store/store.ts';
import type { StoreHarness } from './store-harness.ts';

export function eachHarness<Opened extends Store = Store>(
  make: () => Promise<StoreHarness>,
): { harness: StoreHarness; store: Opened } {
  let harness: StoreHarness;
  let store: Store;
  beforeEach(async () => {
    harness = await make();
    store = await harness.open();
  });
  afterEach(() => harness.dispose());
  return { harness: live(() => harness), store: live(() => store as Opened) };
}

/** A suite takes this object before any test runs. Each access looks up the value of the current test. */
const live = <Value extends object>(current: () => Value): Value =>
  new Proxy({} as Value, {
    get: (_, name) => Reflect.get(current(), name),
    ownKeys: () => Reflect.ownKeys(current()),
    getOwnPropertyDescriptor: (_, name) => Reflect.getOwnPropertyDescriptor(current(), name),
  });
