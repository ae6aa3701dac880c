import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/*
 * A receiver in its own process, which accepts every delivery. It sends its address to the parent, and
 * answers each message of the parent with the number of deliveries since the previous message.
 */
let accepted = 0;
const server = createServer((request, response) => {
  request.resume().once('end', () => {
    response.writeHead(204).end();
    accepted++;
  });
});
process.on('message', () => {
  process.send?.(accepted);
  accepted = 0;
});
await once(server.listen(0, '127.0.0.1'), 'listening');
process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
