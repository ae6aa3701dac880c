import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { runConformance } from '../../proof/conformance/index.js';
import { seed } from '../rig/run/seed.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { createFilled, failuresOf, startFilled } from './filled-service.ts';

/** Checks that the service on a database passes every check that the keys allow. */
export async function judgeService(
  t: TestContext,
  databaseUrl: string,
  { withOperator = true } = {},
): Promise<void> {
  const { path: cwd } = temporaryFolder(t);
  const options = { cwd, env: { DATABASE_URL: databaseUrl } };
  const keys = await createFilled(options);
  const served = await startFilled(options);
  t.after(() => served.stop());
  const { url, operatorUrl } = served;
  const { operatorKey, ...reading } = keys;
  const report = await runConformance({
    url,
    ...reading,
    ...(withOperator && { operatorUrl, operatorKey }),
    seed,
  });
  assert.deepEqual(failuresOf(report), []);
  assert.ok(report.summary.passed > 100);
  const notJudged = report.results.filter(({ outcome }) => outcome === 'not judged').map(({ id }) => id);
  t.diagnostic(`${report.requests} requests; not judged: ${notJudged.join(', ')}`);
}
