import { sendSettings } from '../../client/src/client-options.ts';
import { UnexpectedResponseError } from '../../client/src/errors.ts';
import { beginRequest, readText, refusal } from '../../client/src/request.ts';
import { isCount, isObject, isText } from '../../client/src/response.ts';
import { createSend } from '../../client/src/send.ts';
import type { FailurePage, TestResult, Webhook, WebhookFailure } from './webhook.ts';

export interface WebhookOverview {
  webhooks: readonly Webhook[];
  /** By the clock of this device. */
  loadedAt: string;
}

/** What the screen requests from the service. */
export interface WebhookApi {
  overview(signal: AbortSignal): Promise<WebhookOverview>;
  failures(id: string, after: number, signal: AbortSignal): Promise<FailurePage>;
  enable(id: string): Promise<Webhook>;
  test(id: string): Promise<TestResult>;
  retry(id: string, sequence: number): Promise<void>;
}

const PATH = '/v1/webhooks';
/** The failures of a page. */
const PAGE_FAILURES = 20;
/** The service waits 15 seconds for the receiver of a test. */
const WRITE_TIMEOUT_MS = 25_000;

export function connectWebhooks(apiKey: string): WebhookApi {
  const options = { url: location.origin, apiKey, maxRetries: 1, maxRetryAfterMs: 2000 };
  const read = createSend(sendSettings(options));
  return {
    overview: async (signal) => {
      const { body, requestId } = await read(PATH, { signal });
      if (!isWebhookList(body)) throw unexpected('a list of webhooks', requestId);
      return { webhooks: body.data, loadedAt: new Date().toISOString() };
    },
    failures: async (id, after, signal) => {
      const path = `${pathOf(id)}/failures?limit=${PAGE_FAILURES}${after === 0 ? '' : `&after=${after}`}`;
      const { body, requestId } = await read(path, { signal });
      if (isFailurePage(body)) return body;
      throw unexpected('a page of failures', requestId);
    },
    enable: async (id) => {
      const { body, requestId } = await write(apiKey, 'PATCH', pathOf(id), { enabled: true });
      if (isWebhook(body)) return body;
      throw unexpected('an endpoint', requestId);
    },
    test: async (id) => {
      const { body, requestId } = await write(apiKey, 'POST', `${pathOf(id)}/test`);
      if (isTestResult(body)) return body;
      throw unexpected('the result of a test', requestId);
    },
    retry: async (id, sequence) => {
      await write(apiKey, 'POST', `${pathOf(id)}/failures/${sequence}/retry`);
    },
  };
}

const pathOf = (id: string) => `${PATH}/${encodeURIComponent(id)}`;

/** Sends a request that changes something, once: the user sees a failure, and decides. */
async function write(apiKey: string, method: 'POST' | 'PATCH', path: string, content?: object) {
  const settings = sendSettings({
    url: location.origin,
    apiKey,
    fetch: (url, init) =>
      fetch(url, {
        ...init,
        method,
        headers: { ...init.headers, ...(content && { 'content-type': 'application/json' }) },
        ...(content && { body: JSON.stringify(content) }),
      }),
  });
  const request = beginRequest(settings, path, 'application/json', undefined);
  try {
    const response = await request.within(WRITE_TIMEOUT_MS, async () =>
      readText(await request.fetch(), request),
    );
    if (response.status !== 200 && response.status !== 202) throw refusal(response, settings);
    const { requestId } = request;
    return { body: response.status === 200 ? parse(response.text, requestId) : undefined, requestId };
  } finally {
    request.end();
  }
}

function parse(text: string, requestId: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unexpected('JSON', requestId);
  }
}

const unexpected = (wanted: string, requestId: string) =>
  new UnexpectedResponseError(`The response is not ${wanted} (request ${requestId}).`, requestId);

const isTextOrNull = (value: unknown) => value === null || isText(value);

function isWebhookList(value: unknown): value is { data: Webhook[] } {
  return isObject(value) && Array.isArray(value['data']) && value['data'].every(isWebhook);
}

function isWebhook(value: unknown): value is Webhook {
  return (
    isObject(value) &&
    isText(value['id']) &&
    isText(value['url']) &&
    (value['types'] === null || (Array.isArray(value['types']) && value['types'].every(isText))) &&
    isTextOrNull(value['label']) &&
    typeof value['ordered'] === 'boolean' &&
    (value['state'] === 'enabled' || value['state'] === 'disabled') &&
    isTextOrNull(value['disabledReason']) &&
    isTextOrNull(value['disabledAt']) &&
    isText(value['createdAt']) &&
    isCount(value['acknowledgedSequence']) &&
    isCount(value['headSequence']) &&
    isCount(value['failures']) &&
    isTextOrNull(value['failingSince'])
  );
}

function isFailurePage(value: unknown): value is FailurePage {
  return (
    isObject(value) &&
    Array.isArray(value['data']) &&
    value['data'].every(isFailure) &&
    typeof value['hasMore'] === 'boolean'
  );
}

function isFailure(value: unknown): value is WebhookFailure {
  return (
    isObject(value) &&
    isCount(value['sequence']) &&
    isCount(value['attempts']) &&
    isText(value['firstFailedAt']) &&
    isText(value['lastFailedAt']) &&
    isTextOrNull(value['nextAttemptAt']) &&
    isText(value['error'])
  );
}

function isTestResult(value: unknown): value is TestResult {
  return (
    isObject(value) &&
    typeof value['delivered'] === 'boolean' &&
    (value['status'] === null || isCount(value['status'])) &&
    isTextOrNull(value['error']) &&
    isCount(value['durationMs'])
  );
}
