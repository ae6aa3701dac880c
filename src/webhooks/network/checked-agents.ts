import { type Agent, Agent as HttpAgent, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import type { CheckedAddress, ResolveHost } from './resolve-host.ts';

/** How long a connection stays open without a hint of the receiver. Many receivers close it after 5 s. */
const IDLE_TIMEOUT_MS = 4000;
/** The most open connections of one host and port: as many as an endpoint has attempts in flight. */
const MAX_IDLE_PER_HOST = 8;
/** The most open connections of all hosts. A further one is closed after its response. */
const MAX_IDLE = 500;
/** Between the attempts to connect to the addresses of a name. */
const NEXT_ADDRESS_AFTER_MS = 1000;

/** The options of a request for these agents. */
export interface CheckedOptions extends RequestOptions {
  /** Ends the lookup. The signal of node:http does not reach the agent. */
  lookupSignal: AbortSignal;
}

export interface CheckedAgents {
  http: HttpAgent;
  https: HttpsAgent;
  /** Closes all connections. */
  close(): void;
}

/** Agents that connect to checked addresses only, and keep a bounded number of idle connections. */
export function createAgents(resolveHost: ResolveHost): CheckedAgents {
  const options = {
    keepAlive: true,
    maxFreeSockets: MAX_IDLE_PER_HOST,
    timeout: IDLE_TIMEOUT_MS,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
  };
  const idle = new Set<Duplex>();
  // The environment can't switch the check of certificates off.
  const https = new HttpsAgent({ ...options, rejectUnauthorized: true });
  const agents = { http: new HttpAgent(options), https };
  for (const agent of Object.values(agents)) {
    boundIdle(agent, idle);
    checkConnections(agent, resolveHost);
  }
  return {
    ...agents,
    close: () => {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/** Replaces how an agent connects: the host is resolved and checked first, and node:net gets the checked addresses alone. */
function checkConnections(agent: Agent, resolveHost: ResolveHost): void {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    const fail = (error: Error) => (callback as (error: Error) => void)(error);
    connectChecked(options as CheckedOptions, resolveHost, connect).then(
      (socket) => callback?.(null, socket),
      fail,
    );
    return undefined;
  };
}

async function connectChecked(
  options: CheckedOptions,
  resolveHost: ResolveHost,
  connect: Agent['createConnection'],
): Promise<Duplex> {
  const addresses = await resolveHost(options.host ?? '', options.lookupSignal);
  options.lookupSignal.throwIfAborted();
  // An IP address is connected to without a lookup; it is the only checked address.
  return connect({ ...options, lookup: lookupOf(addresses) }) as Duplex;
}

/** A lookup that gives these addresses for every name. */
const lookupOf =
  (addresses: CheckedAddress[]): LookupFunction =>
  (_name, _options, callback) =>
    callback(null, addresses);

function boundIdle(agent: Agent, idle: Set<Duplex>): void {
  const connect = agent.createConnection.bind(agent);
  const keep = agent.keepSocketAlive.bind(agent) as (socket: Duplex) => unknown;
  const reuse = agent.reuseSocket.bind(agent);
  agent.createConnection = (options) =>
    connect(options)?.once('close', function (this: Duplex) {
      idle.delete(this);
    });
  agent.keepSocketAlive = (socket) => {
    if (idle.size >= MAX_IDLE || !keep(socket)) return false;
    idle.add(socket);
    return true;
  };
  agent.reuseSocket = (socket, request) => {
    idle.delete(socket);
    reuse(socket, request);
  };
}
