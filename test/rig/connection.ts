import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import type { FastifyInstance } from 'fastify';

export interface Listening {
  port: number;
  /** Opens a caller's end of a connection. It stays open when the service closes its side. */
  open(): Socket;
  /** The service's ends of the connections that are open. */
  sockets: ReadonlySet<Socket>;
}

/** Lets an app listen on a free port of this machine. At the end of the test, its callers and the app are closed. */
export async function listen(t: TestContext, server: FastifyInstance): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const callers: Socket[] = [];
  t.after(async () => {
    for (const caller of callers) caller.destroy();
    await server.close();
  });
  const port = Number(new URL(await server.listen({ port: 0, host: '127.0.0.1' })).port);
  const open = () => {
    const caller = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).setEncoding('latin1');
    caller.on('error', () => {});
    callers.push(caller);
    return caller;
  };
  return { port, open, sockets };
}

/** Resolves when the service has closed its ends of all connections. */
export async function allClosed(sockets: ReadonlySet<Socket>): Promise<void> {
  await Promise.all([...sockets].map((socket) => once(socket, 'close')));
}

/** Reads until a text has come, and tells all that came. */
export async function readUntil(socket: Socket, wanted: RegExp): Promise<string> {
  let text = '';
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const onData = (part: string) => {
    text += part;
    if (wanted.test(text)) resolve(text);
  };
  const onClose = () => reject(new Error(`closed after ${JSON.stringify(text)}`));
  socket.on('data', onData).once('end', onClose).once('close', onClose);
  try {
    return await promise;
  } finally {
    socket.off('data', onData).off('end', onClose).off('close', onClose);
  }
}
