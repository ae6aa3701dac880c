import { SURROUNDINGS, type Surroundings } from '../../../client/src/client-options.ts';
import { type ClientOptions, type Fetch, TransactionsClient } from '../../../client/src/index.ts';
import type { TestApp } from '../service/app.ts';
import type { TestOperatorApp } from '../service/operator-app.ts';

export type TestOptions = ClientOptions & Surroundings;

/** The options of a client whose clock, pauses or random values are those of a test. */
export const testOptions = ({ now, sleep, random, ...options }: TestOptions): ClientOptions =>
  ({ ...options, [SURROUNDINGS]: { now, sleep, random } }) as ClientOptions;

export interface TestClient {
  client: TransactionsClient;
  /** The decoded path and query of each request. */
  requests: string[];
  /** Each pause before a retry, in milliseconds. */
  waitsMs: number[];
}

const ORIGIN = 'https://service.test';

/** A fetch that calls the app in process; every response is checked against the OpenAPI document. */
export function fetchFrom(app: { send: TestApp['send'] | TestOperatorApp['send'] }): Fetch {
  return async (url, { method, body, headers: { authorization = '', ...headers } }) => {
    const key = authorization.replace(/^Bearer /, '');
    const answer = await app.send(url.slice(ORIGIN.length), {
      method,
      key,
      headers,
      ...(body !== undefined && { text: String(body) }),
    });
    return {
      status: answer.status,
      headers: { get: (name) => answer.headers[name.toLowerCase()] ?? null },
      text: async () => answer.text,
    };
  };
}

/** A client with a test's fetch. It records its pauses and does not wait. */
export function clientOn(fetch: Fetch, apiKey: string, options: Partial<TestOptions> = {}): TestClient {
  const requests: string[] = [];
  const waitsMs: number[] = [];
  const client = new TransactionsClient(
    testOptions({
      url: ORIGIN,
      apiKey,
      fetch: (url, init) => {
        requests.push(decodeURIComponent(url.slice(ORIGIN.length)));
        return fetch(url, init);
      },
      sleep: async (milliseconds) => {
        waitsMs.push(milliseconds);
      },
      ...options,
    }),
  );
  return { client, requests, waitsMs };
}

/** A client of an app in process, on the app's clock. */
export function clientOf(app: TestApp, apiKey: string, options: Partial<TestOptions> = {}): TestClient {
  return clientOn(fetchFrom(app), apiKey, { now: app.clock.now, ...options });
}
