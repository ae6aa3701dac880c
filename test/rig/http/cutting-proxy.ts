import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

/** After how many bytes of the caller or of the service a connection is lost. */
export interface Cut {
  of: 'caller' | 'service';
  bytes: number;
}

/** A TCP proxy in front of a service. Each connection has the next cut of the list, and later ones have none. */
export async function cuttingProxy(
  t: TestContext,
  serviceUrl: string,
  cuts: Cut[],
): Promise<{ url: string; connections: () => number }> {
  let connections = 0;
  const { port, hostname: host } = new URL(serviceUrl);
  const server = createServer((caller) => {
    connections++;
    const cut = cuts.shift();
    const service = connect({ port: Number(port), host });
    const end = () => {
      caller.destroy();
      service.destroy();
    };
    for (const socket of [caller, service]) socket.on('error', end).on('close', end);
    forward(caller, service, cut?.of === 'caller' ? cut.bytes : Number.POSITIVE_INFINITY, end);
    forward(service, caller, cut?.of === 'service' ? cut.bytes : Number.POSITIVE_INFINITY, end);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
  };
}

function forward(from: Socket, to: Socket, limit: number, end: () => void): void {
  let left = limit;
  from.on('data', (bytes) => {
    if (bytes.length < left) {
      left -= bytes.length;
      if (!to.write(bytes)) {
        from.pause();
        to.once('drain', () => from.resume());
      }
      return;
    }
    to.write(bytes.subarray(0, left), end);
  });
}
