import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import { type Command, InvalidArgumentError } from 'commander';
import type { Logger } from 'pino';
import { buildApp, SYSTEM_CLOCK } from '../app.ts';
import type { Store } from '../core/store.ts';
import { createMetrics } from '../http/metrics.ts';
import { registeredTracer } from '../http/tracing.ts';
import { buildOperatorApp } from '../operator-app.ts';
import type { Config } from '../settings.ts';
import { describeDatabase, isEmbedded } from '../store/open-store.ts';
import { loadConfig, secureRandomBytes, withStore } from './environment.ts';
import { type Address, type Listener, startListener } from './listener.ts';
import { createLogger } from './logger.ts';
import { toldToStop } from './told-to-stop.ts';
import { joinTeam, leaveTeam, startWorkers } from './workers.ts';

const MAX_WORKERS = 64;
/** Beyond this, a database on the same machine is what is missing. */
const MAX_DEFAULT_WORKERS = 4;

export function serveCommand(program: Command): void {
  program
    .command('serve')
    .description('serve HTTP until told to stop')
    .option(
      '--workers <number>',
      'processes that answer requests on the same port (default: 1 on SQLite; on PostgreSQL one less than the processors, from 1 to 4)',
      parseWorkers,
    )
    .action(async ({ workers }: { workers?: number }) => {
      const config = loadConfig();
      await withStore(config, async (store, migrated) => {
        if (cluster.isWorker) return serveAsWorker(config, store);
        const count = workers ?? defaultWorkers(config);
        const logger = createLogger(config.logLevel, { isShared: count > 1 });
        for (const name of migrated) logger.info({ migration: name }, 'applied a migration');
        await serve(config, store, logger, { workers: count });
      });
    });
}

function parseWorkers(text: string): number {
  const workers = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (workers >= 1 && workers <= MAX_WORKERS) return workers;
  throw new InvalidArgumentError(`Write a whole number from 1 to ${MAX_WORKERS}.`);
}

function defaultWorkers({ databaseUrl }: Config): number {
  if (isEmbedded(databaseUrl)) return 1;
  return Math.min(MAX_DEFAULT_WORKERS, Math.max(1, availableParallelism() - 1));
}

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
  const metrics = createMetrics({ ofWorkersToo: workers > 1 });
  metrics.watchConnections(store);
  const dependencies = {
    config,
    store,
    clock: SYSTEM_CLOCK,
    randomBytes: secureRandomBytes,
    logger,
    metrics,
    tracer: registeredTracer(),
  };
  const cursorSecrets = await cursorSecretsOf(config, store);
  const listeners: Listener[] = [];
  const stop = () => Promise.all(listeners.map((listener) => listener.stop()));
  try {
    listeners.push(
      workers > 1
        ? await startWorkers(workers, publicAddress(config), logger)
        : await startListener(
            await buildApp({ ...dependencies, cursorSecrets }),
            publicAddress(config),
            store,
            logger,
          ),
    );
    const operator = await startOperator(dependencies);
    if (operator !== null) listeners.push(operator);
  } catch (error) {
    await stop();
    throw error;
  }
  const [{ url }] = listeners as [Listener];
  logger.info(
    { url, database: describeDatabase(config.databaseUrl), pid: process.pid, workers },
    'listening',
  );
  onListening?.(url);

  await toldToStop(logger);
  await stop();
  logger.info('stopped');
  logger.flush();
}

/** One of several processes: it answers the public requests alone, and stops when it is told to. */
async function serveAsWorker(config: Config, store: Store): Promise<void> {
  const logger = createLogger(config.logLevel, { isShared: true });
  const metrics = createMetrics({ ofWorkersToo: true });
  metrics.watchConnections(store);
  const app = await buildApp({
    config,
    store,
    clock: SYSTEM_CLOCK,
    randomBytes: secureRandomBytes,
    logger,
    metrics,
    tracer: registeredTracer(),
    cursorSecrets: await cursorSecretsOf(config, store),
  });
  const listener = await startListener(app, { ...publicAddress(config), isShared: true }, store, logger);
  joinTeam();
  await toldToStop(logger);
  await listener.stop();
  logger.flush();
  await leaveTeam(metrics);
}

const publicAddress = ({ host, port }: Config): Address => ({ host, port, settings: ['HOST', 'PORT'] });

async function startOperator(
  dependencies: Parameters<typeof buildOperatorApp>[0] & { config: Config },
): Promise<Listener | null> {
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
  return secrets.cursorSecrets ?? [await store.keepCursorSecret(proposed)];
}
