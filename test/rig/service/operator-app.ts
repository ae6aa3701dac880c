import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { type ApiKey, makeApiKey } from '../../../src/keys/api-key.ts';
import type { App } from '../../../src/service/app.ts';
import { buildOperatorApp } from '../../../src/service/operator-app.ts';
import type { Store } from '../../../src/store/store.ts';
import { OPERATOR_ACCOUNT } from '../../../values/caller.ts';
import { SCOPES } from '../../../values/scopes.ts';
import { responseChecker } from '../http/response-checker.ts';
import { someEntry } from '../store/audit.ts';
import { sender, type TestClock, type TestResponse, testConfig, testMetrics } from './app.ts';

export interface OperatorRequest {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE' | 'PATCH';
  body?: unknown;
  text?: string | Buffer;
  headers?: Record<string, string>;
  key?: string | null;
}

export interface TestOperatorApp extends App {
  key: string;
  logged: string[];
  send(url: string, request: OperatorRequest): Promise<TestResponse>;
  makeKey(fields?: Partial<ApiKey>): Promise<string>;
}

const OPERATOR_SECRET = 'a secret of the tests, long enough to be one';

const checkResponse = responseChecker(new URL('../../../openapi-operator.json', import.meta.url));

export async function buildTestOperatorApp(
  store: Store,
  clock: TestClock,
  config = testConfig,
): Promise<TestOperatorApp> {
  const logged: string[] = [];
  const app = await buildOperatorApp({
    config,
    store,
    clock,
    randomBytes,
    cursorSecrets: [OPERATOR_SECRET],
    metrics: testMetrics,
    logger: pino({ level: 'trace' }, { write: (line: string) => logged.push(line) }),
  });
  const makeKey: TestOperatorApp['makeKey'] = async (fields = {}) => {
    const wanted = { account: OPERATOR_ACCOUNT, label: null, expiresAtMs: null };
    const { key, stored } = makeApiKey(wanted, clock.now(), randomBytes);
    await store.createApiKey({ ...stored, ...fields }, someEntry());
    return key;
  };
  const key = await makeKey({ scopes: SCOPES.operator });

  const sendTo = sender(app.server, checkResponse);
  const send: TestOperatorApp['send'] = (url, { key: given = key, ...request }) =>
    sendTo(url, { ...request, ...(given !== null && { key: given }) });
  return { ...app, key, logged, send, makeKey };
}
