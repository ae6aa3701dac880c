import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import type { FastifyInstance } from 'fastify';

export async function listen(t: TestContext, server: FastifyInstance) {
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

export async function allClosed(sockets: ReadonlySet<Socket>): Promise<void> {
  await Promise.all([...sockets].map((socket) => once(socket, 'close')));
}

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

export interface WireResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
  code: string | undefined;
}

export async function exchange(port: number, bytes: string | readonly string[], endsOwnSide = true) {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  for (const part of [bytes].flat()) socket.write(part, 'latin1');
  if (endsOwnSide) socket.end();
  const text = (await socket.setEncoding('latin1').toArray()).join('');
  const responses = text === '' ? [] : text.split(/(?=HTTP\/1\.1 \d{3} )/);
  return responses.map((response) => {
    const [head = '', ...rest] = response.split('\r\n\r\n');
    const [line = '', ...lines] = head.split('\r\n');
    const headers = Object.fromEntries(
      lines.map((one) => [
        one.slice(0, one.indexOf(':')).toLowerCase(),
        one.slice(one.indexOf(':') + 1).trim(),
      ]),
    );
    const body = rest.join('\r\n\r\n');
    return {
      status: Number(line.split(' ')[1]),
      headers,
      body,
      code: /"code":"(\w+)","requestId"/.exec(body)?.[1],
    };
  });
}
