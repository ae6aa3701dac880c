import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

export interface Outcome {
  hasPassed: boolean;
  isAssertion: boolean;
  message: string;
}

export default async function* outcomes(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (data.details.type === 'suite' || data.skip !== undefined) continue;
    const error = (data.details as { error?: Error }).error;
    const outcome: Outcome = {
      hasPassed: type === 'test:pass',
      isAssertion: isAssertion(error),
      message: inspect(error?.cause ?? error),
    };
    yield `${JSON.stringify(outcome)}\n`;
  }
}

const isAssertion = (error: unknown): boolean =>
  error instanceof Error &&
  ((error as { code?: string }).code === 'ERR_ASSERTION' || isAssertion(error.cause));
