import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { type App, buildApp, SYSTEM_CLOCK } from '../../src/app.ts';
import { makeApiKey, OPERATOR_ACCOUNT } from '../../src/core/access/api-key.ts';
import { buildOperatorApp } from '../../src/operator-app.ts';
import { IN_MEMORY_URL, openStore } from '../../src/store/open-store.ts';
import { testConfig, testMetrics } from '../rig/app.ts';
import { Random } from '../rig/random.ts';
import { responseChecker } from '../rig/response-checker.ts';
import { record, transaction } from '../rig/transactions.ts';
import type { FuzzEnvironment } from './fuzz-request.ts';

export const { store } = await openStore(IN_MEMORY_URL, Date.now);
const dependencies = {
  config: testConfig,
  store,
  clock: SYSTEM_CLOCK,
  randomBytes,
  logger: pino({ enabled: false }),
  metrics: testMetrics,
};
export const apps: Record<'public' | 'operator', App> = {
  public: await buildApp({
    ...dependencies,
    cursorSecrets: ['a secret of the fuzzing, long enough to be one'],
    exportLimits: {
      perAccount: 2,
      perProcess: 8,
      storedPerAccount: Number.POSITIVE_INFINITY,
      readerTimeoutMs: 60_000,
    },
  }),
  operator: await buildOperatorApp(dependencies),
};
export const checkers = {
  public: responseChecker(new URL('../../openapi.json', import.meta.url)),
  operator: responseChecker(new URL('../../openapi-operator.json', import.meta.url)),
};
/** The account of `accountKey`. */
export const ACCOUNT = 'shop';
/** How many changes it has at the start. */
export const CHANGES = 25;
export const environment: FuzzEnvironment = await createEnvironment();

async function createEnvironment(): Promise<FuzzEnvironment> {
  // Every run has the same keys, so that a seed gives the same request.
  const seeded = new Random(0);
  const makeKey = async (account: string) => {
    const { key, stored } = makeApiKey({ account, label: null, expiresAtMs: null }, Date.now(), (length) =>
      seeded.bytes(length),
    );
    await store.createApiKey(stored);
    return key;
  };
  const accountKey = await makeKey(ACCOUNT);
  await record(
    store,
    Array.from({ length: CHANGES }, (_, index) => transaction(ACCOUNT, `initial-${index}`)),
  );
  const cursors: string[] = [];
  for (const query of ['', 'status=completed', 'currency=EUR&from=2026-02-01']) {
    const { body } = await apps.public.server.inject({
      url: `/v1/transactions?${query}`,
      headers: { authorization: `Bearer ${accountKey}` },
    });
    cursors.push(JSON.parse(body).nextCursor);
  }
  return { accountKey, operatorKey: await makeKey(OPERATOR_ACCOUNT), cursors };
}
