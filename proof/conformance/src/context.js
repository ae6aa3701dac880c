import { Exchange } from './exchange.js';
import { Broken, NotJudged } from './outcomes.js';
import { Random } from './random.js';

export class Context {
  /** The number of judged expectations. A check that has judged none does not pass. */
  judged = 0;

  /** @param {import('./deployment.js').Deployment} deployment @param {string} id */
  constructor(deployment, id) {
    this.deployment = deployment;
    this.random = new Random(deployment.seed, id);
    this.client = deployment.client;
    this.facts = deployment.facts;
  }

  /** @param {Query} [query] @param {RequestOptions} [options] */
  list(query, options) {
    return this.client.list(query, options);
  }

  /** @param {string} path @param {RequestOptions} [options] */
  get(path, options) {
    return this.client.send(path, options);
  }

  /**
   * @param {unknown} isRight
   * @param {string} expected
   * @param {string | Exchange} got
   * @param {Exchange} [exchange] the request whose curl command shows the failure
   * @param {string} [cause]
   */
  that(isRight, expected, got, exchange, cause) {
    this.judged++;
    if (isRight) return;
    if (got instanceof Exchange) throw new Broken(expected, got.summary, got.curl, cause);
    throw new Broken(expected, String(got), exchange?.curl, cause);
  }

  /** @param {unknown} got @param {unknown} expected @param {string} what @param {Exchange} [exchange] */
  same(got, expected, what, exchange) {
    this.that(
      JSON.stringify(got) === JSON.stringify(expected),
      `${what}: ${show(expected)}`,
      show(got),
      exchange,
    );
  }

  /**
   * @param {Exchange} exchange @param {number} status
   * @param {string} [what] the name of the request in the report; by default, its method and path
   */
  status(exchange, status, what = exchange.request) {
    const isRight = exchange.status === status;
    this.that(isRight, `status ${status} for ${what}`, exchange, exchange, exchange.lackOf(status));
    return exchange;
  }

  /** @param {Exchange} exchange @param {string} code @param {string} parameter @param {string} [what] */
  fault(exchange, code, parameter, what = exchange.request) {
    const { status, body, faults } = exchange;
    const isNamed = faults.length === 1 && faults[0] === `${parameter}: ${code}`;
    const isRight = status === 400 && body?.code === code && isNamed;
    const expected = `status 400 ${code} (${parameter}: ${code}) for ${what}`;
    const cause = exchange.lackOf(400, code) ?? '`errors` does not have the faulty parameter alone';
    this.that(isRight, expected, exchange, exchange, cause);
  }

  /**
   * @param {Exchange} exchange
   * @param {string[]} faults exactly the faults that the response must report, each as `parameter: code`
   */
  faults(exchange, faults) {
    const { status, body } = exchange;
    const isSame = JSON.stringify(exchange.faults.sort()) === JSON.stringify(faults.sort());
    const isRight = status === 400 && body?.code === 'invalid_request' && isSame;
    const expected = `status 400 invalid_request (${faults.join(', ')})`;
    this.that(isRight, expected, exchange, exchange, exchange.lackOf(400, 'invalid_request'));
  }

  /** @param {Exchange} exchange @param {number} status @param {string} code @param {string} [what] */
  problem(exchange, status, code, what = exchange.request) {
    const isRight = exchange.status === status && exchange.body?.code === code;
    const lack = exchange.lackOf(status, code);
    this.that(isRight, `status ${status} ${code} for ${what}`, exchange, exchange, lack);
  }

  /** @param {string} parameter @param {string} code @param {readonly string[]} values */
  refused(parameter, code, values) {
    return this.each(values, async (value) =>
      this.fault(await this.list({ [parameter]: value }), code, parameter),
    );
  }

  /** @param {readonly Query[]} queries */
  accepted(queries) {
    return this.each(queries, async (query) => this.status(await this.list(query), 200));
  }

  /** @param {string} name @param {string} value */
  async requireFilter(name, value) {
    const { body } = await this.list({ [name]: value });
    if (body?.code === 'unknown_parameter') this.notJudged(`the deployment does not have the filter ${name}`);
  }

  /** @param {string} name @param {string[]} [scopes] */
  async account(name, scopes) {
    const { operator } = this.deployment;
    if (operator === undefined) return this.notJudged('needs --operator-url and --operator-key');
    return operator.account(name, scopes);
  }

  /** @param {string} reason @returns {never} */
  notJudged(reason) {
    throw new NotJudged(reason);
  }

  /**
   * All items can run at once, because the transport limits how many requests are in flight.
   * @template T @param {readonly T[]} items @param {(item: T) => Promise<unknown>} run
   */
  async each(items, run) {
    const results = await Promise.allSettled(items.map(run));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }
}

/** @param {unknown} value */
function show(value) {
  const text = typeof value === 'string' ? JSON.stringify(value) : (JSON.stringify(value) ?? 'nothing');
  return text.length > 400 ? `${text.slice(0, 400)}...` : text;
}
