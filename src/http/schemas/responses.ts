import { EXAMPLE_REQUEST_ID, type ExampleOf } from '../problems/problem-example.ts';
import type { ProblemKind } from '../problems/problem-kind.ts';
import { ProblemDocument } from './problem.ts';
import { type Schema, Type } from './type.ts';

/** An example of a response body. */
export interface Example {
  summary: string;
  value: unknown;
}

type Headers = Record<string, Schema>;

const successHeaders: Headers = {
  'Request-Id': Type.String({
    description: 'Identifies the request. Give it to the operator when you report an error.',
    examples: [EXAMPLE_REQUEST_ID],
  }),
  'Cache-Control': Type.String({
    description: 'no-store: caches must not store the response.',
    examples: ['no-store'],
  }),
};

/** On every response to a request that was counted for a rate limit. Source: draft-ietf-httpapi-ratelimit-headers-10. */
const rateLimitHeaders: Headers = {
  'RateLimit-Policy': Type.String({
    description: 'The rate limit: q requests in a window of w seconds. Absent without a rate limit.',
    examples: ['"key";q=2000;w=2'],
  }),
  RateLimit: Type.String({
    description: 'What is left of the limit: r requests now, or none until t seconds have passed.',
    examples: ['"key";r=1999;t=0'],
  }),
};

const retryAfterHeader: Headers = {
  'Retry-After': Type.String({ description: 'Seconds to wait before trying again.', examples: ['1'] }),
};

/** On every response to a request with a key that ends soon. */
const keyExpiresHeader: Headers = {
  'Key-Expires': Type.String({
    format: 'date-time',
    description: 'The time from which the key of the request is refused, if that is within seven days.',
    examples: ['2026-06-16T12:00:00.000Z'],
  }),
};

const challengeHeader = (error: string): Headers => ({
  'WWW-Authenticate': Type.String({
    description: 'How to authenticate, as RFC 6750 defines it.',
    examples: [`Bearer realm="transactions", error="${error}"`],
  }),
});

const HEADERS_BY_STATUS: Readonly<Record<number, Headers>> = {
  401: { ...challengeHeader('invalid_token'), ...rateLimitHeaders },
  403: challengeHeader('insufficient_scope'),
  429: { ...retryAfterHeader, ...rateLimitHeaders },
  503: retryAfterHeader,
};

/** A response of an operation, with the headers that only it has. */
export interface ResponseDescription {
  description: string;
  headers: Headers;
  content?: Readonly<Record<string, { schema: Schema; examples: Readonly<Record<string, Example>> }>>;
  /** What @fastify/swagger reads as: no content. */
  type?: 'null';
}

export type Responses = Readonly<Record<number, ResponseDescription>>;

/** A response without a body. */
export const emptyResponse = (description: string): ResponseDescription => ({
  type: 'null',
  description,
  headers: {},
});

/** A response with a body of a type. */
export const bodyResponse = (
  type: string,
  description: string,
  schema: Schema,
  examples: Readonly<Record<string, Example>>,
  headers: Headers = {},
): ResponseDescription => ({ description, headers, content: { [type]: { schema, examples } } });

/** A response with a JSON body. */
export const jsonResponse = (
  description: string,
  schema: Schema,
  examples: Readonly<Record<string, Example>>,
  headers: Headers = {},
): ResponseDescription => bodyResponse('application/json', description, schema, examples, headers);

/** Sent before the key is checked, and so before the request is counted. */
const BEFORE_KEY: readonly number[] = [408, 413, 414, 431];

/** What the responses of an operation have in common. */
export interface CommonHeaders {
  /** Whether a key is required, so that a response can say that it ends soon. */
  hasKey: boolean;
  /** Whether keys have a rate limit, which each response then reports. */
  keysAreLimited: boolean;
}

/** A response with the headers that each one with its status has. */
export function withCommonHeaders(
  { headers, ...response }: ResponseDescription,
  status: number,
  { hasKey, keysAreLimited }: CommonHeaders,
): ResponseDescription {
  const isBeforeKey = BEFORE_KEY.includes(status);
  const common = { ...successHeaders, ...(keysAreLimited && !isBeforeKey && rateLimitHeaders) };
  const expires = hasKey && !isBeforeKey && status !== 401 ? keyExpiresHeader : {};
  return { ...response, headers: { ...common, ...HEADERS_BY_STATUS[status], ...headers, ...expires } };
}

/** A problem of one of these kinds, so that generated clients can switch on its code. */
const problemWith = (kinds: readonly ProblemKind[]) =>
  Type.AllOf(Type.Ref(ProblemDocument), Type.Object({ code: Type.Enum(kinds.map(({ code }) => code)) }));

/** The error responses of these kinds by status, with an example of each kind. */
export function problemResponses(
  kinds: readonly ProblemKind[],
  examples: Readonly<Record<string, ExampleOf>>,
): Responses {
  const byStatus = Map.groupBy(kinds, ({ status }) => status);
  const responses = [...byStatus].map(([status, ofStatus]) => [
    status,
    bodyResponse(
      'application/problem+json',
      ofStatus.map(({ code, title }) => `\`${code}\`: ${title}.`).join(' '),
      problemWith(ofStatus),
      Object.fromEntries(
        ofStatus.map((kind) => {
          const { response } = (examples[kind.code] ?? kind.example)(kind);
          return [kind.code, { summary: kind.title, value: response }];
        }),
      ),
    ),
  ]);
  return Object.fromEntries(responses);
}
