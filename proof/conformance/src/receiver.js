import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';

/**
 * @typedef {object} Delivery
 * @property {import('node:http').IncomingHttpHeaders} headers
 * @property {string} text
 * @property {string} path
 */

export class Receiver {
  /** @type {Delivery[]} */
  deliveries = [];
  /** The statuses of the next responses. Afterwards, the status is 204. @type {number[]} */
  statuses = [];
  #arrivals = new EventEmitter();
  #server = createServer((request, response) => {
    /** @type {Buffer[]} */
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      this.deliveries.push({
        headers: request.headers,
        text: Buffer.concat(chunks).toString('utf8'),
        path: request.url ?? '',
      });
      response.writeHead(this.statuses.shift() ?? 204, { Location: '/redirected' }).end();
      this.#arrivals.emit('delivery');
    });
  });

  /** @returns {Promise<string>} the receiver's address */
  async listen() {
    await new Promise((resolve) => this.#server.listen(0, '127.0.0.1', () => resolve(undefined)));
    const address = /** @type {import('node:net').AddressInfo} */ (this.#server.address());
    return `http://127.0.0.1:${address.port}/`;
  }

  /** @param {number} count @param {number} timeoutMs */
  async waitFor(count, timeoutMs) {
    const signal = AbortSignal.timeout(timeoutMs);
    while (this.deliveries.length < count && !signal.aborted)
      await once(this.#arrivals, 'delivery', { signal }).catch(() => undefined);
    return this.deliveries.length >= count;
  }

  async close() {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(() => resolve(undefined)));
  }
}
