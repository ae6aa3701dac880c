import type { AppDependencies } from '../../../src/service/app.ts';
import { IN_MEMORY_URL, openStore } from '../../../src/store/open-store.ts';
import type { StoreCalls } from '../../../src/store/store.ts';
import { buildTestApp, type TestApp, type TestClock, testClock } from '../service/app.ts';
import { storeWith } from './store-with.ts';

export type Fault = () => Promise<never>;

export const hang: Fault = () => new Promise<never>(() => {});
export const rejectWith =
  (makeError: () => Error): Fault =>
  () =>
    Promise.reject(makeError());

export async function appOnFaultyStore(
  methods: readonly (keyof StoreCalls)[],
  fault: Fault,
  overrides: Partial<AppDependencies> & { clock?: TestClock } = {},
): Promise<{ app: TestApp; faults: { failing: boolean } }> {
  const clock = overrides.clock ?? testClock();
  const { store } = await openStore(IN_MEMORY_URL, clock.now);
  const faults = { failing: false };
  const faulty = methods.map((name) => [
    name,
    (...values: never[]) =>
      faults.failing ? fault() : (store[name] as (...values: never[]) => unknown)(...values),
  ]);
  const app = await buildTestApp({
    ...overrides,
    store: storeWith(store, Object.fromEntries(faulty)),
    clock,
  });
  return { app, faults };
}
