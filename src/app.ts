import type { Tracer } from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from './config/settings.ts';
import { ApiKeyUses } from './core/access/authenticate.ts';
import { KeyCache } from './core/access/key-cache.ts';
import { createCursorSealer } from './core/list/cursor.ts';
import type { RandomBytes } from './core/reference.ts';
import type { Store } from './core/store.ts';
import { requireApiKey } from './http/access/authenticate.ts';
import { createRateLimiter } from './http/access/rate-limit.ts';
import { errorPageRoutes } from './http/reference/error-pages.ts';
import { describeRoutes, documentRoutes } from './http/reference/openapi.ts';
import { healthRoutes } from './http/routes/health.ts';
import { listTransactionsRoute } from './http/routes/list-transactions.ts';
import { pageRoutes } from './http/routes/page.ts';
import { retrieveTransactionRoute } from './http/routes/retrieve-transaction.ts';
import { createServer } from './http/server/create-server.ts';
import type { Metrics } from './http/telemetry/metrics.ts';
import { tracedStore } from './http/telemetry/tracing.ts';

export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z; may be set back. */
  now(): number;
  /** Milliseconds that only ever grow. */
  monotonicMs(): number;
}

export const SYSTEM_CLOCK: Clock = { now: Date.now, monotonicMs: () => performance.now() };

export interface AppDependencies {
  config: Pick<
    Config,
    | 'statuses'
    | 'cursorLifetimeSeconds'
    | 'requestTimeoutMs'
    | 'rateLimit'
    | 'failedAuthenticationRateLimit'
    | 'connectionsPerAddress'
    | 'trustedProxies'
  >;
  /** The first seals, all open. */
  cursorSecrets: readonly string[];
  store: Store;
  clock: Clock;
  randomBytes: RandomBytes;
  logger: Logger;
  metrics: Metrics;
  /** Makes a span for each request and each of its calls; null or absent where nobody traces. */
  tracer?: Tracer | null;
}

export interface App {
  server: FastifyInstance;
  keyUses: ApiKeyUses;
  /** To be refreshed at its interval; until then, each request looks its key up. */
  keyCache: KeyCache;
  /** From now on /readyz tells that the service is stopping, and each answer closes its connection. */
  announceStop(): void;
}

const PUBLIC_API = {
  title: 'Transactions',
  description: 'The transactions of an account, newest first, for the holder of its API key.',
  keyDescription: 'An API key of the account: tk_live_ and 36 characters.',
  tags: [
    { name: 'transactions', description: 'Reading transactions' },
    { name: 'operation', description: 'Watching the service' },
  ],
};

/** The whole service behind its interfaces: everything from outside is passed in. */
export async function buildApp(dependencies: AppDependencies): Promise<App> {
  const { config, cursorSecrets, clock, randomBytes, logger, metrics, tracer } = dependencies;
  const store = tracer ? tracedStore(dependencies.store, tracer) : dependencies.store;
  let stopping = false;
  const isStopping = () => stopping;
  const server = createServer({
    listener: 'public',
    takesBodies: false,
    shedsLoad: true,
    requestTimeoutMs: config.requestTimeoutMs,
    connectionsPerAddress: config.connectionsPerAddress,
    trustedProxies: config.trustedProxies,
    isStopping,
    monotonicMs: clock.monotonicMs,
    logger,
    metrics,
    tracer,
  });
  const keyUses = new ApiKeyUses();
  const keyCache = new KeyCache(store, clock.monotonicMs);

  const authenticate = requireApiKey({
    kind: 'account',
    keys: keyCache,
    uses: keyUses,
    now: clock.now,
    limiter: createRateLimiter(config, clock.monotonicMs),
  });

  await describeRoutes(server, PUBLIC_API);

  listTransactionsRoute(server, {
    store,
    cursors: createCursorSealer(cursorSecrets, randomBytes),
    cursorLifetimeSeconds: config.cursorLifetimeSeconds,
    statuses: config.statuses,
    now: clock.now,
    authenticate,
  });
  retrieveTransactionRoute(server, { store, authenticate });
  healthRoutes(server, { store, isStopping });
  errorPageRoutes(server);
  pageRoutes(server, config);
  documentRoutes(server);
  await server.ready();

  return { server, keyUses, keyCache, announceStop: () => (stopping = true) };
}
