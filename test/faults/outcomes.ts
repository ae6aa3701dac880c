import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

/** The result of a test. */
export interface Outcome {
  hasPassed: boolean;
  isAssertion: boolean;
  message: string;
}

/** A reporter that prints each outcome as a line of JSON. */
export default async function* outcomes(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (data.details.type === 'suite' || data.skip !== undefined) continue;
    const error = (data.details as { error?: Error }).error;
    const cause = (error?.cause ?? error) as { code?: string } | undefined;
    const outcome: Outcome = {
      hasPassed: type === 'test:pass',
      isAssertion: cause?.code === 'ERR_ASSERTION',
      message: inspect(cause),
    };
    yield `${JSON.stringify(outcome)}\n`;
  }
}
