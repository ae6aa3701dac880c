import { Server as NetServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import { destination, type Logger, pino } from 'pino';
import { type App, buildApp, SYSTEM_CLOCK } from '../app.ts';
import type { Config, LogLevel } from '../config.ts';
import { REVOCATIONS_INTERVAL_MS } from '../core/key-cache.ts';
import type { Store } from '../core/store.ts';
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
  const app = await buildApp({
    config,
    cursorSecrets: config.secrets.cursorSecrets ?? [await store.keepCursorSecret(newSecret())],
    store,
    clock: SYSTEM_CLOCK,
    randomBytes: secureRandomBytes,
    logger,
  });
  const url = await listen(app, config);
  const stopHearing = await hearRevocations(app, logger);
  logger.info({ url, database: describeDatabase(config.databaseUrl), pid: process.pid }, 'listening');
  onListening?.(url);

  const keyUses = setInterval(() => noteKeyUses(app, store, logger), KEY_USES_INTERVAL_MS);
  await toldToStop(logger);

  clearInterval(keyUses);
  stopHearing();
  app.announceStop();
  // Of the net server alone: http's own closes kept connections at once, with requests on their way.
  NetServer.prototype.close.call(app.server.server);
  await delay(DRAIN_MS);
  await app.server.close();
  await noteKeyUses(app, store, logger);
  logger.info('stopped');
  logger.flush();
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
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    destination({
      fd: STDERR,
      sync: false,
      minLength: LOG_BUFFER_BYTES,
      periodicFlush: LOG_FLUSH_INTERVAL_MS,
    }),
  );
}

async function listen({ server }: App, { host, port }: Config): Promise<string> {
  try {
    return await server.listen({ host, port });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new CommandFailed(
        `Port ${port} of ${host} is in use. Stop what uses it, or set PORT to another.`,
      );
    if (code === 'EACCES')
      throw new CommandFailed(`This user may not listen on port ${port}. Set PORT to one above 1023.`);
    throw new CommandFailed(
      `The service can't listen on ${host}, port ${port}: ${message}. Check HOST and PORT.`,
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
