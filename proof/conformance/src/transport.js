import http from 'node:http';
import https from 'node:https';
import { Exchange } from './exchange.js';
import { NotJudged } from './outcomes.js';
import { MAX_PAUSE_MS, pauseOf } from './politeness.js';

/** Thrown when the limit of requests or of time is reached. */
export class BudgetSpent extends Error {}

/** Thrown if there was no response, or only a part of one. */
export class NoResponse extends Error {
  /** @param {string} message @param {import('./exchange.js').Sent} sent @param {boolean} isRefused */
  constructor(message, sent, isRefused) {
    super(message);
    this.sent = sent;
    this.isRefused = isRefused;
  }
}

export class TooLarge extends NoResponse {}

/**
 * @typedef {object} Request
 * @property {string} [method]
 * @property {string} url
 * @property {Record<string, string | string[]>} headers
 * @property {Record<string, string | string[]>} shownHeaders the headers without keys
 * @property {string} [body]
 * @property {number} [timeoutMs]
 * @property {boolean} [isRepeatable]
 */

/** Retries after a 429. They are many: other users of the key may use up the rate limit repeatedly. */
const RATE_RETRIES = 60;
const FAILURE_RETRIES = 6;
const RESET_RETRIES = 3;
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const TIMEOUT_MS = 30_000;
/** Idle connections are closed early. Otherwise, the server could close one while a request is sent on it. */
const IDLE_MS = 2000;
const STORED_BYTES = 65_536;

export class Transport {
  /** @type {Exchange[]} every exchange of the run, without large bodies */
  exchanges = [];
  requests = 0;
  /** @type {Map<string, number>} */
  #expiries = new Map();
  #active = 0;
  /** @type {(() => void)[]} */
  #waiting = [];
  #pausedUntil = 0;
  #agents = {
    http: new http.Agent({ keepAlive: true, timeout: IDLE_MS }),
    https: new https.Agent({ keepAlive: true, timeout: IDLE_MS }),
  };

  /**
   * @param {{ maxRequests: number, maxTimeMs: number, concurrency: number, maxResponseBytes: number }} limits
   */
  constructor({ maxRequests, maxTimeMs, concurrency, maxResponseBytes }) {
    this.maxRequests = maxRequests;
    this.maxResponseBytes = maxResponseBytes;
    this.concurrency = concurrency;
    this.deadline = performance.now() + maxTimeMs;
  }

  /** @param {Request} request @returns {Promise<Exchange>} */
  async send(request) {
    for (let attempt = 1; ; attempt++) {
      const exchange = await this.#sendOnce(request).catch((error) => {
        if (
          attempt <= RESET_RETRIES &&
          error.message === 'ECONNRESET' &&
          (request.isRepeatable || SAFE_METHODS.has(request.method ?? 'GET'))
        )
          return undefined;
        throw error;
      });
      if (exchange === undefined) continue;
      const pauseMs = pauseOf(exchange);
      if (pauseMs > MAX_PAUSE_MS)
        throw new NotJudged(
          `${exchange.request} has ${exchange.summary} and can be tried again only after ${Math.ceil(pauseMs / 1000)} s`,
        );
      if (pauseMs > 0) this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + pauseMs);
      const retries =
        pauseMs === 0
          ? 0
          : exchange.status === 429
            ? RATE_RETRIES
            : exchange.status === 503
              ? FAILURE_RETRIES
              : 0;
      if (attempt > retries) return exchange;
    }
  }

  /** @param {Exchange} exchange */
  isOfExpired({ status, faults, sent, dateMs }) {
    if (status !== 400 || !faults.includes('cursor: cursor_expired')) return false;
    const cursor = new URL(sent.url).searchParams.get('cursor') ?? '';
    // The header Date is cut to whole seconds, so the service's clock may be a second ahead of `dateMs`.
    return dateMs + 1000 >= (this.#expiries.get(cursor) ?? Number.POSITIVE_INFINITY);
  }

  close() {
    this.#agents.http.destroy();
    this.#agents.https.destroy();
  }

  /** @param {Request} request */
  async #sendOnce(request) {
    await this.#enter();
    try {
      const exchange = await this.#roundTrip(request);
      const expiresMs = Date.parse(exchange.header('cursor-expires') ?? '');
      if (typeof exchange.body?.nextCursor === 'string' && !Number.isNaN(expiresMs))
        this.#expiries.set(exchange.body.nextCursor, expiresMs);
      this.exchanges.push(
        exchange.bytes.length <= STORED_BYTES
          ? exchange
          : new Exchange(exchange.sent, exchange.status, exchange.headers, Buffer.alloc(0)),
      );
      return exchange;
    } finally {
      this.#active--;
      this.#waiting.shift()?.();
    }
  }

  async #enter() {
    while (this.#active >= this.concurrency)
      await new Promise((resolve) => this.#waiting.push(() => resolve(undefined)));
    this.#active++;
    try {
      for (;;) {
        const now = performance.now();
        if (this.requests >= this.maxRequests)
          throw new BudgetSpent(`the limit of ${this.maxRequests} requests is reached`);
        if (Math.max(now, this.#pausedUntil) > this.deadline)
          throw new BudgetSpent('the time limit is reached');
        if (now >= this.#pausedUntil) break;
        await new Promise((resolve) => setTimeout(resolve, this.#pausedUntil - now));
      }
      this.requests++;
    } catch (error) {
      this.#active--;
      this.#waiting.shift()?.();
      throw error;
    }
  }

  /** @param {Request} request @returns {Promise<Exchange>} */
  #roundTrip({ method = 'GET', url, headers, shownHeaders, body, timeoutMs = TIMEOUT_MS }) {
    const sent = { method, url, headers: shownHeaders, ...(body !== undefined && { body }) };
    const isHttps = url.startsWith('https:');
    const startedMs = performance.now();
    const leftMs = this.deadline - startedMs;
    return new Promise((resolve, reject) => {
      const fail = (/** @type {any} */ error) =>
        reject(new NoResponse(error.code ?? error.message, sent, isUnreachable(error)));
      const stop = () => {
        if (leftMs < timeoutMs) reject(new BudgetSpent('the time limit is reached'));
        else fail(new Error(`no response in ${timeoutMs} ms`));
        request.destroy();
      };
      const options = { method, headers, agent: isHttps ? this.#agents.https : this.#agents.http };
      const request = (isHttps ? https : http).request(...target(url, options), (response) => {
        /** @type {Buffer[]} */
        const chunks = [];
        let length = 0;
        response.on('data', (chunk) => {
          chunks.push(chunk);
          length += chunk.length;
          if (length <= this.maxResponseBytes) return;
          reject(new TooLarge(`the response is larger than ${this.maxResponseBytes} bytes`, sent, false));
          response.destroy();
        });
        response.on('error', fail);
        response.on('end', () => {
          const { statusCode = 0, headers } = response;
          const elapsedMs = performance.now() - startedMs;
          resolve(new Exchange(sent, statusCode, headers, Buffer.concat(chunks), elapsedMs));
        });
      });
      const timer = setTimeout(stop, Math.min(timeoutMs, leftMs));
      request.on('close', () => clearTimeout(timer));
      request.on('error', fail);
      // Without this listener, Node would close the connection silently, and the promise would never settle.
      request.on('upgrade', (_response, socket) => {
        socket.destroy();
        fail(new Error('the response switches to another protocol'));
      });
      request.end(body);
    });
  }
}

/**
 * The path is passed separately, because a URL object would change it.
 * @param {string} url
 * @param {import('node:http').RequestOptions} options
 * @returns {[URL, import('node:http').RequestOptions]}
 */
function target(url, options) {
  const { origin } = new URL(url);
  return [new URL(origin), { ...options, path: url.slice(url.indexOf('/', 8)) }];
}

/** @param {any} error */
const isUnreachable = ({ code }) =>
  ['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN'].includes(code);
