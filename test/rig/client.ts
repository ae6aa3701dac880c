import { type ClientOptions, type Fetch, TransactionsClient } from '../../client/src/index.ts';
import type { TestApp } from './app.ts';

export interface TestClient {
  client: TransactionsClient;
  /** The path and query of each request that was sent, decoded. */
  requests: string[];
  /** Each wait before a request was sent again, in milliseconds. */
  waitsMs: number[];
}

const ORIGIN = 'http://service.test';

/** A fetch that reaches the service in process, where every answer is checked against its OpenAPI document. */
export function fetchFrom(app: TestApp): Fetch {
  return async (url, { headers: { authorization = '', ...headers } }) => {
    const key = authorization.replace(/^Bearer /, '');
    const answer = await app.send(url.slice(ORIGIN.length), { key, headers });
    return {
      status: answer.status,
      headers: { get: (name) => answer.headers[name.toLowerCase()] ?? null },
      text: async () => answer.text,
    };
  };
}

/** A client on a fetch of the test's own. It waits for nothing, and notes how long it would have waited. */
export function clientOn(fetch: Fetch, apiKey: string, options: Partial<ClientOptions> = {}): TestClient {
  const requests: string[] = [];
  const waitsMs: number[] = [];
  const client = new TransactionsClient({
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
  });
  return { client, requests, waitsMs };
}

/** A client of the service in process, on its clock. */
export function clientOf(app: TestApp, apiKey: string, options: Partial<ClientOptions> = {}): TestClient {
  return clientOn(fetchFrom(app), apiKey, { now: app.clock.now, ...options });
}
