import { EXAMPLE_REQUEST_ID } from '../examples.ts';
import type { Listener } from '../telemetry/http-metrics.ts';
import { type Schema, Type } from './type.ts';

export interface Example {
  summary: string;
  value: unknown;
}

type Headers = Readonly<Record<string, Schema>>;

export const HEADERS = {
  'Request-Id': Type.String({
    description: 'Identifies the request. Give it to the operator when you report an error.',
    examples: [EXAMPLE_REQUEST_ID],
  }),
  'RateLimit-Policy': Type.String({
    description: 'The rate limit: q requests in a window of w seconds. Absent without a rate limit.',
    examples: ['"key";q=2000;w=2'],
  }),
  RateLimit: Type.String({
    description: 'What remains of the limit: r requests now, or none until t seconds have passed.',
    examples: ['"key";r=1999;t=0'],
  }),
  'Retry-After': Type.String({
    description: 'Seconds to wait before trying again. Absent if waiting does not help.',
    examples: ['1'],
  }),
  'WWW-Authenticate': Type.String({
    description: 'How to authenticate, as RFC 6750 defines it.',
    examples: ['Bearer realm="transactions", error="invalid_token"'],
  }),
} as const satisfies Headers;

type HeaderName = keyof typeof HEADERS;

const LIMIT_HEADERS: readonly HeaderName[] = ['RateLimit-Policy', 'RateLimit'];

const HEADERS_BY_STATUS: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate', ...LIMIT_HEADERS],
  403: ['WWW-Authenticate'],
  429: ['Retry-After', ...LIMIT_HEADERS],
  503: ['Retry-After'],
};

/** These statuses are sent before the key is checked, so before the rate limit counts the request. */
export const BEFORE_KEY: readonly number[] = [408, 413, 414, 431];

export function headersOf(
  status: number,
  { hasKey, listener }: { hasKey: boolean; listener: Listener },
): readonly HeaderName[] {
  const isAfterKey = hasKey && !BEFORE_KEY.includes(status);
  const names: HeaderName[] = ['Request-Id', ...(HEADERS_BY_STATUS[status] ?? [])];
  if (isAfterKey && listener === 'public') names.push(...LIMIT_HEADERS);
  return [...new Set(names)];
}

export interface ResponseDescription {
  description: string;
  headers: Headers;
  content?: Readonly<Record<string, { schema: Schema; examples: Readonly<Record<string, Example>> }>>;
}

export type Responses = Readonly<Record<number, ResponseDescription>>;

export const emptyResponse = (description: string, headers: Headers = {}): ResponseDescription => ({
  description,
  headers,
});

export const bodyResponse = (
  type: string,
  description: string,
  schema: Schema,
  examples: Readonly<Record<string, Example>>,
  headers: Headers = {},
): ResponseDescription => ({ description, headers, content: { [type]: { schema, examples } } });

export const jsonResponse = (
  description: string,
  schema: Schema,
  examples: Readonly<Record<string, Example>>,
  headers: Headers = {},
): ResponseDescription => bodyResponse('application/json', description, schema, examples, headers);
