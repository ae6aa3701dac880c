import { PROBLEMS, type ProblemCode } from '../../problems/problems.ts';
import type { ProblemDocument } from '../../schemas/problem.ts';

export interface ExampleRequest {
  method: string;
  /** Path and query. */
  target: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
}

/** A request and the error that it gets. A test sends each, and compares the answers. */
export interface ProblemExample {
  /** What has to be the case besides the request, as a sentence. */
  given?: string;
  request: ExampleRequest;
  /** What the answer's headers tell of the error. */
  headers: Readonly<Record<string, string>>;
  answer: ProblemDocument;
}

/** Stands for a key in the examples' headers. */
export const KEY_PLACEHOLDER = '<API key>';

export const EXAMPLE_REQUEST_ID = '9c68032f-6d11-4961-8add-0812bb804696';

export const AUTHORIZED = { Authorization: `Bearer ${KEY_PLACEHOLDER}` };
export const LIST = '/v1/transactions';

/** What an answer has besides its detail. */
export type Answer = Pick<ProblemDocument, 'errors' | 'differences' | 'resume'> & {
  headers?: Record<string, string>;
  given?: string;
};

/** An example that asks for the list with a key, unless its request says otherwise. */
export function example(
  code: ProblemCode,
  request: Partial<ExampleRequest>,
  detail: string,
  { headers = {}, given, ...rest }: Answer = {},
): ProblemExample {
  const { status, title } = PROBLEMS[code];
  return {
    ...(given !== undefined && { given }),
    request: { method: 'GET', target: LIST, headers: AUTHORIZED, ...request },
    headers,
    answer: {
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
