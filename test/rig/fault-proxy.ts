import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** What is done to the bytes of every connection, open and new ones, in both directions. */
export interface NetworkFault {
  /** Each piece comes so much later. */
  latencyMs?: number;
  /** No more than this passes on each connection. */
  bytesPerSecond?: number;
  /** Connections stay open, and nothing passes any more. */
  blackHole?: boolean;
  /** Connections are reset, and new ones as soon as they are made. */
  reset?: boolean;
  /** The end of the stream from the server is told to the client, whose own bytes go on. */
  halfClose?: boolean;
}

export interface FaultProxy {
  port: number;
  /** From now on, instead of what was before. An empty one lets everything pass. */
  setFault(fault: NetworkFault): void;
  /** Connections that were made so far. */
  connections(): number;
  close(): Promise<void>;
}

const SLICE_MS = 20;

/** Stands between a client and a server on this machine, and troubles what they say to each other. */
export async function startFaultProxy(serverPort: number): Promise<FaultProxy> {
  let fault: NetworkFault = {};
  let connections = 0;
  const pairs = new Set<readonly [client: Socket, server: Socket]>();

  /** Sends on what came, in its order, each piece when it is due. */
  const pass = async (from: Socket, to: Socket) => {
    const pieces: { bytes: Buffer; dueAtMs: number }[] = [];
    let wake = () => {};
    let ended = false;
    from.on('data', (bytes) => {
      pieces.push({ bytes, dueAtMs: performance.now() + (fault.latencyMs ?? 0) });
      wake();
    });
    from.on('end', () => {
      ended = true;
      wake();
    });
    while (!to.destroyed) {
      const piece = pieces.shift();
      if (piece === undefined) {
        if (ended) break;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      await delay(Math.max(0, piece.dueAtMs - performance.now()));
      await send(piece.bytes, to);
    }
    to.end();
  };

  const send = async (bytes: Buffer, to: Socket) => {
    for (let left = bytes; left.length > 0 && !to.destroyed; ) {
      // A black hole keeps what it was sent until it is none any more.
      while (fault.blackHole && !to.destroyed) await delay(SLICE_MS);
      const { bytesPerSecond } = fault;
      if (bytesPerSecond !== undefined) await delay(SLICE_MS);
      const slice =
        bytesPerSecond === undefined ? left.length : Math.max(1, (bytesPerSecond * SLICE_MS) / 1000);
      to.write(left.subarray(0, slice));
      left = left.subarray(slice);
    }
  };

  const server = createServer({ allowHalfOpen: true }, (client) => {
    connections++;
    client.on('error', () => {});
    if (fault.reset) {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect({ port: serverPort, host: '127.0.0.1', allowHalfOpen: true });
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
    pass(client, upstream).catch(end);
    pass(upstream, client).catch(end);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    port: (server.address() as { port: number }).port,
    connections: () => connections,
    setFault: (next) => {
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
