import { AccountReader } from './account-reader.ts';
import { type ClientOptions, sendSettings } from './client-options.ts';
import { fetchKey, type Key } from './key.ts';
import { createSend, type RequestOptions, type Send } from './send.ts';
import { Webhooks } from './webhooks.ts';

/**
 * A client for one account, to which its API key belongs.
 *
 * @example
 * const client = new TransactionsClient(); // TRANSACTIONS_URL and TRANSACTIONS_API_KEY
 * for await (const { reference, amount } of client.transactions.list({ currency: 'EUR' })) {
 *   console.log(reference, amount);
 * }
 */
export class TransactionsClient extends AccountReader {
  readonly url: string;
  readonly webhooks: Webhooks;
  readonly #send: Send;

  /**
   * @throws ArgumentError, which never contains the key.
   * @throws TypeError for an unknown option.
   */
  constructor(options: ClientOptions = {}) {
    const settings = sendSettings(options);
    const send = createSend(settings);
    super(send, settings, '/v1');
    this.#send = send;
    this.url = settings.url;
    this.webhooks = new Webhooks(send);
  }

  /** Returns information about the client's API key. The key needs no scope for this call. */
  key(options: RequestOptions = {}): Promise<Key> {
    return fetchKey(this.#send, options);
  }
}
