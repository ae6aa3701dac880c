import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect as connectTcp } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { explainRequestFailure, NoConnection } from './explain-failure.ts';
import { hostOf, serverNameOf } from './explain-webhook-url.ts';

// https-proxy-agent is not used, because it reports a proxy's refusal as the receiver's response. `proxyEnv`
// of node:http is not used, because it ignores the request's signal while a proxy hangs.

export interface WebhookProxy {
  connect(signal: AbortSignal): Promise<Duplex>;
  tunnel(target: string, signal: AbortSignal): Promise<Duplex>;
  headers: Readonly<Record<string, string>>;
}

/** Shown to the owner of the endpoint, so the message never contains the proxy's address or credentials. */
class ProxyFailed extends NoConnection {}

const HEAD_MAX_BYTES = 16_384;

export function createProxy(address: string): WebhookProxy {
  const url = new URL(address);
  const headers = authorizationOf(url);
  const connect = async (signal: AbortSignal) => dial(url, signal);
  return {
    connect,
    tunnel: async (target, signal) => openTunnel(await connect(signal), target, headers, signal),
    headers,
  };
}

function authorizationOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
}

async function dial(url: URL, signal: AbortSignal): Promise<Duplex> {
  const isSecure = url.protocol === 'https:';
  const host = hostOf(url);
  const port = Number(url.port || (isSecure ? 443 : 80));
  const options = { host, port, noDelay: true };
  const socket = isSecure
    ? connectTls({ ...options, servername: serverNameOf(host), rejectUnauthorized: true })
    : connectTcp(options);
  try {
    await once(socket, isSecure ? 'secureConnect' : 'connect', { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw new ProxyFailed(`the proxy of the service could not be reached: ${explainRequestFailure(error)}`);
  }
}

function openTunnel(
  socket: Duplex,
  target: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Duplex> {
  const { promise, resolve, reject } = Promise.withResolvers<Duplex>();
  const fail = (reason: string) => {
    socket.destroy();
    reject(new ProxyFailed(`the proxy of the service ${reason}`));
  };
  const request = httpRequest({
    createConnection: () => socket,
    method: 'CONNECT',
    path: target,
    headers: { ...headers, host: target },
    signal,
    maxHeaderSize: HEAD_MAX_BYTES,
    insecureHTTPParser: false,
  });
  request.once('connect', ({ statusCode = 0 }, _socket, head) => {
    if (statusCode < 200 || statusCode > 299) return fail(explainRefusal(statusCode));
    socket.unshift(head);
    resolve(socket);
  });
  request.once('error', (error) => fail(`failed: ${explainRequestFailure(error)}`));
  request.end();
  return promise;
}

export function explainRefusal(status: number): string {
  if (status === 407) return 'answered 407: it requires another user name and password';
  if (status >= 500) return `answered ${status}: it could not connect to the host`;
  return status === 403 ? 'answered 403: it does not allow this host' : `answered ${status}`;
}
