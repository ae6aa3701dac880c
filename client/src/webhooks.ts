import { itemsOf, pathOfPage } from './collection.ts';
import { pathSegment } from './filters.ts';
import { type CreateOptions, withIdempotencyKey } from './idempotency-key.ts';
import { checkNames } from './known-names.ts';
import { ENDPOINTS_PATH, listEndpoints } from './list-endpoints.ts';
import { jsonBody } from './request.ts';
import { requestBody } from './request-body.ts';
import { checkRequestOptions, type RequestOptions, type Send } from './send.ts';
import {
  type CreatedWebhookEndpoint,
  isCreatedEndpoint,
  isFailurePage,
  isRotatedSecret,
  isTestResult,
  isWebhookEndpoint,
  type NewWebhookEndpoint,
  type RotatedSecret,
  type WebhookEndpoint,
  type WebhookEndpointChanges,
  type WebhookFailure,
  type WebhookFailurePage,
  type WebhookTestResult,
} from './webhook-endpoint.ts';
import { wholeNumber } from './whole-number.ts';

const ENDPOINT = { what: 'an endpoint', is: isWebhookEndpoint };
const CHANGED_FIELDS = ['url', 'types', 'label', 'ordered'];
const NEW_FIELDS = [...CHANGED_FIELDS, 'signing'];
/** The service waits this long for the receiver. */
const TEST_WAIT_MS = 15_000;

/** The account's endpoints, to which the service delivers changes. The key needs the scope `webhooks`. */
export class Webhooks {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Lists the endpoints, oldest first, without their secrets. */
  list(options: RequestOptions = {}): Promise<WebhookEndpoint[]> {
    return listEndpoints(this.#send, options);
  }

  /**
   * Creates an endpoint, and returns it with its secret. All retries have the same idempotency key, so the
   * endpoint is created once.
   *
   * @example
   * const endpoint = { url: 'https://shop.example/webhooks', types: ['transaction.completed'] };
   * const { id, secret } = await client.webhooks.create(endpoint);
   */
  create(endpoint: NewWebhookEndpoint, given: CreateOptions = {}): Promise<CreatedWebhookEndpoint> {
    checkNames('field', endpoint, NEW_FIELDS);
    const { idempotencyKey, options } = withIdempotencyKey(given);
    const call = {
      method: 'POST',
      path: ENDPOINTS_PATH,
      body: jsonBody(endpoint),
      headers: { 'idempotency-key': idempotencyKey },
    } as const;
    return requestBody(this.#send, call, { what: 'a new endpoint', is: isCreatedEndpoint }, options);
  }

  /** @throws NotFoundError if the account has no endpoint with this id. All methods with an id throw this. */
  retrieve(id: string, options: RequestOptions = {}): Promise<WebhookEndpoint> {
    return requestBody(this.#send, pathOf(id), ENDPOINT, options);
  }

  /** Updates only the given fields. `{ state: 'enabled' }` continues deliveries where they stopped. */
  update(
    id: string,
    changes: WebhookEndpointChanges,
    options: RequestOptions = {},
  ): Promise<WebhookEndpoint> {
    checkNames('field', changes, [...CHANGED_FIELDS, 'state']);
    const call = { method: 'PATCH', path: pathOf(id), body: jsonBody(changes) } as const;
    return requestBody(this.#send, call, ENDPOINT, options);
  }

  /**
   * Deletes the endpoint and its failures. If the response is lost, the request is not sent again, because a
   * second request would find no endpoint.
   */
  async delete(id: string, options: RequestOptions = {}): Promise<void> {
    checkRequestOptions(options);
    await this.#send({ method: 'DELETE', path: pathOf(id), isRepeatable: false }, options);
  }

  /**
   * Makes a new secret. For 24 hours, webhooks are also signed with the previous secret. If the response is
   * lost, the request is not sent again: a second rotation would end the secret that receivers still use.
   */
  rotateSecret(id: string, options: RequestOptions = {}): Promise<RotatedSecret> {
    const call = { method: 'POST', path: pathOf(id, '/rotate-secret'), isRepeatable: false } as const;
    return requestBody(this.#send, call, { what: 'a secret', is: isRotatedSecret }, options);
  }

  /** Sends a `webhook.test` event to the receiver, and returns the receiver's response. */
  test(id: string, options: RequestOptions = {}): Promise<WebhookTestResult> {
    const call = { method: 'POST', path: pathOf(id, '/test'), isRepeatable: false } as const;
    const result = { what: 'the result of a test', is: isTestResult };
    return requestBody(this.#send, call, result, options, TEST_WAIT_MS);
  }

  /** Delivers again all changes whose number is larger than `after`. */
  replay(id: string, after: number, options: RequestOptions = {}): Promise<WebhookEndpoint> {
    wholeNumber('after', after, 0, Number.MAX_SAFE_INTEGER);
    const call = { method: 'POST', path: pathOf(id, '/replay'), body: jsonBody({ after }) } as const;
    return requestBody(this.#send, call, ENDPOINT, options);
  }

  /** The failures are sorted by sequence number. */
  failures(id: string, options: RequestOptions = {}): AsyncGenerator<WebhookFailure, void, undefined> {
    return itemsOf((cursor) => this.failurePage(id, { cursor }, options));
  }

  /** Returns the first page if there is no cursor. */
  failurePage(
    id: string,
    query: { cursor?: string | null } = {},
    options: RequestOptions = {},
  ): Promise<WebhookFailurePage> {
    checkNames('parameter', query, ['cursor']);
    const path = pathOfPage(pathOf(id, '/failures'), query.cursor ?? null);
    return requestBody(this.#send, path, { what: 'a page of failures', is: isFailurePage }, options);
  }

  /** Makes the next attempt of a failed delivery now. */
  async retryFailure(id: string, sequence: number, options: RequestOptions = {}): Promise<void> {
    checkRequestOptions(options);
    wholeNumber('sequence', sequence, 1, Number.MAX_SAFE_INTEGER);
    await this.#send({ method: 'POST', path: pathOf(id, `/failures/${sequence}/retry`) }, options);
  }
}

const pathOf = (id: string, rest = '') => `${ENDPOINTS_PATH}/${pathSegment('id', id)}${rest}`;
