import type { Logger } from 'pino';
import { buildApp, SYSTEM_CLOCK } from '../app.ts';
import type { Config } from '../config/settings.ts';
import type { Store } from '../core/store.ts';
import { createMetrics } from '../http/telemetry/metrics.ts';
import { registeredTracer } from '../http/telemetry/tracing.ts';
import { buildOperatorApp } from '../operator-app.ts';
import { describeDatabase } from '../store/open-store.ts';
import { noteWaiting, secureRandomBytes } from './environment.ts';
import { type Address, type Listener, startListener } from './listener.ts';
import { toldToStop } from './told-to-stop.ts';
import { joinTeam, leaveTeam, startWorkers } from './workers.ts';

export interface Serving {
  /** Processes that answer requests, this one alone where it is 1. */
  workers?: number;
  /** Called with the address once requests are answered. */
  onListening?: (url: string) => void;
}

/** Serves until the process is told to stop, then finishes the requests in hand. */
export async function serve(
  config: Config,
  store: Store,
  logger: Logger,
  { workers = 1, onListening }: Serving = {},
): Promise<void> {
  const dependencies = dependenciesOf(config, store, logger, workers > 1);
  const listeners: Listener[] = [];
  const stop = () => Promise.all(listeners.map((listener) => listener.stop()));
  // From here on, so that who is told to stop while it starts ends in order too, with all that it has started.
  const toStop = hearOfStop(logger);
  try {
    listeners.push(
      workers > 1
        ? await startWorkers(workers, publicAddress(config), logger)
        : await startPublic(dependencies, { isShared: false }),
    );
    const operator = await startOperator(dependencies);
    if (operator !== null) listeners.push(operator);
  } catch (error) {
    await stop();
    // A terminal tells the workers too, and those that do not hear it yet end at once.
    if (toStop.isTold) return;
    throw error;
  }
  const [{ url }] = listeners as [Listener];
  logger.info(
    { url, database: describeDatabase(config.databaseUrl), pid: process.pid, workers },
    'listening',
  );
  // Whoever waits for this line is not to wait for those that gather with it.
  logger.flush();
  onListening?.(url);

  await toStop.told;
  await stop();
  logger.info('stopped');
  logger.flush();
}

/** One of several processes: it answers the public requests alone, and stops when it is told to. */
export async function serveAsWorker(config: Config, store: Store, logger: Logger): Promise<void> {
  const dependencies = dependenciesOf(config, store, logger, true);
  const told = toldToStop(logger);
  const listener = await startPublic(dependencies, { isShared: true });
  joinTeam();
  await told;
  await listener.stop();
  logger.flush();
  await leaveTeam(dependencies.metrics);
}

function hearOfStop(logger: Logger): { told: Promise<void>; isTold: boolean } {
  const heard = { told: toldToStop(logger), isTold: false };
  void heard.told.then(() => {
    heard.isTold = true;
  });
  return heard;
}

/** What the apps of this process take from outside. */
function dependenciesOf(config: Config, store: Store, logger: Logger, aggregateWorkers: boolean) {
  const metrics = createMetrics({ aggregateWorkers });
  metrics.watchConnections(store);
  const tracer = registeredTracer();
  return { config, store, clock: SYSTEM_CLOCK, randomBytes: secureRandomBytes, logger, metrics, tracer };
}

type Dependencies = ReturnType<typeof dependenciesOf>;

const publicAddress = ({ host, port }: Config): Address => ({ host, port, settings: ['HOST', 'PORT'] });

async function startPublic(
  dependencies: Dependencies,
  { isShared }: Required<Pick<Address, 'isShared'>>,
): Promise<Listener> {
  const { config, store, logger } = dependencies;
  const cursorSecrets = await cursorSecretsOf(config, store);
  const app = await buildApp({ ...dependencies, cursorSecrets });
  return startListener(app, { ...publicAddress(config), isShared }, store, logger);
}

async function startOperator(dependencies: Dependencies): Promise<Listener | null> {
  const { config, store, logger } = dependencies;
  if (config.operatorPort === null) return null;
  const settings = ['OPERATOR_HOST', 'OPERATOR_PORT'] as const;
  const address = { host: config.operatorHost, port: config.operatorPort, settings };
  const listener = await startListener(await buildOperatorApp(dependencies), address, store, logger);
  logger.info({ url: listener.url }, "listening for the operator's interface");
  return listener;
}

/** The operator's, or the one that the database keeps. */
async function cursorSecretsOf({ secrets }: Config, store: Store): Promise<readonly string[]> {
  const proposed = Buffer.from(secureRandomBytes(32)).toString('base64url');
  return secrets.cursorSecrets ?? [await noteWaiting(store.keepCursorSecret(proposed))];
}
