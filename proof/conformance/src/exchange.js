/**
 * @typedef {object} Sent
 * @property {string} method
 * @property {string} url
 * @property {Record<string, string | string[]>} headers with keys replaced by variables
 * @property {string} [body]
 */

const LONGEST_SHOWN = 200;

export class Exchange {
  /**
   * @param {Sent} sent
   * @param {number} status
   * @param {import('node:http').IncomingHttpHeaders} headers
   * @param {Buffer} bytes
   * @param {number} [elapsedMs] from the sending of the request to the end of the response
   */
  constructor(sent, status, headers, bytes, elapsedMs = 0) {
    this.sent = sent;
    this.status = status;
    this.headers = headers;
    this.bytes = bytes;
    this.elapsedMs = elapsedMs;
    this.text = bytes.toString('utf8');
    /** @type {any} The parsed body, or undefined if it is not JSON. */
    this.body = parse(this.text);
  }

  /** @param {string} name @returns {string | undefined} */
  header(name) {
    const value = this.headers[name.toLowerCase()];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  /** The header Date, which is in whole seconds. If the header is missing, this machine's clock is used. */
  get dateMs() {
    return Date.parse(this.header('date') ?? '') || Date.now();
  }

  get mediaType() {
    return (this.header('content-type') ?? '').split(';')[0].trim().toLowerCase();
  }

  /** @returns {string[]} */
  get faults() {
    const { errors } = this.body ?? {};
    return Array.isArray(errors)
      ? errors.map((/** @type {any} */ one) => `${one?.parameter}: ${one?.code}`)
      : [];
  }

  get request() {
    const { method, url } = this.sent;
    const target = url.slice(url.indexOf('/', 8));
    return `${method} ${target.length > LONGEST_SHOWN ? `${target.slice(0, LONGEST_SHOWN)}...` : target}`;
  }

  get summary() {
    const code = typeof this.body?.code === 'string' ? ` ${this.body.code}` : '';
    const faults = Array.isArray(this.body?.errors) ? ` (${this.faults.join(', ')})` : '';
    const rows = Array.isArray(this.body?.data) ? ` with ${this.body.data.length} items` : '';
    return `status ${this.status}${code}${faults}${rows}`;
  }

  /**
   * Says what is wrong, such as "status 500 instead of 200". A report groups failed checks by this text.
   * @param {number} status the expected one @param {string} [code] @returns {string | undefined}
   */
  lackOf(status, code) {
    const { body } = this;
    if (this.status !== status) return `status ${this.status} instead of ${status}`;
    if (status < 400) return undefined;
    if (typeof body?.code !== 'string') return '`code` is missing';
    if (code !== undefined && body.code !== code) return `\`code\` is ${body.code} instead of ${code}`;
    return status === 400 && !Array.isArray(body.errors) ? '`errors` is missing' : undefined;
  }

  get curl() {
    const { method, url, headers, body } = this.sent;
    const named = Object.entries(headers).flatMap(([name, value]) =>
      [value].flat().map((one) => ` -H ${quote(`${name}: ${one}`)}`),
    );
    const how = method === 'HEAD' ? ' --head' : method === 'GET' ? '' : ` -X ${method}`;
    const data = body === undefined ? '' : ` --data-binary ${single(body.slice(0, 2000))}`;
    return `curl -sS -i -g --path-as-is${how}${named.join('')}${data} ${shortened(single(url))}`;
  }
}

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {string} quoted */
const shortened = (quoted) =>
  quoted.replaceAll(
    /([A-Za-z0-9])\1{499,}/g,
    (run, one) => `'"$(printf '${one}%.0s' $(seq ${run.length}))"'`,
  );

/** @param {string} text */
const single = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** Between double quotes, the shell replaces variables such as $KEY. @param {string} text */
function quote(text) {
  if (!/\$[A-Z{]/.test(text)) return single(text);
  return `"${text.replaceAll(/["\\`]/g, (one) => `\\${one}`)}"`;
}
