import { Changes } from './changes.ts';
import { type ClientOptions, sendSettings } from './client-options.ts';
import { fetchKey, type Key } from './key.ts';
import { createSend, type RequestOptions, type Send } from './send.ts';
import { fetchTotals, type Totals, type TotalsQuery } from './totals.ts';
import { Transactions } from './transactions.ts';
import { Webhooks } from './webhooks.ts';

/**
 * A client for the account of its API key.
 *
 * @example
 * const client = new TransactionsClient(); // TRANSACTIONS_URL and TRANSACTIONS_API_KEY
 * for await (const { reference, amount } of client.transactions.list({ currency: 'EUR' })) {
 *   console.log(reference, amount);
 * }
 */
export class TransactionsClient {
  readonly url: string;
  readonly transactions: Transactions;
  readonly changes: Changes;
  readonly webhooks: Webhooks;
  readonly #send: Send;

  /**
   * @throws ArgumentError, which never contains the key.
   * @throws TypeError for an unknown option.
   */
  constructor(options: ClientOptions = {}) {
    const settings = sendSettings(options);
    this.#send = createSend(settings);
    this.url = settings.url;
    this.transactions = new Transactions(this.#send, settings);
    this.changes = new Changes(this.#send, settings);
    this.webhooks = new Webhooks(this.#send);
  }

  /** What the API key is for: its account, its scopes and its end. Every key of an account can retrieve it. */
  key(options: RequestOptions = {}): Promise<Key> {
    return fetchKey(this.#send, options);
  }

  /**
   * How many transactions match, and what they add up to, for each currency and status; with `by` also for each day or month.
   *
   * @example
   * const { data } = await client.totals({ status: 'completed', from: '2026-03-01', to: '2026-03-31' });
   * for (const { currencyCode, count, amount } of data) console.log(currencyCode, count, amount);
   * @throws ServiceError while the service cannot count all transactions of the account.
   */
  totals(query: TotalsQuery = {}, options: RequestOptions = {}): Promise<Totals> {
    return fetchTotals(this.#send, query, options);
  }
}
