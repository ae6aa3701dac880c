import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { type App, type AppDependencies, buildApp, type Clock } from '../../src/app.ts';
import { BUILT_IN_STATUSES } from '../../src/core/status.ts';
import type { Store } from '../../src/core/store.ts';
import { IN_MEMORY_URL, openStore } from '../../src/store/open-store.ts';

/** A clock that stands still until it is moved. */
export interface TestClock extends Clock {
  set(nowMs: number): void;
  advance(milliseconds: number): void;
}

export function testClock(startMs: number = Date.UTC(2026, 5, 15, 12)): TestClock {
  let nowMs = startMs;
  let monotonicMs = 0;
  return {
    now: () => nowMs,
    monotonicMs: () => monotonicMs,
    set: (toMs) => {
      nowMs = toMs;
    },
    advance: (milliseconds) => {
      nowMs += milliseconds;
      monotonicMs += milliseconds;
    },
  };
}

export interface TestApp extends App {
  store: Store;
  clock: TestClock;
  /** Every line that was logged, as text. */
  logged: string[];
}

/** The settings of tests: as shipped, but for the limits of rate. */
export const testConfig: AppDependencies['config'] = {
  statuses: BUILT_IN_STATUSES,
  cursorLifetimeSeconds: 86_400,
  rateLimit: null,
  failedAuthenticationRateLimit: null,
  trustedProxies: [],
};

/** The service as it is shipped, on an empty store in memory and a clock that stands still. */
export async function buildTestApp(
  overrides: Partial<AppDependencies> & { clock?: TestClock } = {},
): Promise<TestApp> {
  const clock = overrides.clock ?? testClock();
  const store = overrides.store ?? (await openStore(IN_MEMORY_URL, clock.now)).store;
  const logged: string[] = [];
  const app = await buildApp({
    config: testConfig,
    cursorSecrets: ['a secret of the tests, long enough to be one'],
    randomBytes,
    logger: pino({ level: 'trace' }, { write: (line: string) => logged.push(line) }),
    ...overrides,
    clock,
    store,
  });
  return { ...app, store, clock, logged };
}
