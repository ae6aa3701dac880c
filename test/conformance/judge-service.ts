import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { runConformance } from '../../conformance/index.js';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { createFilled, failuresOf, startFilled } from './filled-service.ts';

/** The service on a database passes every check, with the operator's key and without. */
export async function judgeService(t: TestContext, databaseUrl: string): Promise<void> {
  const { path: cwd } = temporaryFolder(t);
  const options = { cwd, env: { DATABASE_URL: databaseUrl } };
  const keys = await createFilled(options);
  const served = await startFilled(options);
  t.after(() => served.stop());
  const { url, operatorUrl } = served;
  const report = await runConformance({ url, operatorUrl, ...keys, seed: 61 });
  assert.deepEqual(failuresOf(report), []);
  assert.ok(report.summary.passed > 100);
  const { operatorKey: _, ...reading } = keys;
  const second = await runConformance({ url, ...reading, seed: 62 });
  assert.deepEqual(failuresOf(second), []);
  const notJudged = report.results.filter(({ outcome }) => outcome === 'not judged').map(({ id }) => id);
  t.diagnostic(`${report.requests} and ${second.requests} requests; not judged: ${notJudged.join(', ')}`);
}
