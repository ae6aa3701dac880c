import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { makeApiKey } from '../../src/keys/api-key.ts';
import { type App, buildApp, SYSTEM_CLOCK } from '../../src/service/app.ts';
import { buildOperatorApp } from '../../src/service/operator-app.ts';
import { IN_MEMORY_URL, openStore } from '../../src/store/open-store.ts';
import { OPERATOR_ACCOUNT } from '../../values/caller.ts';
import { SCOPES, type Scope } from '../../values/scopes.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { responseChecker } from '../rig/http/response-checker.ts';
import { Random } from '../rig/run/random.ts';
import { testConfig, testMetrics } from '../rig/service/app.ts';
import { someEntry } from '../rig/store/audit.ts';
import { testReceivers } from '../rig/webhooks/test-receivers.ts';
import type { FuzzEnvironment } from './fuzz-request.ts';

const { store } = await openStore(IN_MEMORY_URL, Date.now);
const dependencies = {
  config: testConfig,
  store,
  clock: SYSTEM_CLOCK,
  randomBytes,
  logger: pino({ enabled: false }),
  metrics: testMetrics,
  cursorSecrets: ['a secret of the fuzzing, long enough to be one'],
};
export const apps: Record<'public' | 'operator', App> = {
  public: await buildApp({
    ...dependencies,
    webhooks: testReceivers(),
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
/** The account of `accountKey`, and of the examples of the OpenAPI documents. */
const ACCOUNT = 'store-1';
const CHANGES = 25;
export const environment: FuzzEnvironment = await createEnvironment();

async function createEnvironment(): Promise<FuzzEnvironment> {
  // Every run has the same keys, so that a seed always gives the same request.
  const seeded = new Random(0);
  const random = (length: number) => seeded.bytes(length);
  const makeKey = async (account: string, scopes: readonly Scope[]) => {
    const wanted = { account, label: null, expiresAtMs: null, scopes };
    const { key, stored } = makeApiKey(wanted, Date.now(), random);
    await store.createApiKey(stored, someEntry());
    return key;
  };
  const accountKey = await makeKey(ACCOUNT, SCOPES.account);
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
  return { accountKey, operatorKey: await makeKey(OPERATOR_ACCOUNT, SCOPES.operator), cursors };
}
