import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

/** A reporter that prints only the names of the tests that failed, for the end of a run. */
export default async function* failedTests(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const failed: string[] = [];
  for await (const { type, data } of events) {
    if (type !== 'test:fail') continue;
    // A suite, or a file, fails because of its tests.
    if ((data.details.error as { failureType?: string }).failureType === 'subtestsFailed') continue;
    failed.push(`  ${relative('', data.file ?? '')}:${data.line} ${data.name}`);
  }
  if (failed.length === 0) return;
  const what = failed.length === 1 ? '1 test failed' : `${failed.length} tests failed`;
  yield `${what}:\n${failed.join('\n')}\n`;
}
