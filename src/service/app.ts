import type { Tracer } from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';
import { BackgroundTurns } from '../../values/background-turns.ts';
import type { Config } from '../config/settings.ts';
import { documentRoutes } from '../http/documents/document-routes.ts';
import { type ReadBuiltFile, readBuiltFile } from '../http/files/built-files.ts';
import { fileRoutes } from '../http/files/file-routes.ts';
import { addOperations, KEY_KINDS, refuseOtherRoutes } from '../http/operations/operation.ts';
import { createRateLimiter } from '../http/overload/rate-limit.ts';
import { createServer, type ServerOptions } from '../http/server/create-server.ts';
import type { Listener } from '../http/telemetry/http-metrics.ts';
import { tracedStore } from '../http/telemetry/tracing.ts';
import { authentication, createKeyChecks } from '../keys/http/authenticate.ts';
import { ApiKeyUses, KeyCache } from '../keys/key-cache.ts';
import type { ChangeWatcher } from '../ledger/changes/change-watcher.ts';
import type { StaffSignIn } from '../staff/http/staff-routes.ts';
import type { Store } from '../store/store.ts';
import { type Clock, type ContextDependencies, createContext, type ServiceContext } from './context.ts';
import { OPERATIONS } from './operations.ts';
import { recogniseStatuses } from './recognise-statuses.ts';

export const SYSTEM_CLOCK: Clock = {
  now: Date.now,
  monotonicMs: performance.now.bind(performance),
};

export interface AppDependencies extends Omit<ContextDependencies, 'turns'> {
  store: Store;
  turns?: BackgroundTurns;
  tracer?: Tracer | null;
  staff?: StaffSignIn | null;
  isDraining?: () => boolean;
  readBuiltFile?: ReadBuiltFile;
}

export interface App {
  server: FastifyInstance;
  keyUses: ApiKeyUses;
  /** Call `keyCache.refresh` every KEY_ENDS_INTERVAL_MS. */
  keyCache: KeyCache;
  /** Call `changeWatcher.noteRecorded` each time this process has recorded something. */
  changeWatcher: ChangeWatcher;
  /** After this call, /readyz reports the stop, responses close connections, and waiting requests end. */
  announceStop(): void;
}

interface ListenerOptions extends Pick<ServerOptions, 'takesBodiesOfAnyLength' | 'sheds'> {
  listener: Listener;
  rateLimit: Config['rateLimit'];
  addOthers: (server: FastifyInstance, context: ServiceContext) => void;
}

export function buildApp(dependencies: AppDependencies): Promise<App> {
  return buildListener(dependencies, {
    listener: 'public',
    rateLimit: dependencies.config.rateLimit,
    takesBodiesOfAnyLength: false,
    sheds: 'everything',
    addOthers: (server, { statuses }) => {
      fileRoutes(server, {
        statuses,
        declaredStatuses: dependencies.config.statuses,
        sessionReturnUrl: dependencies.config.sessionReturnUrl,
        embedOrigins: dependencies.config.embedOrigins,
        readBuiltFile: dependencies.readBuiltFile ?? readBuiltFile,
      });
    },
  });
}

export type ServerDependencies = Omit<AppDependencies, 'cursorSecrets'>;

export const serverSettings = ({ config, clock, logger, metrics, tracer }: ServerDependencies) => ({
  requestTimeoutMs: config.requestTimeoutMs,
  maxHeaderBytes: config.maxHeaderBytes,
  keepAliveSeconds: config.keepAliveSeconds,
  connectionsPerAddress: config.connectionsPerAddress,
  trustedProxies: config.trustedProxies,
  logAddresses: config.logAddresses === 'on',
  monotonicMs: clock.monotonicMs,
  logger,
  metrics,
  tracer,
});

export async function buildListener(
  dependencies: AppDependencies,
  { listener, rateLimit, takesBodiesOfAnyLength, sheds, addOthers }: ListenerOptions,
  operations = OPERATIONS,
): Promise<App> {
  const { config, clock, logger, tracer } = dependencies;
  const store = tracer ? tracedStore(dependencies.store, tracer) : dependencies.store;
  const { turns = new BackgroundTurns(setImmediate) } = dependencies;
  const stopping = new AbortController();
  const cuttingExports = new AbortController();
  const server = createServer({
    listener,
    takesBodiesOfAnyLength,
    sheds,
    stopping: stopping.signal,
    turns,
    ...serverSettings(dependencies),
  });
  const keyUses = new ApiKeyUses();
  const keyCache = new KeyCache(store, clock.monotonicMs);
  const keys = { kind: KEY_KINDS[listener], keys: keyCache, now: clock.now };
  const limiter = createRateLimiter({ ...config, rateLimit }, clock.monotonicMs);
  const authenticate = authentication({ ...keys, uses: keyUses, limiter });
  const statuses = await recogniseStatuses(config.statuses, store, logger);
  const context = createContext(
    { ...dependencies, turns },
    {
      store,
      statuses,
      keyChecks: createKeyChecks(keys),
      limiter,
      stopping: stopping.signal,
      cuttingExports: cuttingExports.signal,
      isDraining: dependencies.isDraining ?? (() => false),
    },
  );
  const { watcher, keyChecks, exportLimits } = context;
  const announceStop = () => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    watcher.stop();
    setTimeout(() => cuttingExports.abort(), exportLimits.stopGraceMs).unref();
  };
  // The server closes only when no request is running, so waiting requests must end first.
  server.addHook('preClose', async () => announceStop());

  refuseOtherRoutes(server);
  await addOperations(server, {
    operations,
    listener,
    context,
    admission: { authenticate, keyChecks },
  });
  addOthers(server, context);
  documentRoutes(server, {
    listener,
    listening: config,
    statuses,
    readBuiltFile: dependencies.readBuiltFile ?? readBuiltFile,
  });
  await server.ready();

  return { server, keyUses, keyCache, changeWatcher: watcher, announceStop };
}
