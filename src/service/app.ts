import type { Tracer } from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from '../config/settings.ts';
import {
  type Authenticate,
  authentication,
  createKeyChecks,
  type KeyChecks,
} from '../http/access/authenticate.ts';
import { createRateLimiter } from '../http/access/rate-limit.ts';
import type { ReadBuiltFile } from '../http/files/built-files.ts';
import { fileRoutes } from '../http/files/file-routes.ts';
import { describeAccess } from '../http/reference/describe-access.ts';
import { errorPageRoutes } from '../http/reference/error-pages.ts';
import { type ApiDescription, describeRoutes, documentRoutes } from '../http/reference/openapi.ts';
import { createServer, type ServerOptions } from '../http/server/create-server.ts';
import { EXPORT_READER_TIMEOUT_MS } from '../http/server/transport-limits.ts';
import { tracedStore } from '../http/telemetry/tracing.ts';
import { ApiKeyUses } from '../keys/authenticate.ts';
import { retrieveKeyRoute } from '../keys/http/retrieve-key.ts';
import { KeyCache } from '../keys/key-cache.ts';
import type { KeyKind } from '../keys/scopes.ts';
import { ChangeWatcher } from '../ledger/changes/change-watcher.ts';
import { listChangesRoute } from '../ledger/changes/http/list-changes.ts';
import { listTransactionChangesRoute } from '../ledger/changes/http/list-transaction-changes.ts';
import { exportTransactionsRoutes } from '../ledger/exports/http/export-transactions.ts';
import { retrieveExportRoute } from '../ledger/exports/http/retrieve-export.ts';
import { type ExportLimits, RunningExports } from '../ledger/exports/running-exports.ts';
import { createCursorSealer } from '../ledger/list/cursor.ts';
import { listTransactionsRoute } from '../ledger/list/http/list-transactions.ts';
import { retrieveTransactionRoute } from '../ledger/list/http/retrieve-transaction.ts';
import type { RecognisedStatuses } from '../ledger/recorded-statuses.ts';
import { readTotalsRoute } from '../ledger/totals/http/read-totals.ts';
import type { Store } from '../store/store.ts';
import { BackgroundTurns } from '../values/background-turns.ts';
import type { RandomBytes } from '../values/reference.ts';
import type { EndpointName } from '../webhooks/delivery-dependencies.ts';
import { webhookRoutes } from '../webhooks/http/webhook-routes.ts';
import { RunningTests } from '../webhooks/running-tests.ts';
import type { Send } from '../webhooks/send.ts';
import type { WebhookRules } from '../webhooks/webhook-fields.ts';
import { healthRoutes } from './health.ts';
import type { Metrics } from './metrics.ts';
import { recogniseStatuses } from './recognise-statuses.ts';

export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z; can be set back. */
  now(): number;
  /** Milliseconds that only ever grow. */
  monotonicMs(): number;
}

export const SYSTEM_CLOCK: Clock = { now: Date.now, monotonicMs: () => performance.now() };

/** What both listeners need. */
export interface ListenerDependencies {
  config: Pick<
    Config,
    | 'statuses'
    | 'requestTimeoutMs'
    | 'failedAuthenticationRateLimit'
    | 'connectionsPerAddress'
    | 'trustedProxies'
  >;
  store: Store;
  clock: Clock;
  randomBytes: RandomBytes;
  logger: Logger;
  metrics: Metrics;
  /** Makes a span for each request and each of its store calls; null or absent without tracing. */
  tracer?: Tracer | null;
}

export interface AppDependencies extends ListenerDependencies {
  config: ListenerDependencies['config'] & Pick<Config, 'cursorLifetimeSeconds' | 'rateLimit'>;
  /** The first secret encrypts new cursors; every secret decrypts. */
  cursorSecrets: readonly string[];
  /** Is notified of the number of an account's changes that are not folded, when its totals are read. */
  onUnfolded?: (account: string, changes: number) => void;
  /** A worker reads the files of the page and of the client from the first process. */
  readBuiltFile?: ReadBuiltFile;
  /** Without it, the service has no operations on webhooks. */
  webhooks?: WebhookSending;
  /** Tests have smaller ones. */
  exportLimits?: ExportLimits & { storedPerAccount: number; readerTimeoutMs: number };
}

export interface WebhookSending extends Pick<WebhookRules, 'explainUrl'> {
  send: Send;
  /** Is notified of each test that was delivered to an endpoint. */
  onTestDelivered?: (endpoint: EndpointName) => void;
}

/** The record of an export has about a kilobyte, and stays for 24 hours. One that is being sent holds at most two pages and a piece, also while its caller reads slowly. */
const EXPORT_LIMITS = {
  perAccount: 2,
  perProcess: 32,
  storedPerAccount: 5000,
  readerTimeoutMs: EXPORT_READER_TIMEOUT_MS,
};

export interface App {
  server: FastifyInstance;
  keyUses: ApiKeyUses;
  /** Call its `refresh` every KEY_ENDS_INTERVAL_MS. Before the first call, every request looks up its key. */
  keyCache: KeyCache;
  /** From now on /readyz reports that the service is stopping, each response closes its connection, and nobody waits for changes. */
  announceStop(): void;
}

export interface PublicApp extends App {
  /** Call its `noteRecorded` after each recording of this process, so that callers that wait for changes get them at once. */
  changeWatcher: ChangeWatcher;
  /** Other work of the process that can wait takes turns with the exports. */
  turns: BackgroundTurns;
}

interface ListenerOptions<Kind extends KeyKind>
  extends Pick<ServerOptions, 'listener' | 'takesStreams' | 'shedsLoad'> {
  api: ApiDescription;
  /** The kind of API keys that are accepted. */
  keyKind: Kind;
  /** The rate limit of each key, or null for none. */
  rateLimit: Config['rateLimit'];
}

/** What routes are built from. */
interface ListenerParts<Kind extends KeyKind> {
  server: FastifyInstance;
  store: Store;
  /** Those that filters accept. */
  statuses: RecognisedStatuses;
  authenticate: Authenticate<Kind>;
  keyChecks: KeyChecks;
}

const PUBLIC_API = {
  title: 'Transactions',
  description:
    'Lists the transactions of the account that the API key belongs to, newest first. The service has its own client for JavaScript and TypeScript: ' +
    'save [the module](/client/transactions-client.js) and [its types](/client/transactions-client.d.ts) with ' +
    '`curl -O ADDRESS/client/transactions-client.js -O ADDRESS/client/transactions-client.d.ts`, and import `TransactionsClient` from it.',
  keyDescription: 'An API key of the account: tk_live_ and 36 characters.',
  tags: [
    { name: 'transactions', description: 'Reading transactions' },
    { name: 'webhooks', description: 'Getting changes by HTTP requests to an endpoint' },
    { name: 'keys', description: 'What an API key is for' },
    { name: 'operation', description: 'Monitoring the service' },
  ],
};

/** The public service: everything from outside is passed in. */
export async function buildApp(dependencies: AppDependencies): Promise<PublicApp> {
  const { config, cursorSecrets, clock, randomBytes, logger, metrics } = dependencies;
  const { onUnfolded = () => {}, exportLimits = EXPORT_LIMITS } = dependencies;
  const runningExports = new RunningExports(exportLimits);
  const runningTests = new RunningTests();
  const turns = new BackgroundTurns(setImmediate);
  const changeWatcher = new ChangeWatcher({
    reader: dependencies.store,
    monotonicMs: clock.monotonicMs,
    onPollFailed: (error) => logger.warn({ err: error }, 'could not read whether accounts have changes'),
  });
  const options = {
    listener: 'public',
    api: PUBLIC_API,
    keyKind: 'account',
    rateLimit: config.rateLimit,
    takesStreams: false,
    shedsLoad: true,
  } as const;
  const app = await buildListener(dependencies, options, (parts) => {
    const { server, store, statuses, authenticate, keyChecks } = parts;
    listTransactionsRoute(server, {
      store,
      cursors: createCursorSealer(cursorSecrets, randomBytes),
      cursorLifetimeSeconds: config.cursorLifetimeSeconds,
      statuses,
      now: clock.now,
      authenticate,
    });
    addRetrieving(parts);
    listChangesRoute(server, {
      reader: store,
      watcher: changeWatcher,
      monotonicMs: clock.monotonicMs,
      metrics,
      authenticate,
      keyChecks,
    });
    readTotalsRoute(server, {
      reader: store,
      statuses,
      requestTimeoutMs: config.requestTimeoutMs,
      onUnfolded,
      authenticate,
    });
    server.addHook('onRequest', (_request, _reply, done) => {
      turns.noteRequest();
      done();
    });
    exportTransactionsRoutes(server, {
      store,
      running: runningExports,
      turns,
      mostStored: exportLimits.storedPerAccount,
      readerTimeoutMs: exportLimits.readerTimeoutMs,
      statuses,
      ...clock,
      randomBytes,
      onUnfolded,
      metrics,
      logger,
      authenticate,
      keyChecks,
    });
    retrieveExportRoute(server, { store, now: clock.now, authenticate });
    // Otherwise the server would wait for them to end.
    server.addHook('preClose', async () => {
      runningExports.stop();
      runningTests.stop();
    });
    addWebhooks(parts, dependencies, runningTests);
    fileRoutes(server, { statuses, readBuiltFile: dependencies.readBuiltFile });
  });
  const announceStop = () => {
    app.announceStop();
    changeWatcher.stop();
    runningExports.stop();
    runningTests.stop();
  };
  return { ...app, announceStop, changeWatcher, turns };
}

/** What has one answer: a transaction, its changes, the key. */
function addRetrieving({ server, store, authenticate }: ListenerParts<'account'>): void {
  retrieveTransactionRoute(server, { store, authenticate });
  listTransactionChangesRoute(server, { reader: store, authenticate });
  retrieveKeyRoute(server, authenticate);
}

function addWebhooks(
  { server, store, statuses, authenticate }: ListenerParts<'account'>,
  { webhooks, clock, randomBytes }: AppDependencies,
  tests: RunningTests,
): void {
  if (webhooks === undefined) return;
  const { send, explainUrl, onTestDelivered = () => {} } = webhooks;
  const rules = { statuses, explainUrl };
  webhookRoutes(server, { store, rules, send, onTestDelivered, tests, ...clock, randomBytes, authenticate });
}

/** A listener with the given routes, and those of both listeners: health, the reference and the error pages. */
export async function buildListener<Kind extends KeyKind>(
  dependencies: ListenerDependencies,
  { listener, api, keyKind, rateLimit, takesStreams, shedsLoad }: ListenerOptions<Kind>,
  addRoutes: (parts: ListenerParts<Kind>) => void | Promise<void>,
): Promise<App> {
  const { config, clock, logger, metrics, tracer } = dependencies;
  const store = tracer ? tracedStore(dependencies.store, tracer) : dependencies.store;
  let stopping = false;
  const isStopping = () => stopping;
  const server = createServer({
    listener,
    takesStreams,
    shedsLoad,
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
  const limiter = createRateLimiter({ ...config, rateLimit }, clock.monotonicMs);
  const authenticate = authentication({
    kind: keyKind,
    keys: keyCache,
    uses: keyUses,
    now: clock.now,
    limiter,
  });

  describeAccess(server);
  // Add after every onRoute hook that reads schemas: it deletes them.
  const document = describeRoutes(server, api);
  const keyChecks = createKeyChecks({ kind: keyKind, keys: keyCache, now: clock.now });
  const statuses = await recogniseStatuses(config.statuses, store, logger);
  await addRoutes({ server, store, statuses, authenticate, keyChecks });
  healthRoutes(server, { store, isStopping });
  errorPageRoutes(server);
  documentRoutes(server, document);
  await server.ready();

  return { server, keyUses, keyCache, announceStop: () => (stopping = true) };
}
