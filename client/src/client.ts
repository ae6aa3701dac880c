import { Changes } from './changes.ts';
import { type ClientOptions, sendSettings } from './client-options.ts';
import { createSend } from './send.ts';
import { Transactions } from './transactions.ts';

/** A client for the account of its API key. */
export class TransactionsClient {
  readonly url: string;
  readonly transactions: Transactions;
  readonly changes: Changes;

  /** Throws: ArgumentError, which never contains the key; TypeError for an unknown option. */
  constructor(options: ClientOptions) {
    const settings = sendSettings(options);
    const send = createSend(settings);
    this.url = settings.url;
    this.transactions = new Transactions(send);
    this.changes = new Changes(send, settings);
  }
}
