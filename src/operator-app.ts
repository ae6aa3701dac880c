import { setImmediate as nextTurn } from 'node:timers/promises';
import type { App, AppDependencies } from './app.ts';
import { ApiKeyUses } from './core/access/authenticate.ts';
import { KeyCache } from './core/access/key-cache.ts';
import { GroupCommit } from './core/group-commit.ts';
import { assignReference } from './core/reference.ts';
import { withinTime } from './core/time-limit.ts';
import { type StoreCall, wrapStore } from './core/wrap-store.ts';
import { requireApiKey } from './http/access/authenticate.ts';
import { createRateLimiter } from './http/access/rate-limit.ts';
import { errorPageRoutes } from './http/reference/error-pages.ts';
import { describeRoutes, documentRoutes } from './http/reference/openapi.ts';
import { healthRoutes } from './http/routes/health.ts';
import { apiKeyRoutes } from './http/routes/operator/api-keys.ts';
import { metricsRoute } from './http/routes/operator/metrics.ts';
import { recordBatchRoute } from './http/routes/operator/record-batch.ts';
import { recordTransactionRoutes } from './http/routes/operator/record-transaction.ts';
import { createServer } from './http/server/create-server.ts';
import { countingRecorder } from './http/telemetry/store-metrics.ts';
import { tracedStore } from './http/telemetry/tracing.ts';

export type OperatorAppDependencies = Omit<AppDependencies, 'cursorSecrets' | 'config'> & {
  config: Pick<
    AppDependencies['config'],
    | 'statuses'
    | 'requestTimeoutMs'
    | 'failedAuthenticationRateLimit'
    | 'connectionsPerAddress'
    | 'trustedProxies'
  >;
};

const OPERATOR_API = {
  title: "Transactions: the operator's interface",
  description: 'Records transactions and makes keys, for the payment platform that the service runs beside.',
  keyDescription: 'A key of the operator: tk_operator_ and 36 characters.',
  tags: [
    { name: 'recording', description: 'Recording transactions' },
    { name: 'keys', description: "Accounts' API keys" },
    { name: 'operation', description: 'Watching the service' },
  ],
};

/**
 * Calls with a time limit of their own, because the limit of a request does not cover them: a key is looked up before
 * the body arrives, recordings wait for each other, and a batch has no limit.
 */
const TIMED_CALLS: readonly StoreCall[] = ['findApiKey', 'recordTransactions', 'recordHeld'];

/** The operator's interface, on a listener of its own: no key of an account opens it, and no key of it an account. */
export async function buildOperatorApp(dependencies: OperatorAppDependencies): Promise<App> {
  const { config, clock, randomBytes, logger, metrics, tracer } = dependencies;
  const { statuses, requestTimeoutMs, trustedProxies, connectionsPerAddress } = config;
  const timed = wrapStore(dependencies.store, TIMED_CALLS, (_name, call) =>
    withinTime(call(), requestTimeoutMs),
  );
  const store = tracer ? tracedStore(timed, tracer) : timed;
  let stopping = false;
  const isStopping = () => stopping;
  const server = createServer({
    listener: 'operator',
    takesBodies: true,
    // Recordings have connections of their own, and are answered while lists are refused.
    shedsLoad: false,
    requestTimeoutMs,
    connectionsPerAddress,
    trustedProxies,
    isStopping,
    monotonicMs: clock.monotonicMs,
    logger,
    metrics,
    tracer,
  });
  const keyUses = new ApiKeyUses();
  const keyCache = new KeyCache(store, clock.monotonicMs);

  const authenticate = requireApiKey({
    kind: 'operator',
    keys: keyCache,
    uses: keyUses,
    now: clock.now,
    limiter: createRateLimiter({ ...config, rateLimit: null }, clock.monotonicMs),
  });
  const rules = {
    statuses,
    assignReference: (createdAtMs: number) => assignReference(createdAtMs, randomBytes),
  };

  await describeRoutes(server, OPERATOR_API);
  const recorder = countingRecorder(store, metrics);
  const groupCommit = new GroupCommit(recorder, nextTurn);
  recordTransactionRoutes(server, { store: recorder, groupCommit, rules, authenticate });
  await recordBatchRoute(server, {
    store,
    rules,
    authenticate,
    countRecorded: metrics.countRecorded,
    logger,
  });
  apiKeyRoutes(server, { store, now: clock.now, randomBytes, authenticate });
  healthRoutes(server, { store, isStopping });
  metricsRoute(server, metrics);
  errorPageRoutes(server);
  documentRoutes(server);
  await server.ready();

  return { server, keyUses, keyCache, announceStop: () => (stopping = true) };
}
