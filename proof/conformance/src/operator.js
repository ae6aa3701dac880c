import { AccountClient } from './account-client.js';
import { Broken, NotJudged } from './outcomes.js';
import { Random } from './random.js';

const KEY_LIFE_MS = 86_400_000;
const PAID_AT = '2026-02-01T00:00:00.000Z';

export class Operator {
  /** @param {import('./deployment.js').Deployment} deployment @param {string} url @param {string} key */
  constructor(deployment, url, key) {
    this.deployment = deployment;
    this.client = new AccountClient(deployment.transport, deployment.secrets, url, key);
    // The name of the run is not seeded, because two runs with the same seed must not use the same accounts.
    this.run = new Random(Math.floor(Math.random() * 2 ** 32), String(Date.now())).letters(10);
    this.accounts = 0;
  }

  /** Requests a key for an account that no check uses, to see whether the operator's key is accepted. */
  requestKey() {
    return new OwnAccount(this, `conformance-${this.run}`).requestKey();
  }

  /** @param {string} name @param {string[]} [scopes] */
  async account(name, scopes) {
    const id = `conformance-${this.run}-${++this.accounts}-${name}`.slice(0, 64);
    const account = new OwnAccount(this, id);
    account.client = await account.createKey(scopes);
    return account;
  }
}

export class OwnAccount {
  /** @type {AccountClient} */
  client;
  /** @type {string} */
  keyId = '';

  /** @param {Operator} operator @param {string} id */
  constructor(operator, id) {
    this.operator = operator;
    this.id = id;
    this.path = `/v1/accounts/${id}`;
    this.client = operator.client;
  }

  /** @param {string[]} [scopes] @param {object} [fields] */
  requestKey(scopes, fields) {
    // The account is not deleted after the run, so its key expires after a day.
    const expiresAt = new Date(Date.now() + KEY_LIFE_MS).toISOString();
    const body = { label: 'conformance check', expiresAt, ...(scopes && { scopes }), ...fields };
    return this.operator.client.json('POST', `${this.path}/keys`, body, {}, { isRepeatable: true });
  }

  /** @param {string[]} [scopes] @param {object} [fields] */
  async createKey(scopes, fields) {
    const made = await this.requestKey(scopes, fields);
    if (made.status !== 201 || typeof made.body?.key !== 'string')
      throw new NotJudged(`the operator's interface makes no key: ${made.summary}`);
    this.keyId = made.body.id;
    return this.operator.deployment.clientFor(made.body.key, '$CREATED_KEY');
  }

  /** @param {string} reference @param {Partial<Transaction> & Record<string, unknown>} fields */
  put(reference, fields) {
    const path = `${this.path}/transactions/${reference}`;
    return this.operator.client.json('PUT', path, withDefaults(fields));
  }

  /** @param {string} key @param {Record<string, unknown>} [fields] */
  post(key, fields = {}) {
    const headers = { 'Idempotency-Key': key };
    return this.operator.client.json('POST', `${this.path}/transactions`, withDefaults(fields), headers);
  }

  /**
   * A line that is an object gets this account and the default fields.
   * @param {readonly (string | Record<string, unknown>)[]} lines
   */
  batch(lines) {
    const texts = lines.map((line) =>
      typeof line === 'string' ? line : JSON.stringify({ ...withDefaults(line), ...line, account: this.id }),
    );
    const headers = { 'Content-Type': 'application/x-ndjson' };
    return this.operator.client.send('/v1/batch', { method: 'POST', headers, body: texts.join('\n') });
  }

  /**
   * Throws: Broken.
   * @param {string} reference @param {Partial<Transaction>} [fields] @returns {Promise<Transaction>}
   */
  async record(reference, fields = {}) {
    const response = await this.put(reference, fields);
    if (response.status !== 201 && response.status !== 200)
      throw new Broken('status 201 for a recording', response.summary, response.curl, response.lackOf(201));
    return { reference, ...withDefaults(fields) };
  }

  /** @param {Transaction} row @returns {Promise<Transaction>} */
  pay(row) {
    return this.record(row.reference, { ...row, status: 'completed', paidAt: PAID_AT });
  }

  /** @param {number} count @param {(index: number) => Partial<Transaction>} [fieldsOf] */
  async recordMany(count, fieldsOf = () => ({})) {
    const rows = Array.from({ length: count }, (_, index) => ({
      reference: `row-${String(index).padStart(4, '0')}`,
      createdAt: new Date(Date.UTC(2026, 0, 10) + index * 60_000).toISOString(),
      ...fieldsOf(index),
    }));
    return Promise.all(rows.map(({ reference, ...fields }) => this.record(reference, fields)));
  }
}

/**
 * @param {Partial<Transaction> & Record<string, unknown>} fields
 * @returns {Omit<Transaction, 'reference'>}
 */
export function withDefaults({ reference: _, ...fields }) {
  const status = fields.status ?? 'pending';
  const createdAt = fields.createdAt ?? '2026-01-10T12:00:00.000Z';
  return {
    merchantReference: null,
    status,
    amount: '12.50',
    currencyCode: 'EUR',
    paidAt: status === 'completed' ? createdAt : null,
    createdAt,
    ...fields,
  };
}
