import { NotJudged } from './outcomes.js';

/**
 * @typedef {string | Record<string, string | undefined> | [string, string][]} Query pairs, or encoded text
 * @typedef {object} RequestOptions
 * @property {string} [method]
 * @property {Query} [query]
 * @property {Record<string, string>} [headers]
 * @property {string | null} [authorization] the whole header; null sends none
 * @property {string} [shownAuthorization] what reports show in place of the header
 * @property {string} [body]
 * @property {number} [timeoutMs]
 * @property {boolean} [isRepeatable] if true, the request is sent again after ECONNRESET, although its method
 * is not safe
 * @property {boolean} [mayBeExpired] if true, the check itself judges the refusal of an expired cursor; if
 * false, such a refusal ends the check as not judged
 */

export class AccountClient {
  #key;

  /**
   * @param {import('./transport.js').Transport} transport
   * @param {import('./secrets.js').Secrets} secrets
   * @param {string} url the base address
   * @param {string} key
   */
  constructor(transport, secrets, url, key) {
    this.transport = transport;
    this.secrets = secrets;
    this.url = new URL(url).href.replace(/\/+$/, '');
    this.#key = key;
  }

  /** A check that sends an altered key must add the altered key to `secrets`. */
  get key() {
    return this.#key;
  }

  /** @param {string} path @param {RequestOptions} [options] */
  async send(path, options = {}) {
    const {
      method,
      query,
      headers = {},
      body,
      timeoutMs,
      isRepeatable = false,
      mayBeExpired = false,
    } = options;
    const { authorization = `Bearer ${this.#key}`, shownAuthorization } = options;
    const named = { ...headers, ...(authorization !== null && { Authorization: authorization }) };
    const shown = shownAuthorization ?? this.secrets.redact(authorization ?? '');
    /** @type {Record<string, string>} */
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const exchange = await this.transport.send({
      method,
      url: `${this.url}${path}${encodeQuery(query)}`,
      headers: { ...named, ...length },
      shownHeaders: { ...named, ...(authorization !== null && { Authorization: shown }) },
      body,
      timeoutMs,
      isRepeatable,
    });
    if (!mayBeExpired && this.transport.isOfExpired(exchange))
      throw new NotJudged('a cursor expired, as Cursor-Expires said, before the kit sent it');
    return exchange;
  }

  /** @param {Query} [query] @param {RequestOptions} [options] */
  list(query, options) {
    return this.send('/v1/transactions', { ...options, query });
  }

  /**
   * @param {string} method @param {string} path @param {unknown} body
   * @param {Record<string, string>} [headers] @param {RequestOptions} [options]
   */
  json(method, path, body, headers, options) {
    return this.send(path, {
      ...options,
      method,
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', ...headers },
    });
  }
}

/** @param {Query | undefined} query */
function encodeQuery(query) {
  if (query === undefined) return '';
  if (typeof query === 'string') return query === '' ? '' : `?${query}`;
  const pairs = Array.isArray(query) ? query : Object.entries(query);
  const encoded = pairs
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(/** @type {string} */ (value))}`,
    );
  return encoded.length === 0 ? '' : `?${encoded.join('&')}`;
}
