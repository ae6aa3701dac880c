import type { AppDependencies } from '../../../src/service/app.ts';
import { IN_MEMORY_URL, openStore } from '../../../src/store/open-store.ts';
import { type StoreCall, wrapStore } from '../../../src/store/wrap-store.ts';
import { buildTestApp, type TestApp, type TestClock, testClock } from '../service/app.ts';

/** What a call returns while the store fails: a promise that rejects or never settles. */
export type Fault = () => Promise<never>;

export const hang: Fault = () => new Promise<never>(() => {});
export const rejectWith =
  (makeError: () => Error): Fault =>
  () =>
    Promise.reject(makeError());

/** The service on a real store whose named methods fail while `failing` is true. */
export async function appOnFaultyStore(
  methods: readonly StoreCall[],
  fault: Fault,
  overrides: Partial<AppDependencies> & { clock?: TestClock } = {},
): Promise<{ app: TestApp; faults: { failing: boolean } }> {
  const clock = overrides.clock ?? testClock();
  const { store } = await openStore(IN_MEMORY_URL, clock.now);
  const faults = { failing: false };
  const faulty = wrapStore(store, methods, (_name, call) => (faults.failing ? fault() : call()));
  return { app: await buildTestApp({ ...overrides, store: faulty, clock }), faults };
}
