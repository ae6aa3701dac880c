import { AccountKeys } from './account-keys.ts';
import { AccountReader } from './account-reader.ts';
import { AccountSessions } from './account-sessions.ts';
import { Batch } from './batch.ts';
import { type ClientOptions, sendSettings } from './client-options.ts';
import { isPageOf, itemsOf, pathOfPage } from './collection.ts';
import { UnexpectedResponseError } from './errors.ts';
import { pathSegment } from './filters.ts';
import { type CreateOptions, withIdempotencyKey } from './idempotency-key.ts';
import { checkNames } from './known-names.ts';
import type { BatchTransaction, Created, NewTransaction, Recorded } from './recording.ts';
import { recordingError } from './recording.ts';
import { type Call, jsonBody } from './request.ts';
import { requestBody } from './request-body.ts';
import { isCount, isObject, isText, isTextOrNull, isTransaction } from './response.ts';
import {
  checkRequestOptions,
  createSend,
  type RequestOptions,
  type Send,
  type SendSettings,
} from './send.ts';
import { RECORDED_FIELDS } from './transaction.ts';

export interface ListedAccount {
  account: string;
  /** The number of the account's last change; 0 if the account only has keys. */
  headSequence: number;
  /** The id of the change `headSequence`; null if the account has no change. */
  headId: string | null;
}

export class Account extends AccountReader {
  readonly keys: AccountKeys;
  readonly sessions: AccountSessions;

  constructor(send: Send, settings: SendSettings, root: string) {
    super(send, settings, root);
    this.keys = new AccountKeys(send, root);
    this.sessions = new AccountSessions(send, root);
  }
}

/**
 * A client for the operator. It records transactions, manages the keys of accounts and looks up their
 * transactions. The url is the address of the operator's interface.
 *
 * @example
 * const platform = new PlatformClient(); // TRANSACTIONS_OPERATOR_URL and TRANSACTIONS_OPERATOR_KEY
 * const { outcome, changeId } = await platform.put('store-1', 'pay_000001', {
 *   status: 'pending', amount: '24.50', currencyCode: 'USD', createdAt: '2026-03-30T09:30:00.000Z',
 * });
 */
export class PlatformClient {
  readonly url: string;
  readonly #settings: SendSettings;
  readonly #send: Send;

  /**
   * @throws ArgumentError, which never contains the key.
   * @throws TypeError for an unknown option.
   */
  constructor(options: ClientOptions = {}) {
    const settings = sendSettings(options, 'TRANSACTIONS_OPERATOR_URL', 'TRANSACTIONS_OPERATOR_KEY');
    this.#settings = { ...settings, toError: recordingError };
    this.#send = createSend(this.#settings);
    this.url = settings.url;
  }

  /**
   * Records a transaction under your reference. Call this when the transaction is created, and again when its
   * status changes. Sending the same transaction again changes nothing, so the request is retried.
   *
   * @throws TransactionConflictError if the transaction contradicts the recorded one.
   * @throws InvalidFieldsError
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
   * Records a transaction under a reference that the service assigns. All retries have the same idempotency
   * key, so the transaction is recorded once.
   *
   * @example
   * const payment = { status: 'pending', amount: '24.50', currencyCode: 'USD', createdAt: '2026-03-30T09:30:00.000Z' };
   * const { transaction } = await platform.create('store-1', payment, { idempotencyKey: 'order-1001' });
   * console.log(transaction.reference);
   * @throws IdempotencyKeyReusedError if the key was used for other fields.
   * @throws InvalidFieldsError
   */
  async create(account: string, transaction: NewTransaction, given: CreateOptions = {}): Promise<Created> {
    const { idempotencyKey, options } = withIdempotencyKey(given);
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
   * Records any number of transactions in a stream, and returns the outcome of each transaction, in order.
   * Nothing is sent until you read the results. After a lost connection, the batch sends again only the
   * transactions that have no result yet.
   *
   * @example
   * for await (const { line, outcome, errors } of platform.batch(payments))
   * if (outcome === 'invalid') console.error(line, errors);
   */
  batch(
    transactions: Iterable<BatchTransaction> | AsyncIterable<BatchTransaction>,
    options: RequestOptions = {},
  ): Batch {
    checkRequestOptions(options);
    return new Batch(this.#settings, transactions, options);
  }

  /**
   * Removes the details of a transaction for good. The other fields of the transaction stay.
   *
   * @throws NotFoundError if the account has no such transaction.
   */
  async removeDetails(account: string, reference: string, options: RequestOptions = {}): Promise<void> {
    checkRequestOptions(options);
    const path = `${transactionsOf(account)}/${pathSegment('reference', reference)}/details`;
    await this.#send({ method: 'DELETE', path }, options);
  }

  /**
   * Gives access to one account. This call sends no request. The operator's key needs the scope `keys` for
   * `Account.keys`, the scope `sessions` for `Account.sessions`, and the scope `read` for everything else.
   *
   * @example const { status } = await platform.account('store-1').transactions.retrieve('pay_000001');
   */
  account(account: string): Account {
    return new Account(this.#send, this.#settings, rootOf(account));
  }

  /** The accounts that the key can read, sorted by name. The key needs the scope `read`. */
  accounts(options: RequestOptions = {}): AsyncGenerator<ListedAccount, void, undefined> {
    const page = { what: 'a page of accounts', is: isPageOf(isListedAccount) };
    return itemsOf((cursor) => requestBody(this.#send, pathOfPage('/v1/accounts', cursor), page, options));
  }

  async #record(call: Call, options: RequestOptions) {
    checkRequestOptions(options);
    const { body, requestId, headers } = await this.#send(call, options);
    const [outcome, changeId] = [headers.get('recording-outcome'), headers.get('change-id')];
    const sequence = Number(headers.get('change-sequence') ?? Number.NaN);
    if (!isTransaction(body) || outcome === null || changeId === null || !Number.isSafeInteger(sequence))
      throw new UnexpectedResponseError(
        `The response does not say what was recorded (request ${requestId}).`,
        requestId,
      );
    const recorded: Recorded = { outcome, sequence, changeId, transaction: body };
    return { recorded, headers };
  }
}

const rootOf = (account: string) => `/v1/accounts/${pathSegment('account', account)}`;
const transactionsOf = (account: string) => `${rootOf(account)}/transactions`;

const isListedAccount = (value: unknown): value is ListedAccount =>
  isObject(value) &&
  isText(value['account']) &&
  isCount(value['headSequence']) &&
  isTextOrNull(value['headId']);

function bodyOf(transaction: NewTransaction) {
  const fields = RECORDED_FIELDS.filter((name) => name !== 'reference');
  checkNames('field', transaction, fields);
  return jsonBody(transaction);
}
