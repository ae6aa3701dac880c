import { Server as NetServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import { destination, type Logger, pino } from 'pino';
import { type App, buildApp, SYSTEM_CLOCK } from '../app.ts';
import { formatTimestamp } from '../core/calendar.ts';
import { REVOCATIONS_INTERVAL_MS } from '../core/key-cache.ts';
import type { Store } from '../core/store.ts';
import { createMetrics } from '../http/metrics.ts';
import { buildOperatorApp } from '../operator-app.ts';
import type { Config, LogLevel } from '../settings.ts';
import { describeDatabase } from '../store/open-store.ts';
import { loadConfig, secureRandomBytes, withStore } from './environment.ts';
import { CommandFailed } from './failure.ts';

/** How long requests in hand may take to finish once the service is told to stop. */
const STOP_WITHIN_MS = 10_000;
/** How long requests on kept connections are still taken: one that is on its way would meet a closed one. */
const DRAIN_MS = 300;
const KEY_USES_INTERVAL_MS = 60_000;
const LOG_FLUSH_INTERVAL_MS = 500;
const LOG_BUFFER_BYTES = 8192;

const STDERR = 2;

export function serveCommand(program: Command): void {
  program
    .command('serve')
    .description('serve HTTP until told to stop')
    .action(async () => {
      const config = loadConfig();
      await withStore(config, async (store, migrated) => {
        const logger = createLogger(config.logLevel);
        for (const name of migrated) logger.info({ migration: name }, 'applied a migration');
        await serve(config, store, logger);
      });
    });
}

export interface Serving {
  /** Called with the address once requests are answered. */
  onListening?: (url: string) => void;
}

/** Serves until the process is told to stop, then finishes the requests in hand. */
export async function serve(
  config: Config,
  store: Store,
  logger: Logger,
  { onListening }: Serving = {},
): Promise<void> {
  const dependencies = {
    config,
    store,
    clock: SYSTEM_CLOCK,
    randomBytes: secureRandomBytes,
    logger,
    metrics: createMetrics(),
  };
  const cursorSecrets = config.secrets.cursorSecrets ?? [await store.keepCursorSecret(newSecret())];
  const app = await buildApp({ ...dependencies, cursorSecrets });
  const url = await listen(app, config, ['HOST', 'PORT']);
  const apps = [app];
  if (config.operatorPort !== null) {
    const operatorApp = await buildOperatorApp(dependencies);
    const address = { host: config.operatorHost, port: config.operatorPort };
    const operatorUrl = await listen(operatorApp, address, ['OPERATOR_HOST', 'OPERATOR_PORT']).catch(
      async (error) => {
        await app.server.close();
        throw error;
      },
    );
    apps.push(operatorApp);
    logger.info({ url: operatorUrl }, "listening for the operator's interface");
  }
  const ends = await Promise.all(apps.map((one) => accompany(one, store, logger)));
  logger.info({ url, database: describeDatabase(config.databaseUrl), pid: process.pid }, 'listening');
  onListening?.(url);

  await toldToStop(logger);
  for (const one of apps) {
    one.announceStop();
    // Of the net server alone: http's own closes kept connections at once, with requests on their way.
    NetServer.prototype.close.call(one.server.server);
  }
  await delay(DRAIN_MS);
  await Promise.all(apps.map((one) => one.server.close()));
  for (const end of ends) await end();
  logger.info('stopped');
  logger.flush();
}

/** What runs beside an app's requests: it hears of revoked keys, and notes when keys are used. */
async function accompany(app: App, store: Store, logger: Logger): Promise<() => Promise<void>> {
  const stopHearing = await hearRevocations(app, logger);
  const keyUses = setInterval(() => noteKeyUses(app, store, logger), KEY_USES_INTERVAL_MS);
  return async () => {
    clearInterval(keyUses);
    stopHearing();
    await noteKeyUses(app, store, logger);
  };
}

/**
 * Resolves when the process is told to stop. A repeated signal changes nothing, because npm hands on the
 * one that a terminal has sent already; requests that never end are cut off after a time.
 */
function toldToStop(logger: Logger): Promise<void> {
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals) => {
      logger.info({ signal }, 'stopping');
      resolve();
      setTimeout(() => {
        logger.error({ afterMs: STOP_WITHIN_MS }, 'requests did not finish in time; they are cut off');
        logger.flush();
        process.exit(1);
      }, STOP_WITHIN_MS).unref();
    };
    process.once('SIGTERM', stop).once('SIGINT', stop);
    // Without a listener, a second signal would end the process at once.
    process.on('SIGTERM', () => {}).on('SIGINT', () => {});
  });
}

/** Log lines gather for a moment, because a write for each request would cost more than the request. */
export function createLogger(level: LogLevel): Logger {
  return pino(
    { level, base: null, timestamp: () => `,"time":"${formatTimestamp(Date.now())}"` },
    destination({
      fd: STDERR,
      sync: false,
      minLength: LOG_BUFFER_BYTES,
      periodicFlush: LOG_FLUSH_INTERVAL_MS,
    }),
  );
}

/** Throws: CommandFailed with a sentence that names the settings, which are those of the host and of the port. */
async function listen(
  { server }: App,
  { host, port }: Pick<Config, 'host' | 'port'>,
  [hostSetting, portSetting]: readonly [string, string],
): Promise<string> {
  try {
    return await server.listen({ host, port });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new CommandFailed(
        `Port ${port} of ${host} is in use. Stop what uses it, or set ${portSetting} to another.`,
      );
    if (code === 'EACCES')
      throw new CommandFailed(
        `This user may not listen on port ${port}. Set ${portSetting} to one above 1023.`,
      );
    throw new CommandFailed(
      `The service can't listen on ${host}, port ${port}: ${message}. Check ${hostSetting} and ${portSetting}.`,
    );
  }
}

async function noteKeyUses({ keyUses }: App, store: Store, logger: Logger): Promise<void> {
  try {
    await keyUses.flush(store);
  } catch (error) {
    logger.warn({ err: error }, 'could not note when keys were last used; trying again later');
  }
}

/** Asks again and again what was revoked, one question at a time; returns what ends it. */
async function hearRevocations({ keyCache }: App, logger: Logger): Promise<() => void> {
  let asking = false;
  let failed = false;
  const ask = async () => {
    if (asking) return;
    asking = true;
    try {
      await keyCache.refresh();
      failed = false;
    } catch (error) {
      // Told once; until it works again, each request looks its key up.
      if (!failed) logger.warn({ err: error }, 'could not ask which keys were revoked');
      failed = true;
    } finally {
      asking = false;
    }
  };
  await ask();
  const interval = setInterval(ask, REVOCATIONS_INTERVAL_MS);
  return () => clearInterval(interval);
}

function newSecret(): string {
  return Buffer.from(secureRandomBytes(32)).toString('base64url');
}
