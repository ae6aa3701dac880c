import type { ProblemDocument } from '../schemas/problem.ts';

interface ExampleRequest {
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
export const SEARCH = '/v1/search';
export const EXPORT = '/v1/transactions.csv';

/** What a response has in addition to its detail. */
type ResponseDetails = Pick<
  ProblemDocument,
  'errors' | 'differences' | 'headSequence' | 'floorSequence' | 'resume'
> & {
  headers?: Record<string, string>;
  given?: string;
};

/** Makes an example of its kind of error. */
export type ExampleOf = (kind: { code: string; status: number; title: string }) => ProblemExample;

/** An example that requests the list with a key, unless `request` differs. */
export const example =
  (
    request: Partial<ExampleRequest>,
    detail: string,
    { headers = {}, given, ...rest }: ResponseDetails = {},
  ): ExampleOf =>
  ({ code, status, title }) => ({
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
  });

/** An example of a request with one faulty parameter. */
export const faulty =
  (query: string, parameter: string, detail: string, details: ResponseDetails = {}, path = LIST): ExampleOf =>
  (kind) => {
    const errors = [{ parameter, code: kind.code, detail }];
    return example({ target: `${path}?${query}` }, detail, { errors, ...details })(kind);
  };

/** An example of a problem with several faults. */
export function faults(
  path: string,
  query: string,
  ...errors: readonly { parameter: string; code: string; detail: string }[]
): ExampleOf {
  const detail = `The request has ${errors.length} faults: see errors.`;
  return example({ target: `${path}?${query}` }, detail, { errors: [...errors] });
}

/** An example of a parameter that is sent with two values. */
export const twice = (path: string, name: string, one: string, other: string): ExampleOf =>
  faulty(
    `${name}=${one}&${name}=${other}`,
    name,
    `${name} is sent more than once. Send it once, and a request for each value.`,
    {},
    path,
  );

export const JSON_BODY = { ...AUTHORIZED, 'Content-Type': 'application/json' };
export const RECORD_PATH = '/v1/accounts/store-1/transactions';
/** A body that can be recorded. */
export const TRANSACTION = {
  merchantReference: 'order-1014',
  status: 'completed',
  amount: '12.50',
  currencyCode: 'EUR',
  paidAt: '2026-04-01T09:30:05.000Z',
  createdAt: '2026-04-01T09:30:00.000Z',
};

/** An example of a recording that is refused. */
export const refused = (
  request: Partial<ExampleRequest>,
  detail: string,
  details: ResponseDetails = {},
): ExampleOf => {
  const recording = { method: 'PUT', target: `${RECORD_PATH}/tx_000014`, headers: JSON_BODY };
  return example({ ...recording, ...request }, detail, details);
};
