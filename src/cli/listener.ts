import { type AddressInfo, createServer, Server as NetServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { App } from '../app.ts';
import { REVOCATIONS_FRESH_MS, REVOCATIONS_INTERVAL_MS } from '../core/key-cache.ts';
import type { Store } from '../core/store.ts';
import { withinTime } from '../core/time-limit.ts';
import { CommandFailed } from './failure.ts';

/**
 * Connections that the kernel keeps while the thread is busy. Of a proxy that opens a thousand at once, those beyond Node's
 * default of 511 would be tried again after seconds.
 */
const MAX_WAITING_CONNECTIONS = 4096;

/** How long requests on kept connections are still taken: one that is on its way would meet a closed one. */
const DRAIN_MS = 300;
const KEY_USES_INTERVAL_MS = 60_000;
/** So often and so far apart the last uses are noted anew where other processes write. */
const LAST_NOTES = 10;
const BETWEEN_NOTES_MS = 50;

/** An app that answers requests. */
export interface Listener {
  url: string;
  /** Takes no new connections, and finishes what is in hand. */
  stop(): Promise<void>;
}

export interface Address {
  host: string;
  port: number;
  /** The names of the settings of both. */
  settings: readonly [host: string, port: string];
  /** Whether other processes of this service listen there too. */
  isShared?: boolean;
}

/**
 * Lets an app answer requests, with what runs beside them.
 *
 * Throws: CommandFailed with a sentence that names the settings.
 */
export async function startListener(
  app: App,
  address: Address,
  store: Store,
  logger: Logger,
): Promise<Listener> {
  const url = await listen(app, address);
  const end = await accompany(app, store, logger);
  return {
    url,
    stop: async () => {
      app.announceStop();
      // Of the net server alone: http's own closes kept connections at once, with requests on their way.
      NetServer.prototype.close.call(app.server.server);
      await delay(DRAIN_MS);
      await app.server.close();
      await end();
    },
  };
}

/** What runs beside an app's requests: it hears of revoked keys, and notes when keys are used. */
async function accompany(app: App, store: Store, logger: Logger): Promise<() => Promise<void>> {
  const stopHearing = await hearRevocations(app, logger);
  const keyUses = setInterval(async () => {
    if (!(await noteKeyUses(app, store)))
      logger.warn('could not note when keys were last used; trying again later');
  }, KEY_USES_INTERVAL_MS);
  return async () => {
    clearInterval(keyUses);
    stopHearing();
    for (let time = 1; !(await noteKeyUses(app, store)); time++) {
      if (time === LAST_NOTES) return logger.warn('could not note when keys were last used');
      await delay(BETWEEN_NOTES_MS);
    }
  };
}

/**
 * The port of an address that nobody listens on: any, where it is 0.
 *
 * Throws: CommandFailed with a sentence that names the settings.
 */
export async function freePort(address: Address): Promise<number> {
  const server = createServer();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen({ host: address.host, port: address.port }, resolve);
  await promise.catch((error) => {
    throw explainListenFailure(error, address);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

async function listen({ server }: App, address: Address): Promise<string> {
  const { host, port, isShared = false } = address;
  try {
    const options = { host, port, reusePort: isShared, backlog: MAX_WAITING_CONNECTIONS };
    return await server.listen(options);
  } catch (error) {
    throw explainListenFailure(error as NodeJS.ErrnoException, address);
  }
}

function explainListenFailure(
  { code, message }: NodeJS.ErrnoException,
  { host, port, settings: [hostSetting, portSetting] }: Address,
): CommandFailed {
  if (code === 'EADDRINUSE')
    return new CommandFailed(
      `Port ${port} of ${host} is in use. Stop what uses it, or set ${portSetting} to another.`,
    );
  if (code === 'EACCES')
    return new CommandFailed(
      `This user may not listen on port ${port}. Set ${portSetting} to one above 1023.`,
    );
  return new CommandFailed(
    `The service can't listen on ${host}, port ${port}: ${message}. Check ${hostSetting} and ${portSetting}.`,
  );
}

/** Whether it could be noted. What could not is kept for the next time. */
async function noteKeyUses({ keyUses }: App, store: Store): Promise<boolean> {
  return keyUses.flush(store).then(
    () => true,
    () => false,
  );
}

/** Asks again and again what was revoked, one question at a time; returns what ends it. */
async function hearRevocations({ keyCache }: App, logger: Logger): Promise<() => void> {
  let asking = false;
  let failed = false;
  const ask = async () => {
    if (asking) return;
    asking = true;
    try {
      // What comes later tells nothing that still counts, and what never comes must not keep the next from being asked.
      await withinTime(keyCache.refresh(), REVOCATIONS_FRESH_MS);
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
