import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createNetServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Certificate } from '../http/certificate.ts';

export interface Received {
  headers: IncomingMessage['headers'];
  path: string;
  body: string;
}

export interface Receiver {
  port: number;
  url: string;
  received: Received[];
  connections: { count: number; open: Set<Socket> };
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface ListenOptions {
  host?: string;
  port?: number;
}

export async function listen(server: Server, { host = '127.0.0.1', port = 0 }: ListenOptions = {}) {
  const connections: Receiver['connections'] = { count: 0, open: new Set() };
  server.on('connection', (socket: Socket) => {
    connections.count++;
    connections.open.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => connections.open.delete(socket));
  });
  server.listen(port, host);
  await once(server, 'listening');
  const { port: listening } = server.address() as AddressInfo;
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of connections.open) socket.destroy();
    await closed;
  };
  const url = `http://127.0.0.1:${listening}`;
  return { port: listening, url, connections, close, [Symbol.asyncDispose]: close };
}

const readBody = (request: IncomingMessage): Promise<string | null> => text(request).catch(() => null);

export async function startReceiver(
  respond: RequestListener = (_request, response) => response.writeHead(204).end(),
  { certificate, ...options }: ListenOptions & { certificate?: Certificate } = {},
): Promise<Receiver> {
  const received: Received[] = [];
  const onRequest: RequestListener = async (request, response) => {
    const body = await readBody(request);
    if (body === null) return;
    received.push({ headers: request.headers, path: request.url ?? '', body });
    respond(request, response);
  };
  const server =
    certificate === undefined ? createHttpServer(onRequest) : createHttpsServer(certificate, onRequest);
  const listening = await listen(server, options);
  const url = certificate === undefined ? listening.url : listening.url.replace('http:', 'https:');
  return { ...listening, url, received };
}

export function startRawReceiver(onData: (socket: Socket, piece: string) => void) {
  return listen(
    createNetServer((socket) => {
      socket.setEncoding('latin1').on('data', (piece: string) => onData(socket, piece));
    }),
  );
}
