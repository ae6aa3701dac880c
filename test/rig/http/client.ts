import { SURROUNDINGS, type Surroundings } from '../../../client/src/client-options.ts';
import { type ClientOptions, type Fetch, TransactionsClient } from '../../../client/src/index.ts';
import type { TestApp } from '../service/app.ts';
import type { TestOperatorApp } from '../service/operator-app.ts';

type FetchResponse = Awaited<ReturnType<Fetch>>;

export type TestOptions = ClientOptions & Surroundings;

export const testOptions = ({ now, sleep, random, ...options }: TestOptions): ClientOptions =>
  ({ ...options, [SURROUNDINGS]: { now, sleep, random } }) as ClientOptions;

const ORIGIN = 'https://service.test';

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

export function clientOn(fetch: Fetch, apiKey: string, options: Partial<TestOptions> = {}) {
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

export function answer(status: number, body: unknown = {}, headers: Record<string, string> = {}) {
  const type = status === 200 ? 'application/json' : 'application/problem+json';
  const all: Record<string, string> = { 'content-type': type, ...headers };
  return {
    status,
    headers: { get: (name: string) => all[name] ?? null },
    text: async () => (typeof body === 'string' ? body : JSON.stringify(body)),
  };
}

export function answersInTurn(...answers: (FetchResponse | Error)[]): Fetch {
  let turn = 0;
  return async () => {
    const next = answers[Math.min(turn++, answers.length - 1)] ?? new Error('nothing is sent');
    if (next instanceof Error) throw next;
    return next;
  };
}

export const answering = (status: number, body: unknown, options: Partial<TestOptions> = {}) =>
  clientOn(answersInTurn(answer(status, body)), 'a-key', options);

export function clientOf(app: TestApp, apiKey: string, options: Partial<TestOptions> = {}) {
  return clientOn(fetchFrom(app), apiKey, { now: app.clock.now, ...options });
}
