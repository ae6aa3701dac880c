import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { seed } from '../rig/run/seed.ts';
import { failuresOf, serveFilled } from './filled-service.ts';

export async function judgeService(
  t: TestContext,
  databaseUrl: string,
  { withOperator = true } = {},
): Promise<void> {
  const { run, read } = await serveFilled(t, { DATABASE_URL: databaseUrl });
  const report = await (withOperator ? run : read)({ seed });
  assert.deepEqual(failuresOf(report), []);
  assert.ok(report.summary.passed > 100);
  const notJudged = report.results.filter(({ outcome }) => outcome === 'not judged').map(({ id }) => id);
  t.diagnostic(`${report.requests} requests; not judged: ${notJudged.join(', ')}`);
}
