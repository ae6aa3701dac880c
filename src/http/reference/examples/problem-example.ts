import { PROBLEMS, type ProblemCode } from '../../problems/problems.ts';
import type { ProblemDocument } from '../../schemas/problem.ts';

export interface ExampleRequest {
  method: string;
  /** Path and query. */
  target: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
}

/** A request and its error response. A test sends each request and compares the response. */
export interface ProblemExample {
  /** What happened before the request, as a sentence. */
  given?: string;
  request: ExampleRequest;
  /** The response headers that belong to the error. */
  headers: Readonly<Record<string, string>>;
  response: ProblemDocument;
}

/** In the place of a key in the headers of an example. */
export const KEY_PLACEHOLDER = '<API key>';

export const EXAMPLE_REQUEST_ID = '9c68032f-6d11-4961-8add-0812bb804696';

export const AUTHORIZED = { Authorization: `Bearer ${KEY_PLACEHOLDER}` };
export const LIST = '/v1/transactions';
export const CHANGES = '/v1/changes';
export const TOTALS = '/v1/totals';
export const EXPORT = '/v1/transactions.csv';

/** What a response has in addition to its detail. */
export type ResponseDetails = Pick<ProblemDocument, 'errors' | 'differences' | 'headSequence' | 'resume'> & {
  headers?: Record<string, string>;
  given?: string;
};

/** An example that requests the list with a key, unless `request` differs. */
export function example(
  code: ProblemCode,
  request: Partial<ExampleRequest>,
  detail: string,
  { headers = {}, given, ...rest }: ResponseDetails = {},
): ProblemExample {
  const { status, title } = PROBLEMS[code];
  return {
    ...(given !== undefined && { given }),
    request: { method: 'GET', target: LIST, headers: AUTHORIZED, ...request },
    headers,
    response: {
      type: `/errors/${code}`,
      title,
      status,
      detail,
      code,
      requestId: EXAMPLE_REQUEST_ID,
      ...rest,
    },
  };
}

/** An example of a list request with one faulty parameter. */
export function faulty(
  code: ProblemCode,
  query: string,
  parameter: string,
  detail: string,
  details: ResponseDetails = {},
  path = LIST,
): ProblemExample {
  return example(code, { target: `${path}?${query}` }, detail, {
    errors: [{ parameter, code, detail }],
    ...details,
  });
}
