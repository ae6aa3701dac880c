import { PROBLEMS, type ProblemCode } from '../problems/problems.ts';
import { OTHER_EXAMPLES } from '../reference/examples/other-problems.ts';
import { EXAMPLE_REQUEST_ID, type ProblemExample } from '../reference/examples/problem-example.ts';
import { PROBLEM_EXAMPLES } from '../reference/examples/problems.ts';
import { ProblemDocument } from './problem.ts';
import { type Schema, Type } from './type.ts';

/** An example of a response body. */
export interface Example {
  summary: string;
  value: unknown;
}

type Headers = Record<string, Schema>;

export const successHeaders: Headers = {
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
export const rateLimitHeaders: Headers = {
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
export const keyExpiresHeader: Headers = {
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

/** Errors of every operation, sent before the request reaches it. */
export const TRANSPORT_PROBLEMS = [
  'invalid_request',
  'request_timeout',
  'payload_too_large',
  'uri_too_long',
  'headers_too_large',
] as const satisfies ProblemCode[];

/** Errors of every operation that requires an API key. */
export const KEY_PROBLEMS = [
  ...TRANSPORT_PROBLEMS,
  'missing_api_key',
  'invalid_api_key',
  'insufficient_scope',
  'rate_limited',
  'internal_error',
  'unavailable',
] as const satisfies ProblemCode[];

const HEADERS_BY_STATUS: Readonly<Record<number, Headers>> = {
  401: { ...challengeHeader('invalid_token'), ...rateLimitHeaders },
  403: challengeHeader('insufficient_scope'),
  429: { ...retryAfterHeader, ...rateLimitHeaders },
  503: retryAfterHeader,
};

/** Sent before the key is checked, and so before the request is counted. */
const UNCOUNTED_STATUSES: readonly number[] = [408, 413, 414, 431];

export interface ProblemResponsesOptions {
  /** Whether keys have a rate limit, which each response then reports. */
  keysAreLimited?: boolean;
  /** Instead of those in PROBLEM_EXAMPLES. */
  examples?: Partial<Record<ProblemCode, ProblemExample>>;
}

/** A problem with one of these codes, so that generated clients can switch on it. */
const problemWith = (codes: readonly ProblemCode[]) =>
  Type.AllOf(Type.Ref(ProblemDocument), Type.Object({ code: Type.Enum(codes) }));

/** Instead of those in PROBLEM_EXAMPLES, for an operation without query parameters. */
const PARAMETERLESS_EXAMPLES = {
  invalid_request: OTHER_EXAMPLES.noHost,
  unknown_parameter: OTHER_EXAMPLES.noParameters,
};

/** The error responses of an operation by status, with an example of each code. Every operation refuses unknown parameters. */
export function problemResponses(
  ownCodes: readonly ProblemCode[],
  { keysAreLimited = false, examples: ownExamples = {} }: ProblemResponsesOptions = {},
) {
  const codes: ProblemCode[] = [...new Set([...ownCodes, 'unknown_parameter' as const])];
  const takesParameters = codes.includes('duplicate_parameter');
  const statuses = new Set(codes.map((code) => PROBLEMS[code].status).sort((one, other) => one - other));
  const examples = {
    ...PROBLEM_EXAMPLES,
    ...(!takesParameters && PARAMETERLESS_EXAMPLES),
    ...ownExamples,
  };
  const responses = [...statuses].map((status) => {
    const ofStatus = codes.filter((code) => PROBLEMS[code].status === status);
    const response = {
      description: ofStatus.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(' '),
      headers: {
        ...successHeaders,
        ...(keysAreLimited && !UNCOUNTED_STATUSES.includes(status) && rateLimitHeaders),
        ...HEADERS_BY_STATUS[status],
      },
      content: {
        'application/problem+json': {
          schema: problemWith(ofStatus),
          examples: Object.fromEntries(
            ofStatus.map((code) => [code, { summary: PROBLEMS[code].title, value: examples[code].response }]),
          ),
        },
      },
    };
    return [status, response];
  });
  return Object.fromEntries(responses);
}

/** A response without a body. */
export function emptyResponse(description: string, headers: Headers = {}) {
  // The type that @fastify/swagger reads as: no content.
  return { type: 'null', description, headers: { ...successHeaders, ...headers } };
}

/** A response with a JSON body. */
export function jsonResponse(
  description: string,
  schema: Schema,
  examples: Record<string, Example>,
  headers: Headers = {},
) {
  return {
    description,
    headers: { ...successHeaders, ...headers },
    content: { 'application/json': { schema, examples } },
  };
}
