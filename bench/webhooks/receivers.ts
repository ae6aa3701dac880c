import { createServer } from 'node:http';
import { type AddressInfo, createServer as createNetServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';

/*
 * Three receivers in a process of their own: one that accepts every delivery, one that reads and never answers, and one that refuses
 * connections. It sends their addresses to the parent, and for each message of the parent what arrived since the one before.
 */

/** What the receiver has accepted since it was asked the last time. */
export interface Accepted {
  count: number;
  /** From the time when each change was recorded to its arrival, in milliseconds. */
  laterMs: number[];
}

export interface ReceiverAddresses {
  accepting: string;
  hanging: string;
  refusing: string;
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

let accepted: Accepted = { count: 0, laterMs: [] };
const accepting = createServer(async (request, response) => {
  const body = await text(request).catch(() => null);
  if (body === null) return;
  response.writeHead(204).end();
  if (request.url !== '/counted') return;
  accepted.count++;
  accepted.laterMs.push(Date.now() - Date.parse(JSON.parse(body).timestamp));
});
const hanging = createNetServer((socket) => void socket.on('error', () => {}).resume());
const closed = createNetServer();
const refusing = await listen(closed);
closed.close();

process.on('message', () => {
  process.send?.(accepted);
  accepted = { count: 0, laterMs: [] };
});
process.send?.({
  accepting: await listen(accepting),
  hanging: await listen(hanging),
  refusing,
} satisfies ReceiverAddresses);
