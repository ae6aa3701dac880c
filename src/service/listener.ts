import type { Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, Server as NetServer } from 'node:net';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { CommandFailed } from '../../values/failure.ts';
import { sentence } from '../../values/sentence.ts';
import { withinTime } from '../../values/time-limit.ts';
import { KEY_ENDS_FRESH_MS, KEY_ENDS_INTERVAL_MS } from '../keys/key-cache.ts';
import type { Store } from '../store/store.ts';
import type { App } from './app.ts';

/**
 * The length of the kernel's queue of connections that wait while the thread is busy. Node's default is 511.
 * If a proxy opened a thousand connections at once, the rest would be retried only after seconds.
 */
const CONNECTION_BACKLOG = 4096;

/**
 * The steps of the wait of a second while the service stops. Meanwhile, an open connection still accepts one
 * request, because its caller may already be sending it. On a busy machine each step takes longer, so callers
 * get more time.
 */
const DRAIN_STEPS = 40;
const DRAIN_STEP_MS = 25;
const KEY_USES_INTERVAL_MS = 60_000;
/** How often storing the last uses of keys is tried at the stop. Another process can hold the write lock. */
const LAST_FLUSH_ATTEMPTS = 10;
const LAST_FLUSH_DELAY_MS = 50;

export interface ListeningApp {
  url: string;
  /** Accepts no new connections, and completes the requests in flight. */
  stop(): Promise<void>;
}

export interface Address {
  host: string;
  port: number;
  settings: readonly [host: string, port: string];
  /** True if other processes of this service listen on the same port. */
  isShared?: boolean;
}

/**
 * Makes an app listen, and starts its background tasks.
 *
 * Throws: CommandFailed, with the names of the settings, if the address can't be used.
 */
export async function startListener(
  app: App,
  address: Address,
  store: Store,
  logger: Logger,
): Promise<ListeningApp> {
  const { url, stop } = await startServer(app, address);
  const stopTasks = await startBackgroundTasks(app, store, logger);
  return {
    url,
    stop: async () => {
      await stop();
      await stopTasks();
    },
  };
}

/** The parts of an app that a listener without keys needs. */
export type ServerApp = Pick<App, 'server' | 'announceStop'>;

/**
 * Makes a server without background tasks listen.
 *
 * Throws: CommandFailed, with the names of the settings, if the address can't be used.
 */
export async function startServer(app: ServerApp, address: Address): Promise<ListeningApp> {
  const url = await listen(app, address);
  return {
    url,
    stop: async () => {
      const closed = await closePort(app.server.server);
      // Announced only now: from then on, each response closes its connection. If that happened earlier,
      // callers would connect again while the port closes.
      app.announceStop();
      await drain(app.server.server, closed);
      await app.server.close();
    },
  };
}

/** Accepts no new connections. Returns a signal that aborts when all open connections are closed. */
async function closePort(server: HttpServer): Promise<AbortSignal> {
  await acceptQueued(server);
  const closed = new AbortController();
  // Uses the close of node:net, because that of node:http closes idle connections at once.
  NetServer.prototype.close.call(server, () => closed.abort());
  return closed.signal;
}

/** Waits until all open connections are closed, or have had time for one more request. */
async function drain(server: HttpServer, closed: AbortSignal): Promise<void> {
  // A connection with a response that began before the stop does not close by itself. node:http closes it
  // when it has been idle for a second.
  server.keepAliveTimeout = 1;
  for (let step = 0; step < DRAIN_STEPS && !closed.aborted; step++) await delay(DRAIN_STEP_MS);
  // Lets requests that have arrived be read: a connection with a request does not count as idle.
  await nextTurn();
}

/**
 * Accepts the connections in the kernel's queue, because the kernel would reset them when the server closes.
 * The event loop accepts one connection in each turn, so this ends after the first turn without one.
 */
async function acceptQueued(server: HttpServer): Promise<void> {
  let accepted = 0;
  const count = () => accepted++;
  server.on('connection', count);
  // The current turn may already have read the queue.
  await nextTurn();
  for (let turn = 0, before = -1; turn < CONNECTION_BACKLOG && accepted !== before; turn++) {
    before = accepted;
    await nextTurn();
  }
  server.off('connection', count);
}

/** Reads key ends and stores key uses at intervals. Returns a function that stops both. */
async function startBackgroundTasks(app: App, store: Store, logger: Logger): Promise<() => Promise<void>> {
  const stopPolling = await pollKeyEnds(app, logger);
  const keyUses = setInterval(async () => {
    const error = await storeKeyUses(app, store);
    if (error !== null)
      logger.warn({ err: error }, 'could not store when keys were last used; trying again later');
  }, KEY_USES_INTERVAL_MS);
  return async () => {
    clearInterval(keyUses);
    stopPolling();
    for (let attempt = 1; ; attempt++) {
      const error = await storeKeyUses(app, store);
      if (error === null) return;
      if (attempt === LAST_FLUSH_ATTEMPTS)
        return logger.warn({ err: error }, 'could not store when keys were last used');
      await delay(LAST_FLUSH_DELAY_MS);
    }
  };
}

/**
 * The port of an address, after a check that it is free. Port 0 returns any free port.
 *
 * Throws: CommandFailed, with the names of the settings, if the address can't be used.
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

async function listen({ server }: ServerApp, address: Address): Promise<string> {
  const { host, port, isShared = false } = address;
  try {
    const options = { host, port, reusePort: isShared, backlog: CONNECTION_BACKLOG };
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
      `Port ${port} of ${host} is in use. Stop the program that uses it, or set ${portSetting} to another port.`,
    );
  if (code === 'EACCES')
    return new CommandFailed(
      `This user is not allowed to listen on port ${port}. Set ${portSetting} to a port above 1023.`,
    );
  return new CommandFailed(
    `The service can't listen on ${host}, port ${port}: ${sentence(message)} Check ${hostSetting} and ${portSetting}.`,
  );
}

/** Returns null if the uses are stored, or else the error. Uses that could not be stored stay collected. */
async function storeKeyUses({ keyUses }: App, store: Store): Promise<unknown> {
  return keyUses.flush(store).then(
    () => null,
    (error) => error,
  );
}

/** Reads key ends at an interval, one query at a time. Returns a function that stops it. */
async function pollKeyEnds({ keyCache }: App, logger: Logger): Promise<() => void> {
  let polling = false;
  let failed = false;
  const poll = async () => {
    if (polling) return;
    polling = true;
    try {
      // The time is limited, because a late result would be outdated, and a query that never ends must not
      // block the next one.
      await withinTime(keyCache.refresh(), KEY_ENDS_FRESH_MS);
      failed = false;
    } catch (error) {
      // Logs only the first failure. Until a poll succeeds, each request looks up its key.
      if (!failed) logger.warn({ err: error }, 'could not read which keys were revoked or rolled');
      failed = true;
    } finally {
      polling = false;
    }
  };
  await poll();
  const interval = setInterval(poll, KEY_ENDS_INTERVAL_MS);
  return () => clearInterval(interval);
}
