import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { authenticateAccount, authenticateOperator } from './authenticate.ts';
import type { StoredKey } from './keys.ts';
import { Problem, refuse } from './problem.ts';
import { readQuery } from './query.ts';
import { RateLimit } from './rate-limit.ts';
import { isName } from './record.ts';
import { findRoute, type Route } from './routes.ts';
import { type Answer, Service, type ServiceOptions } from './service.ts';

const MAX_URL_CHARACTERS = 8192;

export type RunningServer = { url: string; service: Service; stop(): Promise<void> };

/** Serves the interface on a free port of the loopback address, callers and the operator alike. */
export async function startServer(options: ServiceOptions): Promise<RunningServer> {
  const service = new Service(options);
  const rateLimit = new RateLimit();
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    respond(service, rateLimit, request, response);
  });
  server.on('clientError', refuseBytes);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, service, stop: () => stop(server, service) };
}

async function stop(server: Server, service: Service): Promise<void> {
  service.stop();
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  await closed;
}

async function respond(
  service: Service,
  rateLimit: RateLimit,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const requestId = randomUUID();
  response.setHeader('Request-Id', requestId);
  response.setHeader('Cache-Control', 'no-store');
  try {
    const answer = await handle(service, rateLimit, request, response);
    if (answer !== undefined) send(response, answer.status, answer.body, answer.headers);
  } catch (error) {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const problem =
      error instanceof Problem ? error : new Problem('internal_error', 'The service has failed');
    const headers = { ...problem.headers, 'Content-Type': 'application/problem+json' };
    send(response, problem.status, problem.toDocument(requestId), headers);
  }
}

async function handle(
  service: Service,
  rateLimit: RateLimit,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Answer | undefined> {
  const { method = '', url = '', headers } = request;
  if (url.length > MAX_URL_CHARACTERS)
    throw new Problem('uri_too_long', `A URL has ${MAX_URL_CHARACTERS} at most`);
  if (headers.host === undefined) throw new Problem('invalid_request', 'The request has no Host header');
  const end = url.includes('?') ? url.indexOf('?') : url.length;
  const { route, parameters } = findRoute(method, url.slice(0, end), service.basePath);
  const { account, key } = authenticate(service, request, route, parameters);
  if (key !== undefined) {
    const limit = rateLimit.check(key.id, service.requestsPerSecond, service.now());
    for (const [name, value] of Object.entries(service.hidesRateLimit ? {} : limit))
      response.setHeader(name, value);
  }
  const query = url.slice(end + 1);
  if (route.access === 'operator' && route.method !== 'GET') refuse(readQuery(query, []).faults);
  const call = { service, account, ...(key && { key }), path: parameters, query, request, response };
  return route.handler(call);
}

/** Returns the account that the request is about, and the key if it is one of an account. */
function authenticate(
  service: Service,
  request: IncomingMessage,
  { access }: Route,
  parameters: Record<string, string>,
): { account: string; key?: StoredKey } {
  if (access === 'anyone') return { account: '' };
  if (access !== 'operator') {
    const key = authenticateAccount(service, request, access);
    return { account: key.account, key };
  }
  authenticateOperator(service, request);
  for (const [name, value] of Object.entries(parameters)) {
    if (isName(value)) continue;
    const errors = [
      { pointer: `/${name}`, code: 'invalid_value', detail: 'has other characters, or more than 64' },
    ];
    throw new Problem('invalid_fields', `The ${name} is not valid`, { errors });
  }
  return { account: parameters['account'] ?? '' };
}

/** Node sends no body in response to HEAD; the headers are those of GET. */
function send(
  response: ServerResponse,
  status: number,
  body?: object,
  headers?: Record<string, string>,
): void {
  const text = body === undefined ? '' : JSON.stringify(body);
  const length = { 'Content-Length': Buffer.byteLength(text) };
  response.writeHead(status, { 'Content-Type': 'application/json', ...length, ...headers });
  response.end(text);
}

/** Bytes that never became a request get a problem document too. */
function refuseBytes(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem = explainBytes(error.code);
  const requestId = randomUUID();
  const body = JSON.stringify(problem.toDocument(requestId));
  const head = [
    `HTTP/1.1 ${problem.status} Refused`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    `Request-Id: ${requestId}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function explainBytes(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') return new Problem('headers_too_large', 'The header is too large');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Problem('request_timeout', 'The request came too slowly');
  return new Problem('invalid_request', 'This is not an HTTP request');
}
