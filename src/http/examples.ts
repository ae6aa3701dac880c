import FILE from './examples.json' with { type: 'json' };
import type { ProblemDocument } from './schemas/problem.ts';

/*
 * Tests compare the responses in examples.json with the service's responses. If TEST_WRITE is 1, tests write
 * the file. In it, <17000 x> stands for 17,000 times the letter x.
 */

export interface ProblemExample {
  given?: string;
  request: {
    method: string;
    target: string;
    headers: Readonly<Record<string, string>>;
    body?: string;
  };
  headers: Readonly<Record<string, string>>;
  response: ProblemDocument;
}

export const KEY_PLACEHOLDER = '<API key>';

export const EXAMPLE_REQUEST_ID = '9c68032f-6d11-4961-8add-0812bb804696';

type RecordedError = Omit<ProblemExample, 'response'> & {
  response: Omit<ProblemDocument, 'type' | 'title' | 'status' | 'code' | 'requestId'>;
};

const ERRORS: Readonly<Record<string, RecordedError | undefined>> = FILE.errors;

export function errorExample({
  code,
  status,
  title,
}: Pick<ProblemDocument, 'code' | 'status' | 'title'>): ProblemExample {
  const recorded = ERRORS[code];
  if (recorded === undefined) throw new Error(`examples.json has no error ${code}`);
  const { detail, ...rest } = recorded.response;
  const response = {
    type: `/errors/${code}`,
    title,
    status,
    detail,
    code,
    requestId: EXAMPLE_REQUEST_ID,
    ...rest,
  };
  return { ...recorded, response };
}

export const EXAMPLES = FILE.answers;

export const EXAMPLE_CURSOR = EXAMPLES.list.more.value.nextCursor as string;

export const EXAMPLE_CURSOR_EXPIRES = '2026-06-16T12:00:00.000Z';
