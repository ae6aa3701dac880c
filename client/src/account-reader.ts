import { Changes } from './changes.ts';
import { fetchSeal, type Seal } from './seal.ts';
import type { RequestOptions, Send, SendSettings } from './send.ts';
import { fetchTotals, type Totals, type TotalsQuery } from './totals.ts';
import { TransactionReader } from './transaction-reader.ts';

export class AccountReader {
  readonly transactions: TransactionReader;
  readonly changes: Changes;
  readonly #send: Send;
  readonly #root: string;

  constructor(send: Send, settings: SendSettings, root: string) {
    this.#send = send;
    this.#root = root;
    this.transactions = new TransactionReader(send, settings, root);
    this.changes = new Changes(send, settings, root);
  }

  /**
   * A hash over all changes of the account up to its last sealed change. If you store the seal elsewhere, it
   * can later prove that none of these changes was altered.
   *
   * @example
   * const { sequence, id, seal } = await client.seal();
   */
  seal(options: RequestOptions = {}): Promise<Seal> {
    return fetchSeal(this.#send, this.#root, options);
  }

  /**
   * The counts and sums of the matching transactions for each currency and status. With `by`, these are split
   * further, by day or month.
   *
   * @example
   * const { data } = await client.totals({ status: 'completed', from: '2026-03-01', to: '2026-03-31' });
   * for (const { currencyCode, count, amount } of data) console.log(currencyCode, count, amount);
   * @throws ServiceError while the service cannot count all transactions of the account.
   */
  totals(query: TotalsQuery = {}, options: RequestOptions = {}): Promise<Totals> {
    return fetchTotals(this.#send, this.#root, query, options);
  }
}
