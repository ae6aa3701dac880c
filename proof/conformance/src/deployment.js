import { AccountClient } from './account-client.js';
import { Facts } from './facts.js';
import { Operator } from './operator.js';
import { NotJudged } from './outcomes.js';
import { Secrets } from './secrets.js';
import { Transport } from './transport.js';

const MAX_BYTES = 256 * 1024 * 1024;

export class Deployment {
  secrets = new Secrets();

  /** @param {Options & { seed: number }} options */
  constructor({ url, key, secondKey, operatorUrl, operatorKey, seed, ...limits }) {
    this.seed = seed;
    const {
      maxRequests = 5000,
      maxTimeSeconds = 300,
      concurrency = 4,
      maxResponseBytes = MAX_BYTES,
    } = limits;
    const maxTimeMs = maxTimeSeconds * 1000;
    this.transport = new Transport({ maxRequests, maxTimeMs, concurrency, maxResponseBytes });
    this.url = url;
    this.client = this.clientFor(key, '$KEY');
    this.facts = new Facts(this.client);
    this.secondKey = secondKey === undefined ? undefined : this.secrets.add(secondKey, '$SECOND_KEY');
    this.operator =
      operatorUrl === undefined || operatorKey === undefined
        ? undefined
        : new Operator(this, operatorUrl, this.secrets.add(operatorKey, '$OPERATOR_KEY'));
  }

  /** @param {string} key @param {string} [shown] what reports show in place of the key */
  clientFor = (key, shown) => {
    if (shown !== undefined) this.secrets.add(key, shown);
    return new AccountClient(this.transport, this.secrets, this.url, key);
  };

  second() {
    return this.facts.once('second account', () => this.#openSecond());
  }

  async #openSecond() {
    if (this.secondKey !== undefined) return this.clientFor(this.secondKey);
    if (this.operator === undefined) throw new NotJudged('needs --second-key, or an operator key');
    const account = await this.operator.account('second');
    await account.recordMany(25);
    return account.client;
  }

  /** @param {string} path @returns {Promise<string | undefined>} */
  whyAbsent(path) {
    return this.facts.once(`whether there is ${path}`, async () => {
      const { status, body } = await this.client.send(path);
      if (status === 404) return `the deployment has no ${path.split('?')[0]}`;
      if (status === 403) return `the key is refused with 403 ${body?.code ?? ''} for ${path.split('?')[0]}`;
      return undefined;
    });
  }
}
