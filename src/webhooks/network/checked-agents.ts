import { type Agent, Agent as HttpAgent, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import type { WebhookProxy } from './proxy.ts';
import type { CheckedAddress, ResolveHost } from './resolve-host.ts';

/** For receivers that do not say how long an idle connection stays open. Many close it after 5 s. */
const IDLE_TIMEOUT_MS = 4000;
/** As many as the attempts that an endpoint can have in flight, because each attempt uses one connection. */
const MAX_IDLE_PER_HOST = 8;
const MAX_IDLE = 500;
const NEXT_ADDRESS_AFTER_MS = 1000;

export interface CheckedOptions extends RequestOptions {
  /** Aborts the DNS lookup and the connection to the proxy. node:http does not pass `signal` to the agent. */
  connectSignal: AbortSignal;
  progress: { isAtProxy: boolean };
}

export interface CheckedAgents {
  http: HttpAgent;
  https: HttpsAgent;
  close(): void;
}

type Open = (options: CheckedOptions, connect: Agent['createConnection']) => Promise<Duplex>;

/** Connects only to checked addresses, or only to the proxy, which checks addresses itself. */
export function createAgents(resolveHost: ResolveHost, proxy: WebhookProxy | null): CheckedAgents {
  const options = {
    keepAlive: true,
    maxFreeSockets: MAX_IDLE_PER_HOST,
    timeout: IDLE_TIMEOUT_MS,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
  };
  const idle = new Set<Duplex>();
  // Set here, so that the environment cannot switch off the check of certificates.
  const https = new HttpsAgent({ ...options, rejectUnauthorized: true });
  const agents = { http: new HttpAgent(options), https };
  const direct: Open = (given, connect) => connectChecked(given, resolveHost, connect);
  openWith(agents.http, proxy === null ? direct : (given) => connectToProxy(given, proxy));
  openWith(agents.https, proxy === null ? direct : (given, connect) => connectThrough(given, proxy, connect));
  for (const agent of Object.values(agents)) boundIdle(agent, idle);
  return {
    ...agents,
    close: () => {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

function openWith(agent: Agent, open: Open): void {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    const fail = (error: Error) => (callback as (error: Error) => void)(error);
    open(options as CheckedOptions, connect).then((socket) => callback?.(null, socket), fail);
    return undefined;
  };
}

async function connectChecked(
  options: CheckedOptions,
  resolveHost: ResolveHost,
  connect: Agent['createConnection'],
): Promise<Duplex> {
  const addresses = await resolveHost(options.host ?? '', options.connectSignal);
  options.connectSignal.throwIfAborted();
  // `resolveHost` also checks IP addresses, for which node:net does not call `lookup`.
  return connect({ ...options, lookup: lookupOf(addresses) }) as Duplex;
}

const lookupOf =
  (addresses: CheckedAddress[]): LookupFunction =>
  (_name, _options, callback) =>
    callback(null, addresses);

async function connectToProxy(
  { connectSignal, progress }: CheckedOptions,
  proxy: WebhookProxy,
): Promise<Duplex> {
  progress.isAtProxy = true;
  const socket = await proxy.connect(connectSignal);
  progress.isAtProxy = false;
  return socket;
}

async function connectThrough(
  options: CheckedOptions,
  proxy: WebhookProxy,
  connect: Agent['createConnection'],
): Promise<Duplex> {
  const { host, port, connectSignal, progress } = options;
  progress.isAtProxy = true;
  const socket = await proxy.tunnel(`${isIP(host ?? '') === 6 ? `[${host}]` : host}:${port}`, connectSignal);
  progress.isAtProxy = false;
  return connect({ ...options, socket } as RequestOptions) as Duplex;
}

function boundIdle(agent: Agent, idle: Set<Duplex>): void {
  const keep = agent.keepSocketAlive.bind(agent) as (socket: Duplex) => unknown;
  const reuse = agent.reuseSocket.bind(agent);
  function forget(this: Duplex) {
    idle.delete(this);
  }
  agent.keepSocketAlive = (socket) => {
    if (idle.size >= MAX_IDLE || !keep(socket)) return false;
    idle.add(socket);
    socket.once('close', forget);
    return true;
  };
  agent.reuseSocket = (socket, request) => {
    idle.delete(socket);
    socket.off('close', forget);
    reuse(socket, request);
  };
}
