import type { Logger } from 'pino';
import { BackgroundTurns } from '../../values/background-turns.ts';
import { randomBase62 } from '../../values/base62.ts';
import type { Config } from '../config/settings.ts';
import type { DatabaseFacts } from '../db/postgres/database-facts.ts';
import { registeredTracer } from '../http/telemetry/tracing.ts';
import { type RecordingListener, reportRecordings } from '../ledger/record/request-recorder.ts';
import type { StaffSignIn } from '../staff/http/staff-routes.ts';
import { PATHS } from '../staff/staff.ts';
import { describeFromEverywhere, readReplication } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { createSender } from '../webhooks/network/sender.ts';
import { type App, type AppDependencies, buildApp, SYSTEM_CLOCK } from './app.ts';
import { backgroundSeals } from './background-seals.ts';
import { buildInfo } from './build-info.ts';
import { startClockWatch } from './clock-watch.ts';
import { runComponents, type StartedComponents } from './components.ts';
import { type Address, type ListeningApp, startListener, startServer } from './listener.ts';
import { lostDeliveries } from './lost-deliveries.ts';
import { LostEnds } from './lost-ends.ts';
import { LostRecordings } from './lost-recordings.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { buildMetricsApp } from './metrics-app.ts';
import { startNotingInstance } from './note-instance.ts';
import { buildOperatorApp } from './operator-app.ts';
import { secureRandomBytes } from './random-bytes.ts';
import { warnOfUndeclared } from './recognise-statuses.ts';
import { removeExpired } from './removing-expired.ts';
import { reportIfSlow } from './report-if-slow.ts';
import { repeatedly } from './sleep.ts';
import { type Stopping, stopSignal } from './stop-signals.ts';
import { createDeliveries, reportManaging, STOP_GRACE_MS } from './webhook-deliveries.ts';
import { disconnectWorker, reportListening, startWorkers } from './workers.ts';

const REPLICATION_READ_EVERY_MS = 60_000;
/** Enough characters for 131 random bits. */
const INSTANCE_CHARACTERS = 22;

interface ServiceOptions {
  workers?: number;
  file?: string | undefined;
  server?: DatabaseFacts | undefined;
  staff?: StaffSignIn | null;
  onListening?: (urls: ListeningUrls) => void;
}

interface ListeningUrls {
  url: string;
  /** Null without OPERATOR_PORT. */
  operatorUrl: string | null;
}

export async function runService(
  config: Config,
  store: Store,
  logger: Logger,
  { workers = 1, file, server, staff = null, onListening }: ServiceOptions = {},
): Promise<void> {
  // Created first, so that a stop signal during the start also stops the components that have started.
  const stopping = stopSignal(logger, config.drainSeconds);
  await runComponents(logger, async (components) => {
    const { url, operatorUrl } = await startService(components, {
      config,
      store,
      logger,
      workers,
      file,
      server,
      staff,
      stopping,
    }).catch((error) => {
      // After a stop signal, a failed start is no error: Ctrl-C also ends workers that are still starting.
      if (stopping.isStopped()) return { url: null, operatorUrl: null };
      throw error;
    });
    if (url === null) return;
    const database = describeFromEverywhere(config.databaseUrl);
    const encrypted = server && { encrypted: server.isEncrypted };
    logger.info({ url, database, ...encrypted, pid: process.pid, workers, ...buildInfo() }, 'listening');
    if (server !== undefined) {
      // Imported here, because it loads the PostgreSQL driver, which a service on SQLite does not need.
      const { warnOfDatabase: warnOfServer } = await import('./warn-of-database.ts');
      warnOfServer(server, config, logger);
    }
    // The log is flushed now, because programs wait for this line.
    logger.flush();
    onListening?.({ url, operatorUrl });
    await warnOfUndeclared(config.statuses, store, logger);
    await stopping.stopped;
  });
  logger.info('stopped');
  logger.flush();
}

interface Process extends Required<Pick<ServiceOptions, 'workers' | 'file' | 'server'>> {
  staff: StaffSignIn | null;
  config: Config;
  store: Store;
  logger: Logger;
  stopping: Stopping;
}

async function startService(components: StartedComponents, process: Process): Promise<ListeningUrls> {
  const { config, store, logger, workers, file, server, staff, stopping } = process;
  const unreported = dependenciesOf(process, createMetrics({ aggregateWorkers: workers > 1 }));
  const ends = new LostEnds(unreported);
  const dependencies = { ...unreported, store: ends.noting(store) };
  const { webhooks } = dependencies;
  components.add('webhook sender', () => webhooks.close());
  components.nextStage();
  const turns = new BackgroundTurns(setImmediate);
  const seals = (server?.canSeal ?? true) ? backgroundSeals(dependencies) : null;
  const delivered = lostDeliveries(dependencies);
  const deliveries =
    config.webhooks === 'on'
      ? createDeliveries({
          ...dependencies,
          ...webhooks,
          turns,
          onDelivered: (...one) => delivered.note(...one),
        })
      : null;

  const lost = new LostRecordings({ ...dependencies, others: [ends, delivered] });
  const listeners: RecordingListener[] = [lost, seals, deliveries].filter((one) => one !== null);
  const addStarted = ({ changeWatcher, keyCache }: Started) => {
    listeners.push(changeWatcher);
    ends.addCache(keyCache);
  };
  const reported = reportRecordings(dependencies.store, listeners);
  const operator = await startOperator({ ...dependencies, store: reported, staff, turns });
  if (operator !== null) {
    addStarted(operator);
    components.add("operator's listener", () => operator.listener.stop());
  }
  const monitoring = await startMonitoring(dependencies);
  if (monitoring !== null) components.add('listener for monitoring', () => monitoring.stop());

  // The public listener starts last, so that all listeners answer when its /readyz says `ready`.
  const started =
    workers > 1
      ? { listener: await startWorkers(workers, publicAddress(config), logger, { file, stopping }) }
      : await startPublic({ ...reportManaging(dependencies, deliveries), turns }, { isShared: false });
  components.add('public listener', () => started.listener.stop());
  if ('keyCache' in started) addStarted(started);

  components.add('noting the instance', await startNotingInstance(dependencies));
  components.add('comparing the clock', startClockWatch(dependencies));
  // Without the operator's listener, the database role usually cannot read the replication state.
  if (server !== undefined && operator !== null) {
    // Errors are ignored, because other log lines and metrics report that the database is unavailable.
    const read = async () =>
      dependencies.metrics.setReplication(await readReplication(config.databaseUrl).catch(() => null));
    components.add('watching the replication', repeatedly(read, REPLICATION_READ_EVERY_MS));
  }
  removeExpired(components, { store, logger, ofOperator: operator !== null });
  lost.start();
  components.add('looking for lost recordings', () => lost.stop());
  seals?.start();
  if (seals !== null) components.add('seals', () => seals.stop());
  else logger.info('this role cannot seal changes: run a process as the owner of the tables');
  deliveries?.start();
  if (deliveries !== null) components.add('deliveries', () => deliveries.stop(STOP_GRACE_MS));
  else logger.info('deliveries of webhooks are off');
  if (deliveries !== null && config.secrets.webhookProxy !== null)
    logger.info('webhooks go through WEBHOOK_PROXY, which decides which addresses it connects to');
  return { url: started.listener.url, operatorUrl: operator?.listener.url ?? null };
}

export async function runWorker(config: Config, store: Store, logger: Logger): Promise<void> {
  const stopping = stopSignal(logger, config.drainSeconds);
  const metrics = createMetrics({ aggregateWorkers: true });
  const dependencies = dependenciesOf({ config, store, logger, stopping }, metrics);
  await runComponents(logger, async (components) => {
    components.add('webhook sender', () => dependencies.webhooks.close());
    components.nextStage();
    const { listener } = await startPublic(dependencies, { isShared: true });
    components.add('public listener', () => listener.stop());
    components.add('noting the instance', await startNotingInstance(dependencies));
    reportListening();
    await stopping.stopped;
  });
  logger.flush();
  await disconnectWorker(metrics);
}

function dependenciesOf(
  { config, store, logger, stopping }: Pick<Process, 'config' | 'store' | 'logger' | 'stopping'>,
  metrics: Metrics,
) {
  metrics.watchConnections(store);
  const tracer = registeredTracer();
  const webhooks = createSender({
    networks: config.webhookNetworks,
    allowsHttp: config.webhookHttp === 'true',
    proxy: config.secrets.webhookProxy,
    now: Date.now,
  });
  return {
    config,
    store,
    instance: randomBase62(INSTANCE_CHARACTERS, secureRandomBytes),
    clock: SYSTEM_CLOCK,
    randomBytes: secureRandomBytes,
    logger,
    metrics,
    tracer,
    webhooks,
    isDraining: stopping.isDraining,
    isStopped: stopping.isStopped,
  };
}

type Dependencies = ReturnType<typeof dependenciesOf>;

function requireRunning({ isStopped }: Dependencies): void {
  if (isStopped()) throw new Error('the service was stopped while it started');
}

const publicAddress = ({ host, port }: Config): Address => ({ host, port, settings: ['HOST', 'PORT'] });

interface Started extends Pick<App, 'changeWatcher' | 'keyCache'> {
  listener: ListeningApp;
}

async function startPublic(
  dependencies: Dependencies & Pick<AppDependencies, 'turns'>,
  { isShared }: Required<Pick<Address, 'isShared'>>,
): Promise<Started> {
  const { config, store, logger } = dependencies;
  const cursorSecrets = await cursorSecretsOf(dependencies);
  const app = await buildApp({ ...dependencies, cursorSecrets });
  // A worker does not check for a stop, because the first process ends its workers.
  if (!isShared) requireRunning(dependencies);
  const listener = await startListener(app, { ...publicAddress(config), isShared }, store, logger);
  return { listener, changeWatcher: app.changeWatcher, keyCache: app.keyCache };
}

async function startOperator(
  dependencies: Dependencies & Pick<AppDependencies, 'turns'> & { staff: StaffSignIn | null },
): Promise<Started | null> {
  const { config, store, logger, staff } = dependencies;
  if (config.operatorPort === null) return null;
  dependencies.metrics.watchOperatorKeys(store, SYSTEM_CLOCK.now);
  const settings = ['OPERATOR_HOST', 'OPERATOR_PORT'] as const;
  const address = { host: config.operatorHost, port: config.operatorPort, settings };
  const cursorSecrets = await cursorSecretsOf(dependencies);
  const app = await buildOperatorApp({ ...dependencies, cursorSecrets });
  requireRunning(dependencies);
  const listener = await startListener(app, address, store, logger);
  const staffUrl = staff && { staff: new URL(PATHS.staff, staff.settings.redirectUrl).href };
  logger.info({ url: listener.url, ...staffUrl }, "listening for the operator's interface");
  return { listener, changeWatcher: app.changeWatcher, keyCache: app.keyCache };
}

async function startMonitoring(dependencies: Dependencies): Promise<ListeningApp | null> {
  const { metricsHost: host, metricsPort: port } = dependencies.config;
  if (port === null) return null;
  const settings = ['METRICS_HOST', 'METRICS_PORT'] as const;
  const app = await buildMetricsApp(dependencies);
  requireRunning(dependencies);
  const listener = await startServer(app, { host, port, settings });
  dependencies.logger.info({ url: listener.url }, 'listening for monitoring');
  return listener;
}

async function cursorSecretsOf({ config, store, logger }: Dependencies): Promise<readonly string[]> {
  const { cursorSecrets } = config.secrets;
  if (cursorSecrets !== null) return cursorSecrets;
  const proposed = Buffer.from(secureRandomBytes(32)).toString('base64url');
  const logWaiting = () =>
    logger.warn('waiting for the database: another program is writing to it, or it is slow');
  return [await reportIfSlow(store.storeCursorSecret(proposed), logWaiting)];
}
