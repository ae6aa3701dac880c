import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface NetworkFault {
  latencyMs?: number;
  bytesPerSecond?: number;
  blackHole?: boolean;
  reset?: boolean;
  halfClose?: boolean;
}

export interface Cut {
  of: 'client' | 'server';
  bytes: number;
}

const SLICE_MS = 20;

export async function startFaultProxy(serverPort: number, host = '127.0.0.1', cuts: Cut[] = []) {
  let fault: NetworkFault = {};
  let connections = 0;
  const pairs = new Set<readonly [client: Socket, server: Socket]>();

  const server = createServer({ allowHalfOpen: true }, (client) => {
    connections++;
    client.on('error', () => {});
    if (fault.reset) {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect({ port: serverPort, host, allowHalfOpen: true });
    upstream.on('error', () => {});
    const pair = [client, upstream] as const;
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      client.destroy();
      upstream.destroy();
    };
    client.on('close', end);
    upstream.on('close', end);
    if (fault.halfClose) client.end();
    const cut = cuts.shift();
    const limitOf = (from: Cut['of']) => (cut?.of === from ? cut.bytes : Number.POSITIVE_INFINITY);
    forward(client, upstream, () => fault, limitOf('client')).catch(end);
    forward(upstream, client, () => fault, limitOf('server')).catch(end);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    port: (server.address() as { port: number }).port,
    connections: () => connections,
    setFault: (next: NetworkFault) => {
      fault = next;
      for (const [client, upstream] of pairs) {
        if (next.reset) {
          client.resetAndDestroy();
          upstream.resetAndDestroy();
        }
        if (next.halfClose) client.end();
      }
    },
    close: async () => {
      fault = {};
      for (const [client, upstream] of pairs) {
        client.destroy();
        upstream.destroy();
      }
      server.close();
      await once(server, 'close');
    },
  };
}

async function forward(from: Socket, to: Socket, fault: () => NetworkFault, limit: number): Promise<void> {
  let left = limit;
  const chunks: { bytes: Buffer; dueAtMs: number }[] = [];
  let wake = () => {};
  let ended = false;
  from.on('data', (bytes) => {
    chunks.push({ bytes, dueAtMs: performance.now() + (fault().latencyMs ?? 0) });
    wake();
  });
  from.on('end', () => {
    ended = true;
    wake();
  });
  while (!to.destroyed) {
    const chunk = chunks.shift();
    if (chunk === undefined) {
      if (ended) break;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      continue;
    }
    await delay(Math.max(0, chunk.dueAtMs - performance.now()));
    await write(chunk.bytes.subarray(0, Math.min(left, chunk.bytes.length)), to, fault);
    left -= chunk.bytes.length;
    if (left <= 0) throw new Error('the connection is cut');
  }
  to.end();
}

async function write(bytes: Buffer, to: Socket, fault: () => NetworkFault): Promise<void> {
  for (let left = bytes; left.length > 0 && !to.destroyed; ) {
    while (fault().blackHole && !to.destroyed) await delay(SLICE_MS);
    const { bytesPerSecond } = fault();
    if (bytesPerSecond !== undefined) await delay(SLICE_MS);
    const slice =
      bytesPerSecond === undefined ? left.length : Math.max(1, (bytesPerSecond * SLICE_MS) / 1000);
    to.write(left.subarray(0, slice));
    left = left.subarray(slice);
  }
}
