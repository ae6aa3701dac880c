import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { pino } from 'pino';
import { type ApiKey, makeApiKey } from '../../../src/keys/api-key.ts';
import { type App, type AppDependencies, buildApp } from '../../../src/service/app.ts';
import type { Clock } from '../../../src/service/context.ts';
import { createMetrics } from '../../../src/service/metrics.ts';
import { IN_MEMORY_URL, openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { noteKey, refuseForeignRows } from '../database/isolation.ts';
import { responseChecker } from '../http/response-checker.ts';
import { someEntry } from '../store/audit.ts';
import { type TestReceivers, testReceivers } from '../webhooks/test-receivers.ts';
import { testConfig } from './test-config.ts';

export { impatientConfig, testConfig } from './test-config.ts';

export interface TestClock extends Clock {
  set(nowMs: number): void;
  advance(milliseconds: number): void;
}

export function testClock(startMs: number = Date.UTC(2026, 5, 15, 12)): TestClock {
  let nowMs = startMs;
  let monotonicMs = 0;
  return {
    now: () => nowMs,
    monotonicMs: () => monotonicMs,
    set: (toMs) => {
      nowMs = toMs;
    },
    advance: (milliseconds) => {
      nowMs += milliseconds;
      monotonicMs += milliseconds;
    },
  };
}

export interface TestRequest {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  key?: string;
  headers?: IncomingHttpHeaders;
  body?: unknown;
  text?: string | Buffer;
}

export interface TestResponse {
  status: number;
  headers: Record<string, string | undefined>;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
  body: any;
}

export interface TestApp extends App {
  store: Store;
  clock: TestClock;
  receivers: TestReceivers;
  logged: string[];
  /** Checks that the response fits the OpenAPI document and has no row of another account. */
  send(url: string, request?: TestRequest): Promise<TestResponse>;
  makeKey(account: string, fields?: Partial<ApiKey>): Promise<string>;
}

const checkResponse = responseChecker(new URL('../../../openapi.json', import.meta.url));

/** All apps of a test file share these metrics, because a process has one registry. */
export const testMetrics = createMetrics();

export async function metric(series: string): Promise<number> {
  const { body } = await testMetrics.text();
  const line = body.split('\n').find((one) => one.startsWith(`${series} `));
  return Number(line?.slice(series.length) ?? 0);
}

export const sender =
  (server: App['server'], check: ReturnType<typeof responseChecker>) =>
  async (url: string, request: TestRequest): Promise<TestResponse> => {
    const { method = 'GET', key, headers = {}, body: sent, text } = request;
    const payload = text ?? (sent === undefined ? undefined : JSON.stringify(sent));
    const response = await server.inject({
      method,
      url,
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(payload !== undefined && { payload }),
    });
    const { statusCode: status, body } = response;
    const responseHeaders = response.headers as TestResponse['headers'];
    const [path = ''] = url.split('?');
    check({ method, path, status, headers: responseHeaders, body });
    const isJson = /[/+]json/.test(String(responseHeaders['content-type']));
    return {
      status,
      headers: responseHeaders,
      text: body,
      body: isJson && body !== '' ? response.json() : undefined,
    };
  };

export async function buildTestApp(
  overrides: Partial<AppDependencies> & { clock?: TestClock } = {},
): Promise<TestApp> {
  const clock = overrides.clock ?? testClock();
  const store = overrides.store ?? (await openStore(IN_MEMORY_URL, clock.now)).store;
  const logged: string[] = [];
  const receivers = testReceivers();
  const app = await buildApp({
    webhooks: receivers,
    config: testConfig,
    cursorSecrets: ['a secret of the tests, long enough to be one'],
    randomBytes,
    metrics: testMetrics,
    logger: pino({ level: 'trace' }, { write: (line: string) => logged.push(line) }),
    ...overrides,
    clock,
    store,
  });

  const sendTo = sender(app.server, checkResponse);
  const send = async (url: string, request: TestRequest = {}) => {
    const response = await sendTo(url, request);
    if (response.status === 200) refuseForeignRows(request.key, response.body);
    return response;
  };

  const makeKey = async (account: string, fields: Partial<ApiKey> = {}) => {
    const wanted = { account, label: null, expiresAtMs: null };
    const { key, stored } = makeApiKey(wanted, clock.now(), randomBytes);
    await store.createApiKey({ ...stored, ...fields }, someEntry());
    noteKey(key, account);
    return key;
  };

  return { ...app, store, clock, receivers, logged, send, makeKey };
}
