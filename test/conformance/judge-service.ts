import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { seed } from '../rig/run/seed.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { startServe } from '../rig/service/process.ts';
import { REACHING } from '../rig/webhooks/webhook-service.ts';
import { failuresOf, serveFilled } from './filled-service.ts';

/** With `servingUrl`, another process serves the accounts, from this address of the database. */
export async function judgeService(
  t: TestContext,
  databaseUrl: string,
  { withOperator = true, servingUrl }: { withOperator?: boolean; servingUrl?: () => Promise<string> } = {},
): Promise<void> {
  const { served, run, read } = await serveFilled(t, { DATABASE_URL: databaseUrl });
  const serving =
    servingUrl === undefined
      ? served
      : await startServe(
          { cwd: temporaryFolder(t).path, env: { ...REACHING, DATABASE_URL: await servingUrl() } },
          t,
        );
  const report = await (withOperator ? run : read)({ url: serving.url, seed });
  assert.deepEqual(failuresOf(report), []);
  assert.ok(report.summary.passed > 100);
  assert.doesNotMatch(serving.logged(), /lacks a right/);
  const notJudged = report.results.filter(({ outcome }) => outcome === 'not judged').map(({ id }) => id);
  t.diagnostic(`${report.requests} requests; not judged: ${notJudged.join(', ')}`);
}
