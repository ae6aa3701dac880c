import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

export default async function* summary(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type === 'test:pass' && data.skip) yield `skipped: ${data.name}: ${data.skip}\n`;
    if (type !== 'test:fail' || isOfSubtest(data.details.error)) continue;
    yield `failed: ${relative('', data.file ?? '')}:${data.line} ${data.name}\n`;
  }
}

const isOfSubtest = (error: Error) => (error as { failureType?: string }).failureType === 'subtestsFailed';
