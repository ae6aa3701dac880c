import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { seed } from '../rig/run/seed.ts';
import { failuresOf, serveFilled } from './filled-service.ts';

export async function judgeService(
  t: TestContext,
  databaseUrl: string,
  { withOperator = true, servingUrl }: { withOperator?: boolean; servingUrl?: () => Promise<string> } = {},
): Promise<void> {
  const env = { DATABASE_URL: databaseUrl };
  const { run, read, logged } = await serveFilled(t, env, undefined, env, servingUrl);
  const report = await (withOperator ? run : read)({ seed });
  assert.deepEqual(failuresOf(report), []);
  assert.ok(report.summary.passed > 100);
  assert.doesNotMatch(logged(), /lacks a right/);
  const notJudged = report.results.filter(({ outcome }) => outcome === 'not judged').map(({ id }) => id);
  t.diagnostic(`${report.requests} requests; not judged: ${notJudged.join(', ')}`);
}
