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

/** With Node's default of 511, some connections would wait for seconds if a proxy opened 1,000 at once. */
const CONNECTION_BACKLOG = 4096;

/** When the service stops, connections stay open for up to a second, because requests may be on their way. */
const DRAIN_STEPS = 40;
const DRAIN_STEP_MS = 25;
const KEY_USES_INTERVAL_MS = 60_000;
/** If the database is locked, a stopping service tries this many times to store the keys' last uses. */
const LAST_FLUSH_ATTEMPTS = 10;
const LAST_FLUSH_DELAY_MS = 50;

export interface ListeningApp {
  url: string;
  stop(): Promise<void>;
}

export interface Address {
  host: string;
  port: number;
  settings: readonly [host: string, port: string];
  isShared?: boolean;
}

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

export type ServerApp = Pick<App, 'server' | 'announceStop'>;

export async function startServer(app: ServerApp, address: Address): Promise<ListeningApp> {
  const url = await listen(app, address);
  return {
    url,
    stop: async () => {
      const closed = await closePort(app.server.server);
      // From now on, each response closes its connection. The port must already be closed, so that no caller
      // connects to this process again.
      app.announceStop();
      await drain(app.server.server, closed);
      await app.server.close();
    },
  };
}

async function closePort(server: HttpServer): Promise<AbortSignal> {
  await acceptQueued(server);
  const closed = new AbortController();
  // node:http's `close` would end idle connections, on which requests may already be arriving.
  NetServer.prototype.close.call(server, () => closed.abort());
  return closed.signal;
}

async function drain(server: HttpServer, closed: AbortSignal): Promise<void> {
  // A response that began before the stop leaves its connection open. This setting makes node:http close the
  // connection soon after the response.
  server.keepAliveTimeout = 1;
  for (let step = 0; step < DRAIN_STEPS && !closed.aborted; step++) await delay(DRAIN_STEP_MS);
  // Lets node:http read requests that have arrived, so that their connections are not closed as idle.
  await nextTurn();
}

/** Accepts the queued connections, because the kernel resets them when the port closes. */
async function acceptQueued(server: HttpServer): Promise<void> {
  let accepted = 0;
  const count = () => accepted++;
  server.on('connection', count);
  // Each turn of the event loop accepts one queued connection. The current turn may have done this already,
  // so the loop below begins with the next turn.
  await nextTurn();
  for (let turn = 0, before = -1; turn < CONNECTION_BACKLOG && accepted !== before; turn++) {
    before = accepted;
    await nextTurn();
  }
  server.off('connection', count);
}

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

async function storeKeyUses({ keyUses }: App, store: Store): Promise<unknown> {
  return keyUses.flush(store).then(
    () => null,
    (error) => error,
  );
}

async function pollKeyEnds({ keyCache }: App, logger: Logger): Promise<() => void> {
  let polling = false;
  let failed = false;
  const poll = async () => {
    if (polling) return;
    polling = true;
    try {
      // After this time, the result is too old to be useful, and the next poll must not wait for it.
      await withinTime(keyCache.refresh(), KEY_ENDS_FRESH_MS);
      failed = false;
    } catch (error) {
      // Until a poll succeeds, every request reads its key from the database.
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
