import { Batch } from './batch.ts';
import { type ClientOptions, sendSettings } from './client-options.ts';
import { ArgumentError, UnexpectedResponseError } from './errors.ts';
import { pathSegment } from './filters.ts';
import { checkNames } from './known-names.ts';
import type { BatchTransaction, Created, NewTransaction, Recorded } from './recording.ts';
import { recordingError } from './recording-errors.ts';
import { type Call, jsonBody } from './request.ts';
import { readTransaction } from './response.ts';
import {
  checkRequestOptions,
  createSend,
  type RequestOptions,
  type Send,
  type SendSettings,
} from './send.ts';
import { TRANSACTION_FIELDS, type Transaction } from './transaction.ts';

export interface CreateOptions extends RequestOptions {
  /**
   * 1 to 255 visible ASCII characters. Give one that you have stored, such as the number of an order: then the call can be repeated also after
   * your program has crashed. Default: a random one, for the retries of this call.
   */
  idempotencyKey?: string | undefined;
}

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * A client for a platform that records, with a key of the operator, on the operator's listener of the service.
 *
 * ```ts
 * const platform = new PlatformClient(); // TRANSACTIONS_OPERATOR_URL and TRANSACTIONS_OPERATOR_KEY
 * const { outcome, changeId } = await platform.put('store-1', 'pay_000001', {
 *   status: 'pending', amount: '24.50', currencyCode: 'USD', createdAt: '2026-03-30T09:30:00.000Z',
 * });
 * ```
 */
export class PlatformClient {
  readonly url: string;
  readonly #settings: SendSettings;
  readonly #send: Send;

  /** Throws: ArgumentError, which never contains the key; TypeError for an unknown option. */
  constructor(options: ClientOptions = {}) {
    const settings = sendSettings(options, 'TRANSACTIONS_OPERATOR_URL', 'TRANSACTIONS_OPERATOR_KEY');
    this.#settings = { ...settings, toError: recordingError };
    this.#send = createSend(this.#settings);
    this.url = settings.url;
  }

  /**
   * Records a transaction under your reference: when it is created, and again when its status changes. Sending the same again changes
   * nothing, so it is retried.
   *
   * Throws: TransactionConflictError if it contradicts what is recorded; InvalidFieldsError.
   */
  async put(
    account: string,
    reference: string,
    transaction: NewTransaction,
    options: RequestOptions = {},
  ): Promise<Recorded> {
    const path = `${transactionsOf(account)}/${pathSegment('reference', reference)}`;
    const call = { method: 'PUT', path, body: bodyOf(transaction) } as const;
    return (await this.#record(call, options)).recorded;
  }

  /**
   * Records a transaction under a reference that the service assigns. All retries have the same idempotency key, so it is recorded once.
   *
   * Throws: IdempotencyKeyReusedError if the key was used for other fields; InvalidFieldsError.
   */
  async create(
    account: string,
    transaction: NewTransaction,
    { idempotencyKey = crypto.randomUUID(), ...options }: CreateOptions = {},
  ): Promise<Created> {
    if (!IDEMPOTENCY_KEY.test(idempotencyKey))
      throw new ArgumentError('The idempotencyKey is not 1 to 255 visible ASCII characters.');
    const { recorded, headers } = await this.#record(
      {
        method: 'POST',
        path: transactionsOf(account),
        body: bodyOf(transaction),
        headers: { 'idempotency-key': idempotencyKey },
      },
      options,
    );
    return { ...recorded, idempotencyKey, isReplayed: headers.get('idempotency-replayed') === 'true' };
  }

  /**
   * Records any number of transactions in a stream, and returns what became of each, in their order. It sends no request before it is read.
   * After a lost connection it sends again what has no result, which is safe.
   */
  batch(
    transactions: Iterable<BatchTransaction> | AsyncIterable<BatchTransaction>,
    options: RequestOptions = {},
  ): Batch {
    checkRequestOptions(options);
    return new Batch(this.#settings, transactions, options);
  }

  /** One transaction of an account. The key needs the scope `read`. Throws: NotFoundError */
  async retrieve(account: string, reference: string, options: RequestOptions = {}): Promise<Transaction> {
    checkRequestOptions(options);
    const path = `${transactionsOf(account)}/${pathSegment('reference', reference)}`;
    const { body, requestId } = await this.#send(path, options);
    return readTransaction(body, requestId);
  }

  async #record(call: Call, options: RequestOptions) {
    checkRequestOptions(options);
    const { body, requestId, headers } = await this.#send(call, options);
    const transaction = readTransaction(body, requestId);
    const [outcome, changeId] = [headers.get('recording-outcome'), headers.get('change-id')];
    const sequence = Number(headers.get('change-sequence') ?? Number.NaN);
    if (outcome === null || changeId === null || !Number.isSafeInteger(sequence))
      throw new UnexpectedResponseError(
        `The response does not say what was recorded (request ${requestId}).`,
        requestId,
      );
    const recorded: Recorded = { outcome, sequence, changeId, transaction };
    return { recorded, headers };
  }
}

const transactionsOf = (account: string) => `/v1/accounts/${pathSegment('account', account)}/transactions`;

/** Throws: TypeError for an unknown field, which would be refused. */
function bodyOf(transaction: NewTransaction) {
  const { reference: _, ...fields } = TRANSACTION_FIELDS;
  checkNames('field', transaction, Object.keys(fields));
  return jsonBody(transaction);
}
