import { PROBLEMS, type ProblemCode } from '../problems/problems.ts';
import { EXAMPLE_REQUEST_ID, type ProblemExample } from '../reference/examples/problem-example.ts';
import { PROBLEM_EXAMPLES } from '../reference/examples/problems.ts';
import { ProblemDocument } from './problem.ts';
import { type Schema, Type } from './type.ts';

/** A value that shows what an answer looks like. */
export interface Example {
  summary: string;
  value: unknown;
}

type Headers = Record<string, Schema>;

export const successHeaders: Headers = {
  'Request-Id': Type.String({
    description: 'Names the request to the operator.',
    examples: [EXAMPLE_REQUEST_ID],
  }),
  'Cache-Control': Type.String({
    description: 'no-store: nothing of an answer may be kept by a cache.',
    examples: ['no-store'],
  }),
};

/** Where requests are limited, of every answer to one whose key was looked at. Source: draft-ietf-httpapi-ratelimit-headers-10. */
export const rateLimitHeaders: Headers = {
  'RateLimit-Policy': Type.String({
    description: 'The limit: q requests in a window of w seconds. Absent where there is none.',
    examples: ['"key";q=2000;w=2'],
  }),
  RateLimit: Type.String({
    description: 'What is left of it: r requests at once, or none before t seconds have passed.',
    examples: ['"key";r=1999;t=0'],
  }),
};

const retryAfterHeader: Headers = {
  'Retry-After': Type.String({ description: 'Seconds to wait before trying again.', examples: ['1'] }),
};

const challengeHeader: Headers = {
  'WWW-Authenticate': Type.String({
    description: 'Source: RFC 6750.',
    examples: ['Bearer realm="transactions", error="invalid_token"'],
  }),
};

/** What may be answered before a request is looked at: every operation has these. */
export const TRANSPORT_PROBLEMS = [
  'invalid_request',
  'request_timeout',
  'payload_too_large',
  'uri_too_long',
  'headers_too_large',
] as const satisfies ProblemCode[];

/** What every operation that asks for a key may answer. */
export const KEY_PROBLEMS = [
  ...TRANSPORT_PROBLEMS,
  'missing_api_key',
  'invalid_api_key',
  'rate_limited',
  'internal_error',
  'unavailable',
] as const satisfies ProblemCode[];

const LIMITED_HEADERS: Readonly<Record<number, Headers>> = {
  401: { ...challengeHeader, ...rateLimitHeaders },
  429: { ...retryAfterHeader, ...rateLimitHeaders },
  503: retryAfterHeader,
};

/** Answered before the key was looked at, and so before it was counted. */
const UNCOUNTED_STATUSES: readonly number[] = [408, 413, 414, 431];

export interface ProblemResponsesOptions {
  /** Whether the requests of a key are limited, so that each answer tells what is left. */
  keysAreLimited?: boolean;
  /** In the place of those of PROBLEM_EXAMPLES. */
  examples?: Partial<Record<ProblemCode, ProblemExample>>;
}

/** The responses of the codes that an operation may answer with, by status: one shape, and an example of each code. */
export function problemResponses(
  codes: readonly ProblemCode[],
  { keysAreLimited = false, examples: own = {} }: ProblemResponsesOptions = {},
) {
  const statuses = new Set(codes.map((code) => PROBLEMS[code].status).sort((one, other) => one - other));
  const examples = { ...PROBLEM_EXAMPLES, ...own };
  const responses = [...statuses].map((status) => {
    const ofStatus = codes.filter((code) => PROBLEMS[code].status === status);
    const response = {
      description: ofStatus.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(' '),
      headers: {
        ...successHeaders,
        ...(keysAreLimited && !UNCOUNTED_STATUSES.includes(status) && rateLimitHeaders),
        ...LIMITED_HEADERS[status],
      },
      content: {
        'application/problem+json': {
          schema: Type.Ref(ProblemDocument),
          examples: Object.fromEntries(
            ofStatus.map((code) => [code, { summary: PROBLEMS[code].title, value: examples[code].answer }]),
          ),
        },
      },
    };
    return [status, response];
  });
  return Object.fromEntries(responses);
}

/** A success with a JSON body of a shared schema. */
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
